"""Columns of a batch, and the calls into the kernels that make and measure them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pedkit.scoring.costs import CLASSES
from pedkit.scoring.symbols import Sequences

_Ids = NDArray[np.uint16]


@dataclass(frozen=True, slots=True)
class Columns:
    """Alignment columns of a batch: rows of symbol ids (0 is the gap), utterance k at ``starts[k]:ends[k]``.

    Places between utterances hold 0.
    """

    rows: tuple[_Ids, ...]
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]

    def of(self, k: int) -> tuple[_Ids, ...]:
        """Return the rows of one utterance."""
        return tuple(row[self.starts[k] : self.ends[k]] for row in self.rows)


def align(a: Sequences, b: Sequences, key: NDArray[np.int64], gap_key: int) -> Columns:
    """Align each utterance of ``a`` with the same utterance of ``b`` under a packed key (`kernels.pair`)."""
    from pedkit.scoring.kernels.pair import align_pairs

    rows = np.zeros(len(a.ids) + len(b.ids), dtype=np.uint16), np.zeros(len(a.ids) + len(b.ids), dtype=np.uint16)
    starts = np.empty(len(a.offsets) - 1, dtype=np.int64)
    align_pairs(*a, *b, key, gap_key, *rows, starts)
    return Columns(rows, starts, a.offsets[1:] + b.offsets[1:])


def distances(a: Sequences, b: Sequences, cost: NDArray[np.int64], gap: int) -> NDArray[np.int64]:
    """Return the least edit cost of each utterance, shape (utterances,)."""
    from pedkit.scoring.kernels.pair import edit_costs

    out = np.empty(len(a.offsets) - 1, dtype=np.int64)
    edit_costs(*a, *b, cost, gap, out)
    return out


def edit_distances(a: Sequences, b: Sequences, mismatch: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the edit distance of each utterance under unit costs, shape (utterances,)."""
    from pedkit.scoring.kernels import distance

    out = np.empty(len(a.offsets) - 1, dtype=np.int64)
    distance.edit_distances(*a, *b, mismatch, out)
    return out


def classes(columns: Columns, table: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Return the number of columns of each class, shape (utterances, ``costs.CLASSES``)."""
    from pedkit.scoring.kernels.pair import count_classes

    out = np.zeros((len(columns.starts), CLASSES), dtype=np.int64)
    count_classes(columns.rows[0], columns.rows[1], columns.starts, columns.ends, table, out)
    return out
