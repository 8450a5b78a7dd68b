"""The columns of a batch as objects; the same few thousand come again and again, so each is made once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from pedkit.scoring.columns import Columns

_T = TypeVar("_T")
_BITS = 16


class Distinct(Generic[_T]):
    """Makes one object a distinct column and numbers them as they come.

    Args:
        make: Makes the object from the values of a column: its rows, then its mark.
        rows: Number of rows, at most 3.

    Attributes:
        objects: Every distinct column met so far.
    """

    def __init__(self, make: Callable[..., _T], rows: int) -> None:
        self.objects: list[_T] = []
        self._numbers = _Numbers(self.objects, make, rows + 1)

    def of(self, columns: Columns, marks: NDArray[np.uint8]) -> Numbered[_T]:
        """Return the columns of a batch by number.

        Args:
            columns: Columns of a batch.
            marks: One more value a column: its outcome or class.
        """
        lengths = columns.ends - columns.starts
        offsets = np.zeros(len(lengths) + 1, dtype=np.int64)
        np.cumsum(lengths, out=offsets[1:])
        used = np.arange(offsets[-1]) + np.repeat(columns.starts - offsets[:-1], lengths)
        codes = np.zeros(len(used), dtype=np.uint64)
        values: list[NDArray[Any]] = [*columns.rows, marks]
        for row in values:
            codes = codes << np.uint64(_BITS) | row[used].astype(np.uint64)
        found = map(self._numbers.__getitem__, codes.tolist())
        return Numbered(self, np.fromiter(found, dtype=np.int64, count=len(codes)), offsets)


@dataclass(frozen=True, slots=True)
class Numbered(Generic[_T]):
    """The columns of a batch by number.

    Attributes:
        distinct: What the numbers mean.
        numbers: Place in ``distinct.objects``, shape (columns,).
        offsets: Columns of utterance k are ``numbers[offsets[k]:offsets[k + 1]]``.
    """

    distinct: Distinct[_T]
    numbers: NDArray[np.int64]
    offsets: NDArray[np.int64]

    def of(self, k: int) -> list[_T]:
        """Return the columns of one utterance."""
        numbers = self.numbers[self.offsets[k] : self.offsets[k + 1]]
        return [self.distinct.objects[number] for number in numbers.tolist()]


class _Numbers(dict[int, int]):
    """Values of a column packed into one integer -> its number; the object is made when a column is first met."""

    def __init__(self, objects: list[Any], make: Callable[..., Any], values: int) -> None:
        super().__init__()
        self._objects, self._make, self._values = objects, make, values

    def __missing__(self, code: int) -> int:
        values = (code >> _BITS * place & (1 << _BITS) - 1 for place in reversed(range(self._values)))
        number = self[code] = len(self._objects)
        self._objects.append(self._make(*values))
        return number
