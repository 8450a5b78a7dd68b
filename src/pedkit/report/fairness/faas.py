"""FAAS as a small table, with the numbers that keep their meaning and the warnings that belong beside it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pedkit.report.fairness.readings import p_text
from pedkit.report.numbers import DASH, number


@dataclass(frozen=True, slots=True)
class FaasRow:
    """One category, as text."""

    category: str
    score: str
    p: str
    adjusted: str
    ratio: str
    gap: str


@dataclass(frozen=True, slots=True)
class FaasPart:
    """FAAS of one system on one corpus."""

    heading: str
    value: str
    rows: Sequence[FaasRow]
    warnings: Sequence[str]
    notes: Sequence[str]


def faas_parts(content: Mapping[str, Any]) -> list[FaasPart]:
    """Return a part for each system and corpus for which FAAS was asked.

    Args:
        content: Of ``fairness.json``.
    """
    return [_part(name, score) for name, system in content["systems"].items() for score in system["faas"]]


def _part(name: str, score: Mapping[str, Any]) -> FaasPart:
    value = score["faas"]
    return FaasPart(
        heading=f"{name}, {score['corpus']}, {score['form']} form",
        value=f"undefined: {score['faas_reason']}" if value is None else f"{value:.2f}",
        rows=[_row(category, found) for category, found in score.get("categories", {}).items()],
        warnings=score.get("warnings", ()),
        notes=score.get("notes", ()),
    )


def _row(category: str, found: Mapping[str, Any]) -> FaasRow:
    p = found["likelihood_ratio"]["p"]
    return FaasRow(
        category=category.replace("_", " "),
        score=_number(found["category_score"]),
        p=DASH if p is None else p_text(p),
        adjusted=_number(found["adjusted_score"]),
        ratio=_ratio(found["worst_to_best"]),
        gap=_gap(found["gap"]),
    )


def _ratio(extremes: Mapping[str, Any] | None) -> str:
    if extremes is None or extremes["ratio"]["value"] is None:
        return DASH
    ratio = extremes["ratio"]
    ends = "" if ratio["low"] is None else f" ({ratio['low']:.2f} to {ratio['high']:.2f})"
    return f"{ratio['value']:.2f}{ends}, {extremes['worst']} to {extremes['best']}"


def _gap(gap: Mapping[str, Any] | None) -> str:
    if gap is None:
        return DASH
    ends = "" if gap["low"] is None else f" ({number(100 * gap['low'])} to {number(100 * gap['high'])})"
    return f"{100 * gap['value']:.1f}{ends}"


def _number(value: float | None) -> str:
    return DASH if value is None else f"{value:.1f}" if value >= 0.05 else f"{value:.1g}"
