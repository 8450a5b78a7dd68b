"""Estimates with their intervals, one below the other: error bars by group, and the forest plot of ratios."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

from pedkit.report.fairness.axis import Axis
from pedkit.report.numbers import MINUS
from pedkit.report.svg import WIDTH, figure

LABEL = 145
_NOTE = 145
_ROW, _TALL = 24, 36
_LETTER = 6.6  # width of a letter of the label, about


@dataclass(frozen=True, slots=True)
class Row:
    """One estimate.

    Attributes:
        label: Name of the group; blank where the row belongs to the one above.
        value: The estimate in the unit of the axis, ``None`` where it is undefined.
        low: Lower end of its interval, ``None`` where there is none; ``high`` likewise.
        high: Upper end.
        note: What stands behind it: the numbers, or why there are none.
        below: Small text under the label.
        hollow: True for estimates that rest on too few speakers.
        series: Number of the colour, from 0.
    """

    label: str
    value: float | None
    low: float | None = None
    high: float | None = None
    note: str = ""
    below: str = ""
    hollow: bool = False
    series: int = 0


def interval_chart(
    rows: Sequence[Row],
    *,
    title: str,
    unit: str = "",
    ratio: bool = False,
    line: float | None = None,
    least: float = -math.inf,
) -> str:
    """Return the figure.

    Args:
        rows: From top to bottom.
        title: What a reader who cannot see the figure is told.
        unit: Unit behind the numbers of the axis.
        ratio: True for ratios on a logarithmic axis.
        line: Value of the dashed line: the overall rate, or no difference.
        least: Where the axis ends at the left: 0 for rates, which are never below it.
    """
    values = [v for row in rows for v in (row.value, row.low, row.high) if v is not None and (v > 0 or not ratio)]
    if line is not None:
        values.append(line)
    left, right = LABEL, WIDTH - _NOTE
    axis = Axis.ratios(values, left, right) if ratio else Axis.linear(values, left, right, least)
    heights = [_TALL if row.below else _ROW for row in rows]
    bottom = sum(heights)
    body = list(_ticks(axis, bottom, unit))
    if line is not None:
        x = axis.at(line)
        body.append(f'<line class="overall" x1="{x:.1f}" x2="{x:.1f}" y1="0" y2="{bottom}"/>')
    y = 0
    for row, height in zip(rows, heights, strict=True):
        body += _row(row, axis, y, height)
        y += height
    return figure(body, bottom + 24, title)


def _ticks(axis: Axis, bottom: float, unit: str) -> Iterator[str]:
    for tick in axis.ticks:
        x = axis.at(tick)
        yield f'<line class="grid" x1="{x:.1f}" x2="{x:.1f}" y1="0" y2="{bottom}"/>'
        yield f'<text class="tick" x="{x:.1f}" y="{bottom + 15}">{tick_text(tick)}{escape(unit)}</text>'


def tick_text(tick: float) -> str:
    """Return the number at a tick."""
    return f"{tick:g}".replace("-", MINUS)


def _row(row: Row, axis: Axis, y: float, height: float) -> Iterator[str]:
    middle = y + height / 2
    yield label(row.label, LABEL - 10, y + (16 if row.below else 17))
    if row.below:
        yield f'<text class="label small" x="{LABEL - 10}" y="{y + 29}">{escape(row.below)}</text>'
    css = f"s{row.series}{' hollow' if row.hollow else ''}"
    if row.low is not None and row.high is not None:
        yield (
            f'<line class="whisker {css}" x1="{axis.at(row.low):.1f}" x2="{axis.at(row.high):.1f}" '
            f'y1="{middle}" y2="{middle}"/>'
        )
    if row.value is not None and (row.value > 0 or not axis.log):
        yield f'<circle class="point {css}" cx="{axis.at(row.value):.1f}" cy="{middle}" r="5"/>'
    yield f'<text class="value" x="{WIDTH - _NOTE + 12}" y="{middle + 4}">{escape(row.note)}</text>'


def label(text: str, x: float, y: float, width: float = LABEL - 10, css: str = "label") -> str:
    """Return a label at ``x``; one that is too long is cut, and whole where it is pointed at."""
    most = int(width / _LETTER)
    shown = text if len(text) <= most else text[: most - 1].rstrip() + "…"
    whole = f"<title>{escape(text)}</title>" if shown != text else ""
    return f'<text class="{css}" x="{x:g}" y="{y:g}">{escape(shown)}{whole}</text>'
