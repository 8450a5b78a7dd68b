"""What was refused, by error type, engine and voice."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from scipy.stats import binomtest

from pedkit.data.utterance import Utterance
from synthetic.acceptance.near_misses import Columns, error_type
from synthetic.acceptance.verdicts import Verdict

Share = dict[str, float | int]


def refused_share(refused: int, items: int) -> Share:
    """Return both counts, the share, and ends of its 95 % interval by Wilson (1927).

    Args:
        refused: How many were refused.
        items: Of how many, 1 or more.
    """
    interval = binomtest(refused, items).proportion_ci(0.95, method="wilson")
    return {
        "refused": refused,
        "items": items,
        "share": refused / items,
        "low": float(interval.low),
        "high": float(interval.high),
    }


def refused_by(labels: Iterable[tuple[str, bool]]) -> dict[str, Share]:
    """Return the share refused of each group, in order of their names.

    Args:
        labels: Name of the group and whether it was refused, of each recording.
    """
    groups: dict[str, list[bool]] = {}
    for name, refused in labels:
        groups.setdefault(name, []).append(refused)
    return {name: refused_share(sum(groups[name]), len(groups[name])) for name in sorted(groups)}


def statistics(
    utterances: Mapping[str, Utterance], columns: Mapping[str, Columns], verdicts: Mapping[str, Verdict]
) -> dict[str, Any]:
    """Return the shares refused: ``overall``, ``by_error_type``, ``by_engine``, ``by_voice``, ``by_split``."""
    refused = {name: not one.accepted for name, one in verdicts.items()}
    keys: dict[str, Callable[[Utterance], str]] = {
        "by_error_type": lambda one: error_type(columns[one.id]),
        "by_engine": lambda one: str(one.extra.get("engine")),
        "by_voice": lambda one: str(one.speaker),
        "by_split": lambda one: str(one.split),
    }
    return {
        "overall": refused_share(sum(refused.values()), len(refused)),
        **{
            name: refused_by((key(one), refused[one.id]) for one in utterances.values())
            for name, key in keys.items()
        },
    }
