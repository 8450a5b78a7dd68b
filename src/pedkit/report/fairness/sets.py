"""Two sets of groups, such as languages with much and with little training data, as sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pedkit.report.fairness.content import TITLES, Row
from pedkit.report.numbers import signed


def set_sentences(content: Mapping[str, Any], metrics: Sequence[str] | None = None) -> list[str]:
    """Return a sentence for each gap between the two sets, and for those that are undefined one for each reason.

    Args:
        content: Of ``fairness.json``.
        metrics: Names of the metrics to speak of; all where ``None``.
    """
    rows = [row for row in content["gap_between_sets"] if metrics is None or row["metric"] in metrics]
    places = {(row["attribute"], row["corpus"]) for row in rows}
    known: list[str] = []
    undefined: dict[tuple[str, str], list[str]] = {}
    for row in rows:
        if row["value"] is None:
            key = _place(row, one_of=len(places)), row["reason"]
            undefined.setdefault(key, []).append(TITLES[row["metric"]])
        else:
            known.append(_sentence(row, content["settings"]["sets"], len(places)))
    return known + [
        f"No gap between the two sets in {', '.join(titles)}{place}: {reason}."
        for (place, reason), titles in undefined.items()
    ]


def _sentence(row: Row, sets: Mapping[str, Sequence[str]], places: int) -> str:
    first, second = (", ".join(sets[key]) for key in ("reference", "compared"))
    return (
        f"{TITLES[row['metric']]}{_place(row, one_of=places)}: {100 * row['reference']:.1f} % on average over "
        f"{first}; {100 * row['compared']:.1f} % over {second}: {signed(100 * row['value'], 0)} % relative to the "
        "first."
    )


def _place(row: Row, *, one_of: int) -> str:
    """Return attribute and corpus in words; nothing where there is one of them."""
    return "" if one_of == 1 else f" by {row['attribute'].replace('_', ' ')}, corpus {row['corpus']}"
