"""Edit distance under unit costs, 64 cells at a time, and what it says about alignments under other costs."""

# ruff: noqa: PLR0917 - compiled functions take no keyword arguments
from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pedkit.scoring.kernels.jit import kernel

_WORD = 64
_NONE, _ONE, _ALL = np.uint64(0), np.uint64(1), np.uint64(0xFFFFFFFFFFFFFFFF)
_TOP = np.uint64(_WORD - 1)


@kernel("b1(u2[::1], u2[::1], i8[:,::1])")
def without_cost(x: NDArray[np.uint16], y: NDArray[np.uint16], cost: NDArray[np.int64]) -> bool:
    """Return whether aligning each symbol with the one at its place costs nothing.

    That alignment is then the best, and the only one: any other has a gap, and gaps cost something.
    """
    if len(x) != len(y):
        return False
    for i in range(len(x)):  # noqa: SIM110 (numba compiles no generators)
        if cost[x[i], y[i]] != 0:
            return False
    return True


@kernel("i8(i8[::1])")
def longest(offsets: NDArray[np.int64]) -> int:
    """Return the length of the longest sequence."""
    found = 0
    for k in range(len(offsets) - 1):
        found = max(found, offsets[k + 1] - offsets[k])
    return found


@kernel("Tuple((u8[:,::1], u8[:,::1]))(i8, i8)")
def room(symbols: int, length: int) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """Return the room that `unit_distance` needs for first sequences of up to ``length``."""
    words = max(1, (length + _WORD - 1) // _WORD)
    return np.zeros((symbols, words), dtype=np.uint64), np.empty((words, 2), dtype=np.uint64)


@kernel("i8(u2[::1], u2[::1], i8[:,::1], u8[:,::1], u8[:,::1])")
def unit_distance(
    x: NDArray[np.uint16],
    y: NDArray[np.uint16],
    cost: NDArray[np.int64],
    places: NDArray[np.uint64],
    vertical: NDArray[np.uint64],
) -> int:
    """Return the edit distance where equal symbols cost nothing and everything else 1.

    A column of the table of costs is held as the differences of its neighbouring cells, one bit each (Myers 1999,
    J. ACM 46:395-415; words chained and sequences compared as a whole as in Hyyrö 2003).

    Args:
        x: First sequence.
        y: Second sequence.
        cost: A symbol whose cost against itself is above 0 equals nothing.
        places: From `room`: where each symbol stands in ``x``; zeros, and left as zeros.
        vertical: From `room`: where costs rise and fall along ``x``.
    """
    if len(x) == 0:
        return len(y)
    for i in range(len(x)):
        if cost[x[i], x[i]] <= 0:
            places[x[i], i // _WORD] |= _ONE << np.uint64(i % _WORD)
    words = (len(x) + _WORD - 1) // _WORD
    end = np.uint64((len(x) - 1) % _WORD)
    vertical[:words, 0], vertical[:words, 1] = _ALL, _NONE
    distance = len(x)
    for j in range(len(y)):
        rising, falling = _ONE, _NONE  # the row above the table counts insertions
        for word in range(words):
            up, down, equal = vertical[word, 0], vertical[word, 1], places[y[j], word]
            diagonal = equal | down
            equal |= falling
            zero = (((equal & up) + up) ^ up) | equal
            rise, fall = down | ~(zero | up), up & zero
            top = end if word == words - 1 else _TOP
            left_rise, left_fall = (rise << _ONE) | rising, (fall << _ONE) | falling
            rising, falling = (rise >> top) & _ONE, (fall >> top) & _ONE
            vertical[word, 0], vertical[word, 1] = left_fall | ~(diagonal | left_rise), left_rise & diagonal
        distance += int(np.int64(rising) - np.int64(falling))
    for i in range(len(x)):
        places[x[i], i // _WORD] = _NONE
    return distance


@kernel("UniTuple(i8, 2)(i8, i8, i8)")
def band(x_length: int, y_length: int, distance: int) -> tuple[int, int]:
    """Return ``behind`` and ``ahead``: a best alignment at ``x[:i], y[:j]`` has -behind <= j - i <= ahead.

    An alignment through a cell outside has more gaps than the unit distance. Where a pair never costs more than a
    gap, that is more than the alignment of the unit distance costs.
    """
    longer = y_length - x_length
    half = (distance - abs(longer)) // 2
    return half + max(0, -longer), half + max(0, longer)


@kernel("void(u2[::1], i8[::1], u2[::1], i8[::1], i8[:,::1], i8[::1])")
def edit_distances(
    a: NDArray[np.uint16],
    a_offsets: NDArray[np.int64],
    b: NDArray[np.uint16],
    b_offsets: NDArray[np.int64],
    mismatch: NDArray[np.int64],
    out: NDArray[np.int64],
) -> None:
    """Write the edit distance of each utterance to ``out``.

    Args:
        a: Ids of the first sequences.
        a_offsets: Shape (utterances + 1,).
        b: Ids of the second sequences.
        b_offsets: Shape (utterances + 1,).
        mismatch: 1 where two symbols differ, shape (symbols, symbols).
        out: Written, shape (utterances,).
    """
    places, vertical = room(len(mismatch), longest(a_offsets))
    for k in range(len(out)):
        x, y = a[a_offsets[k] : a_offsets[k + 1]], b[b_offsets[k] : b_offsets[k + 1]]
        out[k] = unit_distance(x, y, mismatch, places, vertical)
