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
        make: Makes the object from the values of a column: its rows, then its mark.
        rows: Number of rows, at most 3.
    """

    def __init__(self, make: Callable[..., _T], rows: int) -> None:
        self._made = _Made(make, rows + 1)

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
        values: list[NDArray[Any]] = [*columns.rows, marks]
        for row in values:
            codes = codes << np.uint64(_BITS) | row[used].astype(np.uint64)
        objects = list(map(self._made.__getitem__, codes.tolist()))
        return [objects[end - length : end] for end, length in zip(ends.tolist(), lengths.tolist(), strict=True)]


class _Made(dict[int, _T]):
    """Values of a column packed into one number -> its object, made when it is first asked for."""

    def __init__(self, make: Callable[..., _T], values: int) -> None:
        super().__init__()
        self._make, self._values = make, values

    def __missing__(self, code: int) -> _T:
        values = (code >> _BITS * place & (1 << _BITS) - 1 for place in reversed(range(self._values)))
        made = self[code] = self._make(*values)
        return made
