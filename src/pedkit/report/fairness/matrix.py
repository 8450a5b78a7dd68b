"""Signed differences as a coloured table: disparities of groups, and every pair of groups."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape

from pedkit.report.fairness.interval_chart import label
from pedkit.report.svg import figure

_LEFT, _CELL, _HEIGHT, _TOP = 130, 66, 30, 42
_LEAST_SCALE = 10.0
"""Difference that gets the strongest colour where all are smaller: small ones shall look small."""
_STRONGEST = 0.5  # of a colour behind text, so that the text stays readable in light and dark


@dataclass(frozen=True, slots=True)
class Cell:
    """One difference.

    Attributes:
        value: The difference, by which the cell is coloured; ``None`` hatches it.
        text: What stands in the cell.
        tip: What is said where the cell is pointed at: the numbers, or why there are none.
    """

    value: float | None
    text: str
    tip: str


def matrix(
    cells: Mapping[tuple[str, str], Cell], rows: Sequence[str], columns: Sequence[str], *, title: str
) -> str:
    """Return the figure; both directions have their own colour, equally strong for the same size.

    Args:
        cells: ``(row, column)`` -> cell; what is absent stays blank.
        rows: Row labels from top to bottom.
        columns: Column labels from left to right.
        title: What a reader who cannot see the figure is told.
    """
    most = max((_LEAST_SCALE, *(abs(cell.value) for cell in cells.values() if cell.value is not None)))
    body = [
        label(column, _LEFT + _CELL * (j + 0.5) - 1, _TOP - (8 if j % 2 else 22), 1.9 * _CELL, css="label over")
        for j, column in enumerate(columns)  # in two rows, as neighbours would touch
    ]
    for i, row in enumerate(rows):
        y = _TOP + _HEIGHT * i
        body.append(label(row, _LEFT - 8, y + 20, _LEFT - 8))
        for j, column in enumerate(columns):
            if (cell := cells.get((row, column))) is not None:
                body += _cell(cell, _LEFT + _CELL * j, y, most)
    width, height = _LEFT + _CELL * len(columns) + 40, _TOP + _HEIGHT * len(rows) + 8
    return figure(body, height, title, width=max(width, 240))


def _cell(cell: Cell, x: float, y: float, most: float) -> Iterator[str]:
    box = f'x="{x}" y="{y}" width="{_CELL - 2}" height="{_HEIGHT - 2}"'
    yield f"<g><title>{escape(cell.tip)}</title>"
    if cell.value is None:
        yield f'<rect class="undefined" {box}/><path class="hatch" d="{_hatch(x, y)}"/>'
    else:
        css = "higher" if cell.value > 0 else "lower"
        yield f'<rect class="cell" {box}/>'
        if cell.value:
            yield f'<rect class="{css}" {box} fill-opacity="{_STRONGEST * abs(cell.value) / most:.2f}"/>'
    yield f'<text class="in" x="{x + (_CELL - 2) / 2:g}" y="{y + 19}">{escape(cell.text)}</text></g>'


def _hatch(x: float, y: float) -> str:
    """Return slanted lines over a cell; a pattern would need an address, and a page may hold many figures."""
    width, height, gap = _CELL - 2, _HEIGHT - 2, 8
    lines = []
    for start in range(-height, width, gap):
        left, right = max(start, 0), min(start + height, width)
        lines.append(
            f"M{x + left:g} {y + height - (left - start):g}L{x + right:g} {y + height - (right - start):g}"
        )
    return "".join(lines)
