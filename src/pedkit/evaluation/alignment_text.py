"""Alignments as lines of a table and as text, a million columns a second.

The same columns come again and again, so the text of each is made once; compiled loops copy it into the lines of a
whole batch.
"""

from __future__ import annotations

import csv
import io
from array import array
from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate, pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pedkit.phones import GAP
from pedkit.report.text_view import stacked
from pedkit.scoring import Alignment, Column, Pair
from pedkit.scoring.distinct import Distinct, Numbered
from pedkit.scoring.views import BatchViews

ALIGNMENT_COLUMNS = ("system", "id", "view", "column", "canonical", "realized", "predicted", "outcome", "type")

_GRID_LABELS = ("canonical  ", "realized   ", "predicted  ", "outcome    ")
_PAIR_LABELS = ("reference  ", "predicted  ", "error      ")

View = tuple[str, tuple[str, ...]]
"""Text of one column: its CSV cells, and its phones and outcome padded to one width."""


class AlignmentText:
    """Writes alignments of one evaluation.

    Args:
        on_realized: True where predictions are compared with the realized phones, False with the canonical ones.
    """

    def __init__(self, *, on_realized: bool = True) -> None:
        self._pair_view = _realized_pair_view if on_realized else _canonical_pair_view
        self._texts: dict[Distinct[Any], _ColumnTexts] = {}
        self._counters = _Pieces()
        self._batches: dict[BatchViews, _BatchText] = {}

    def of(self, system: str, alignment: Alignment) -> tuple[str, str]:
        """Return the lines of ``alignment.csv`` and the block of ``alignment.txt`` of one utterance.

        The view ``grid`` is the three-row grid of detection, where it is defined; the view ``pair`` is reference
        against prediction (PER and confusions).
        """
        views, k = alignment.place
        text = self._batches.get(views) or self._written(system, views)
        if k + 1 < len(text.pair_rows):
            self._batches[views] = text
        else:  # the last one of the batch
            self._batches.pop(views, None)
        rows = text.grid_rows[k] if alignment.judged else text.pair_rows[k]
        return text.grid_lines[k] + text.pair_lines[k], f"{system} | {alignment.id}\n{rows}\n"

    def _written(self, system: str, views: BatchViews) -> _BatchText:
        ids = [csv_line((system, item.id)) for item in views.batch.encoded.items]
        return _BatchText(
            *self._view(ids, "grid", views.grid, _grid_view, _GRID_LABELS),
            *self._view(ids, "pair", views.unit_pairs, self._pair_view, _PAIR_LABELS),
        )

    def _view(
        self, ids: list[str], name: str, columns: Numbered[Any], make: Callable[[Any], View], labels: Sequence[str]
    ) -> tuple[list[str], list[str]]:
        """Return lines and rows of each utterance."""
        from pedkit.scoring.kernels.text import stacked_rows, table_lines

        texts = self._texts.setdefault(columns.distinct, _ColumnTexts(make))
        texts.extend(columns.distinct.objects)
        most = int(np.diff(columns.offsets).max(initial=0))
        self._counters.extend(f",{k}," for k in range(len(self._counters), most))
        starts, names = _Pieces(f"{cells},{name}" for cells in ids), _Pieces(labels)
        where = columns.numbers, columns.offsets
        lines = table_lines(*starts.arrays(), *self._counters.arrays(), *texts.cells.arrays(), *where)
        return _split(*lines), _split(*stacked_rows(*names.arrays(), *texts.rows.arrays(), *where))


class _BatchText(NamedTuple):
    """Lines and rows of each utterance of a batch; those of the grid are empty where it is not judged."""

    grid_lines: list[str]
    grid_rows: list[str]
    pair_lines: list[str]
    pair_rows: list[str]


class _Pieces:
    """Texts one behind the other, as the kernels read them."""

    def __init__(self, texts: Iterable[str] = ()) -> None:
        self._bytes, self._offsets = bytearray(), array("q", (0,))
        self.extend(texts)

    def __len__(self) -> int:
        return len(self._offsets) - 1

    def extend(self, texts: Iterable[str]) -> None:
        """Add texts at the end."""
        encoded = [text.encode() for text in texts]
        ends = accumulate(map(len, encoded), initial=len(self._bytes))
        next(ends)
        self._offsets.extend(ends)
        self._bytes += b"".join(encoded)

    def arrays(self) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
        """Return the bytes and the offsets; both must be let go before more is added."""
        return np.frombuffer(self._bytes, dtype=np.uint8), np.frombuffer(self._offsets, dtype=np.int64)


class _ColumnTexts:
    """Text of every distinct column."""

    def __init__(self, make: Callable[[Any], View]) -> None:
        self._make, self._known = make, 0
        self.cells, self.rows = _Pieces(), _Pieces()

    def extend(self, columns: Sequence[Any]) -> None:
        """Take in the columns behind those that are known already."""
        views = list(map(self._make, columns[self._known :]))
        self.cells.extend(cells for cells, _ in views)
        self.rows.extend(row for _, rows in views for row in rows)
        self._known = len(columns)


def _split(text: NDArray[np.uint8], offsets: NDArray[np.int64]) -> list[str]:
    whole, places = text.tobytes(), offsets.tolist()
    return [whole[start:end].decode() for start, end in pairwise(places)]


def csv_line(cells: Sequence[str | None]) -> str:
    """Return two or more cells as one CSV line without its end; ``None`` is blank."""
    line = ",".join([cell or "" for cell in cells])
    if line.count(",") == len(cells) - 1 and '"' not in line and line.isprintable():
        return line  # nothing to be quoted
    buffer = io.StringIO()
    csv.writer(buffer, lineterminator="").writerow(cells)
    return buffer.getvalue()


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
