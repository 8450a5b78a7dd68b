"""Lines of a table and rows of stacked text, put together from pieces that are bytes of UTF-8.

Piece n of a collection is ``text[offsets[n]:offsets[n + 1]]``.
"""

# ruff: noqa: PLR0917 - compiled functions take no keyword arguments
from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pedkit.scoring.kernels.jit import kernel

_BLANK, _NEWLINE = ord(" "), ord("\n")


@kernel("i8(u1[::1], i8, u1[::1], i8[::1], i8)")
def _put(
    out: NDArray[np.uint8], place: int, text: NDArray[np.uint8], offsets: NDArray[np.int64], piece: int
) -> int:
    """Write a piece at a place and return the place behind it."""
    for k in range(offsets[piece], offsets[piece + 1]):
        out[place] = text[k]
        place += 1
    return place


@kernel("Tuple((u1[::1], i8[::1]))(u1[::1], i8[::1], u1[::1], i8[::1], u1[::1], i8[::1], i8[::1], i8[::1])")
def table_lines(
    starts: NDArray[np.uint8],
    start_offsets: NDArray[np.int64],
    counters: NDArray[np.uint8],
    counter_offsets: NDArray[np.int64],
    cells: NDArray[np.uint8],
    cell_offsets: NDArray[np.int64],
    numbers: NDArray[np.int64],
    offsets: NDArray[np.int64],
) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Return one line a column: start of the utterance, counter of the column, cells of the column.

    Args:
        starts: A piece an utterance.
        start_offsets: Its offsets.
        counters: A piece for each place in an utterance.
        counter_offsets: Its offsets.
        cells: A piece for each distinct column.
        cell_offsets: Its offsets.
        numbers: Which distinct column each column is, shape (columns,).
        offsets: Columns of utterance k are ``offsets[k]:offsets[k + 1]``.

    Returns:
        The lines, and their offsets: one piece an utterance.
    """
    ends = np.zeros_like(offsets)
    size = 0
    for k in range(len(offsets) - 1):
        columns = offsets[k + 1] - offsets[k]
        size += columns * (start_offsets[k + 1] - start_offsets[k] + 1) + counter_offsets[columns]
        for column in range(offsets[k], offsets[k + 1]):
            size += cell_offsets[numbers[column] + 1] - cell_offsets[numbers[column]]
        ends[k + 1] = size
    out = np.empty(size, dtype=np.uint8)
    place = 0
    for k in range(len(offsets) - 1):
        for column in range(offsets[k], offsets[k + 1]):
            place = _put(out, place, starts, start_offsets, k)
            place = _put(out, place, counters, counter_offsets, column - offsets[k])
            place = _put(out, place, cells, cell_offsets, numbers[column])
            out[place] = _NEWLINE
            place += 1
    return out, ends


@kernel("Tuple((u1[::1], i8[::1]))(u1[::1], i8[::1], u1[::1], i8[::1], i8[::1], i8[::1])")
def stacked_rows(
    labels: NDArray[np.uint8],
    label_offsets: NDArray[np.int64],
    cells: NDArray[np.uint8],
    cell_offsets: NDArray[np.int64],
    numbers: NDArray[np.int64],
    offsets: NDArray[np.int64],
) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Return the rows of each utterance with a blank between columns and none at the end of a row.

    Args:
        labels: A piece a row.
        label_offsets: Its offsets.
        cells: A piece for each row of each distinct column, column by column.
        cell_offsets: Its offsets.
        numbers: Which distinct column each column is, shape (columns,).
        offsets: Columns of utterance k are ``offsets[k]:offsets[k + 1]``; without columns there are no rows.

    Returns:
        The rows, and their offsets: one piece an utterance.
    """
    rows = len(label_offsets) - 1
    size = (label_offsets[rows] + rows) * (len(offsets) - 1)
    for number in numbers:
        size += cell_offsets[(number + 1) * rows] - cell_offsets[number * rows] + rows
    out = np.empty(size, dtype=np.uint8)
    ends = np.zeros_like(offsets)
    place = 0
    for k in range(len(offsets) - 1):
        for row in range(rows if offsets[k + 1] > offsets[k] else 0):
            place = _put(out, place, labels, label_offsets, row)
            for column in range(offsets[k], offsets[k + 1]):
                place = _put(out, place, cells, cell_offsets, numbers[column] * rows + row)
                out[place] = _BLANK
                place += 1
            while out[place - 1] == _BLANK:
                place -= 1
            out[place] = _NEWLINE
            place += 1
        ends[k + 1] = place
    return out[:place], ends
