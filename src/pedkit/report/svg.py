"""Figures as inline SVG: coloured by the classes of ``style.css``, so light and dark come from the page."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape

from pedkit.report.numbers import count

WIDTH = 520
LABEL = 130
"""Width of a chart and of its label column, in SVG units (one unit is about one pixel)."""
_ROW = 25
_CELL = 20


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar: ``value`` as a fraction (``None``: undefined), ``note`` behind it; without a note a heading."""

    label: str
    value: float | None = None
    note: str = ""
    css: str = "bar"


@dataclass(frozen=True, slots=True)
class Stack:
    """One bar of shares: ``parts`` maps an outcome (class ``o-<outcome>``) to a count; without parts a heading."""

    label: str
    parts: Mapping[str, int] = field(default_factory=dict)


def bar_chart(bars: Sequence[Bar], *, title: str, unit: str = "%") -> str:
    """Return a horizontal bar chart of fractions, labelled in per cent, with a common axis from zero."""
    step, end = _axis(100 * max((bar.value for bar in bars if bar.value is not None), default=0.0))
    height, plot = _ROW * len(bars) + 24, WIDTH - LABEL - 80
    body = []
    for tick in range(round(end / step) + 1):
        x = LABEL + plot * tick * step / end
        body.append(f'<line class="grid" x1="{x:.1f}" x2="{x:.1f}" y1="0" y2="{height - 20}"/>')
        body.append(f'<text class="tick" x="{x:.1f}" y="{height - 5}">{tick * step:g}{escape(unit)}</text>')
    for row, bar in enumerate(bars):
        y = _ROW * row
        if not bar.note:
            body.append(_heading(bar.label, y))
            continue
        width = 0.0 if bar.value is None else plot * 100 * bar.value / end
        body.append(
            f'{_label(bar.label, y)}<rect class="{bar.css}" x="{LABEL}" y="{y + 3}" width="{max(width, 1):.1f}" '
            f'height="{_ROW - 6}" rx="3"/>'
            f'<text class="value" x="{LABEL + width + 8:.1f}" y="{y + 17}">{escape(bar.note)}</text>'
        )
    return figure(body, height, title)


def stacked_chart(stacks: Sequence[Stack], *, title: str) -> str:
    """Return bars of equal length cut into the shares of their parts; each part carries its name and share."""
    plot = WIDTH - LABEL - 80
    body = []
    for row, stack in enumerate(stacks):
        y = _ROW * row
        if not stack.parts:
            body.append(_heading(stack.label, y))
            continue
        total = sum(stack.parts.values())
        body += [_label(stack.label, y), *_shares(stack.parts, total, y, plot)]
        body.append(f'<text class="value" x="{LABEL + plot + 8}" y="{y + 17}">n = {count(total)}</text>')
    return figure(body, _ROW * len(stacks) + 2, title)


def _shares(parts: Mapping[str, int], total: int, y: int, plot: float) -> list[str]:
    body, x = [], float(LABEL)
    for name, number in parts.items():
        if not number:
            continue
        width, text = plot * number / total, f"{name} {100 * number / total:.0f}%"
        body.append(
            f'<rect class="o-{name}" x="{x:.1f}" y="{y + 2}" width="{width:.1f}" height="{_ROW - 4}">'
            f"<title>{escape(text)} ({count(number)} of {count(total)})</title></rect>"
        )
        if width > 8 * len(text):
            body.append(f'<text class="on on-{name}" x="{x + width / 2:.1f}" y="{y + 17}">{text}</text>')
        x += width
    return body


def heat_map(
    counts: Mapping[tuple[str, str], int], rows: Sequence[str], columns: Sequence[str], *, title: str
) -> str:
    """Return a map of shares within each row; cells darken with the share, empty cells stay blank.

    Args:
        counts: ``(row, column)`` -> count.
        rows: Row labels from top to bottom; columns likewise from left to right.
        columns: Column labels.
        title: What a reader who cannot see the figure is told.
    """
    cell, left, top = _CELL, 40, 32
    totals = {row: sum(number for (name, _), number in counts.items() if name == row) for row in rows}
    body = []
    for j, column in enumerate(columns):
        x = left + cell * j + cell / 2
        y = top - 5 - 13 * (j % 2)  # in two rows, as neighbours would touch
        body.append(f'<text class="tick" x="{x:g}" y="{y}">{escape(column)}</text>')
    for i, row in enumerate(rows):
        y = top + cell * i
        body.append(f'<text class="label small" x="{left - 5}" y="{y + cell - 5}">{escape(row)}</text>')
        for j, column in enumerate(columns):
            number = counts.get((row, column), 0)
            if number:
                kind = "hit" if row == column else "miss"
                body.append(
                    f'<rect class="{kind}" x="{left + cell * j}" y="{y}" width="{cell - 1}" height="{cell - 1}" '
                    f'fill-opacity="{0.15 + 0.85 * number / totals[row]:.2f}"><title>{escape(row)} heard as '
                    f"{escape(column)}: {count(number)} of {count(totals[row])}</title></rect>"
                )
    width, height = left + cell * len(columns) + 8, top + cell * len(rows) + 8
    frame = f'<rect class="frame" x="{left}" y="{top}" width="{cell * len(columns)}" height="{cell * len(rows)}"/>'
    return figure([frame, *body], height, title, width=width, css="map")


def _label(text: str, y: int) -> str:
    return f'<text class="label" x="{LABEL - 8}" y="{y + 17}">{escape(text)}</text>'


def _heading(text: str, y: int) -> str:
    return f'<text class="heading" x="0" y="{y + 18}">{escape(text)}</text>'


def round_step(rough: float) -> float:
    """Return the smallest of 1, 2 and 5 times a power of ten that is no smaller than ``rough`` (above 0)."""
    power = 10.0 ** math.floor(math.log10(rough))
    return next(factor * power for factor in (1, 2, 5, 10) if factor * power >= rough)


def _axis(top: float) -> tuple[float, float]:
    """Return a round tick distance and the end of an axis that holds ``top``."""
    if top <= 0:
        return 1.0, 1.0
    step = round_step(top / 5)
    return step, step * math.ceil(top / step - 1e-9)


def figure(body: Sequence[str], height: float, title: str, width: float = WIDTH, css: str = "") -> str:
    """Return a whole figure around its parts; ``title`` is what a reader who cannot see it is told.

    A figure with a class is never made smaller than it is, as its text is small: it stands where it can scroll.
    """
    size = f'class="{css}" style="width:{width:g}px"' if css else f'style="max-width:{width:g}px"'
    return (
        f'<svg viewBox="0 0 {width:g} {height:g}" {size} role="img" '
        f'aria-label="{escape(title, quote=True)}"><title>{escape(title)}</title>{"".join(body)}</svg>'
    )
