"""PER beside Soft PER by group: what classes and pairs of phones forgave."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pedkit.phones import FEATURE_UNITS
from pedkit.report.measures import rate
from pedkit.report.numbers import DASH, count, fraction, percent


@dataclass(frozen=True, slots=True)
class SoftRow:
    """One group of one system, as text; ``key`` is blank where it is that of the row above."""

    key: str
    group: str
    per: str
    per_tip: str
    soft: str
    soft_tip: str
    forgiven: str
    by_class: str
    by_pair: str
    in_no_class: str


def soft_rows(scores: Mapping[str, Any], system: str) -> list[SoftRow]:
    """Return a row a group.

    Args:
        scores: Content of ``scores.json``.
        system: Name of the system.
    """
    return list(_rows(scores["systems"][system].get("groups") or {}))


def _rows(groups: Mapping[str, Mapping[str, Mapping[str, Any]]]) -> Iterator[SoftRow]:
    for key, corpora in groups.items():
        shown = key.replace("_", " ").replace("*", " & ")
        for corpus, values in corpora.items():
            for value, scores in values.items():
                label = value if len(corpora) == 1 else f"{corpus}: {value}"
                if "fields" in scores:
                    yield _row(shown, label, scores)
                    shown = ""


def _row(key: str, label: str, scores: Mapping[str, Any]) -> SoftRow:
    fields, per, soft = scores["fields"], rate(scores, "per"), rate(scores, "soft_per")
    errors = fields["substitutions"] + fields["deletions"] + fields["insertions"]
    left = fields["soft_distance"] / FEATURE_UNITS
    return SoftRow(
        key=key,
        group=label,
        per=percent(per),
        per_tip=fraction(per),
        soft=percent(soft),
        soft_tip=fraction(soft),
        forgiven=f"{100 * (errors - left) / errors:.0f}" if errors else DASH,
        by_class=count(fields["soft_tier1"]),
        by_pair=count(fields["soft_tier2"]),
        in_no_class=count(fields["soft_unknown"]),
    )
