"""Alignments as lines of a table and as text, a hundred thousand columns a second.

The same columns come again and again, so the text of each is made once, and lines are put together by the few
functions of Python that loop in C.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Sequence
from operator import add, itemgetter
from typing import TypeVar

from pedkit.evaluation.result import ScoredUtterance
from pedkit.phones import GAP
from pedkit.report.text_view import stacked
from pedkit.scoring import Column, Pair

ALIGNMENT_COLUMNS = ("system", "id", "view", "column", "canonical", "realized", "predicted", "outcome", "type")

_GRID_LABELS = ("canonical", "realized ", "predicted", "outcome  ")
_PAIR_LABELS = ("reference", "predicted", "error    ")
_cells, _stack = itemgetter(0), itemgetter(1)
_numbers: list[str] = []

View = tuple[str, tuple[str, ...]]
"""Text of one column: its CSV cells, and its phones and outcome padded to one width."""

_T = TypeVar("_T")


class _Views(dict[_T, View]):
    """Column -> its text, made when the column is first met."""

    def __init__(self, make: Callable[[_T], View]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, column: _T) -> View:
        view = self[column] = self._make(column)
        return view


class AlignmentText:
    """Writes alignments of one evaluation.

    Args:
        on_realized: True where predictions are compared with the realized phones, False with the canonical ones.
    """

    def __init__(self, *, on_realized: bool = True) -> None:
        self._grid_views = _Views(_grid_view)
        self._pair_views = _Views(_realized_pair_view if on_realized else _canonical_pair_view)

    def of(self, system: str, scored: ScoredUtterance) -> tuple[str, str]:
        """Return the lines of ``alignment.csv`` and the block of ``alignment.txt`` of one utterance.

        The view ``grid`` is the three-row grid of detection, where it is defined; the view ``pair`` is reference
        against prediction (PER and confusions).
        """
        name = scored.item.id
        pairs = list(map(self._pair_views.__getitem__, scored.pairs))
        lines = _lines(csv_line((system, name, "pair")), list(map(_cells, pairs)))
        labels: tuple[str, ...] = _PAIR_LABELS
        views = pairs
        if scored.alignment.judged:
            labels, views = _GRID_LABELS, list(map(self._grid_views.__getitem__, scored.columns))
            lines = _lines(csv_line((system, name, "grid")), list(map(_cells, views))) + lines
        rows = map(" ".join, zip(*map(_stack, views), strict=True))
        text = [f"{label}  {row}".rstrip() for label, row in zip(labels, rows, strict=False)]
        return lines, "\n".join([f"{system} | {name}", *text, "", ""])


def csv_line(cells: Sequence[str | None]) -> str:
    """Return two or more cells as one CSV line without its end; ``None`` is blank."""
    line = ",".join([cell or "" for cell in cells])
    if line.count(",") == len(cells) - 1 and '"' not in line and line.isprintable():
        return line  # nothing to be quoted
    buffer = io.StringIO()
    csv.writer(buffer, lineterminator="").writerow(cells)
    return buffer.getvalue()


def _lines(start: str, cells: Sequence[str]) -> str:
    """Return one line a column: ``start``, the number of the column, its cells."""
    _numbers.extend(f",{k}," for k in range(len(_numbers), len(cells)))
    return start + f"\n{start}".join(map(add, _numbers, cells)) + "\n" if cells else ""


def _grid_view(column: Column) -> View:
    phones = [GAP if phone is None else phone for phone in column[:3]]
    cells = csv_line((*phones, column.outcome, column.type))
    return cells, stacked((*phones, column.outcome or ""))


def _realized_pair_view(pair: Pair) -> View:
    return csv_line(("", pair.reference or GAP, pair.predicted or GAP, "", pair.type)), _pair_stack(pair)


def _canonical_pair_view(pair: Pair) -> View:
    return csv_line((pair.reference or GAP, "", pair.predicted or GAP, "", pair.type)), _pair_stack(pair)


def _pair_stack(pair: Pair) -> tuple[str, ...]:
    return stacked((pair.reference, pair.predicted, pair.type or ""))
