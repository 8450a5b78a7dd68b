"""The columns of a batch as objects; the same few thousand come again and again, so each is made once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from pedkit.scoring.columns import Columns

_T = TypeVar("_T")
_BITS = 16


class Distinct(Generic[_T]):
    """Makes one object a distinct column, and lists of them.

    Args:
        make: Makes the object from the values of a column, rows first, marks last.
    """

    def __init__(self, make: Callable[..., _T]) -> None:
        self._make = make
        self._made: dict[int, _T] = {}

    def of(self, columns: Columns, marks: NDArray[np.uint8]) -> list[list[_T]]:
        """Return the objects of each utterance.

        Args:
            columns: Columns of a batch.
            marks: One more value a column: its outcome or class.
        """
        lengths = columns.ends - columns.starts
        ends = np.cumsum(lengths)
        used = np.arange(int(lengths.sum())) + np.repeat(columns.starts - ends + lengths, lengths)
        codes = np.zeros(len(used), dtype=np.uint64)
        rows: list[NDArray[Any]] = [*columns.rows, marks]
        for row in rows:
            codes = codes << np.uint64(_BITS) | row[used].astype(np.uint64)
        found, inverse = np.unique(codes, return_inverse=True)
        distinct = [self._object(code, len(rows)) for code in found.tolist()]
        objects = [distinct[place] for place in inverse.tolist()]
        return [objects[end - length : end] for end, length in zip(ends.tolist(), lengths.tolist(), strict=True)]

    def _object(self, code: int, rows: int) -> _T:
        made = self._made.get(code)
        if made is None:
            values = [code >> _BITS * k & (1 << _BITS) - 1 for k in reversed(range(rows))]
            made = self._made[code] = self._make(*values)
        return made
