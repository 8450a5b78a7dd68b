"""Alignment of two sequences under any integer cost, with fixed tie rules.

Sequences of many utterances lie one after the other in one array of symbol ids (uint16; 0 is the gap); utterance k
is ``offsets[k]:offsets[k + 1]``. Ids are unsigned so that a look-up needs no check for negative indices.
"""

# ruff: noqa: PLR0917 - compiled functions take no keyword arguments
from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pedkit.scoring.kernels.distance import band, longest, room, unit_distance, without_cost
from pedkit.scoring.kernels.jit import kernel

NEVER = 1 << 62
"""Cost of a cell outside the band: more than any alignment, and one step more still fits."""


@kernel("void(u2[::1], u2[::1], i8[:,::1], i8, i8, i8, i8[:,::1])")
def _fill_costs(
    x: NDArray[np.uint16],
    y: NDArray[np.uint16],
    key: NDArray[np.int64],
    gap_key: int,
    behind: int,
    ahead: int,
    cost: NDArray[np.int64],
) -> None:
    """Write the cost of ``x[:i], y[:j]`` to each cell of the band, and `NEVER` to the cells at its edges."""
    above = cost[0]
    for j in range(min(ahead, len(y)) + 1):
        above[j] = j * gap_key
    if ahead < len(y):
        above[ahead + 1] = NEVER
    for i in range(1, len(x) + 1):
        first, last = max(0, i - behind), min(len(y), i + ahead)
        pair_keys, row = key[x[i - 1]], cost[i]
        if first == 0:
            left = row[0] = above[0] + gap_key
        else:
            left = row[first - 1] = NEVER
        for j in range(max(1, first), last + 1):
            left = min(above[j - 1] + pair_keys[y[j - 1]], above[j] + gap_key, left + gap_key)
            row[j] = left
        if last < len(y):
            row[last + 1] = NEVER
        above = row


@kernel("void(u2[::1], i8[::1], u2[::1], i8[::1], i8[:,::1], i8, u2[::1], u2[::1], i8[::1])")
def align_pairs(
    a: NDArray[np.uint16],
    a_offsets: NDArray[np.int64],
    b: NDArray[np.uint16],
    b_offsets: NDArray[np.int64],
    key: NDArray[np.int64],
    gap_key: int,
    out_a: NDArray[np.uint16],
    out_b: NDArray[np.uint16],
    starts: NDArray[np.int64],
) -> None:
    """Align utterance k of ``a`` with utterance k of ``b``, for every k.

    The alignment has the least sum of keys: ``key[x, y]`` for an aligned pair, ``gap_key`` for a deletion or an
    insertion. Remaining ties: traced back from the end, aligned pair > deletion > insertion.

    Columns end where the slot of the utterance ends, at ``a_offsets[k + 1] + b_offsets[k + 1]``.

    Args:
        a: Ids of the first sequences.
        a_offsets: Shape (utterances + 1,).
        b: Ids of the second sequences.
        b_offsets: Shape (utterances + 1,).
        key: Packed lexicographic keys, shape (symbols, symbols); the first of them is never above a gap's.
        gap_key: Key of a deletion or an insertion.
        out_a: Written: first row of the columns, shape (len(a) + len(b),).
        out_b: Written: second row of the columns.
        starts: Written: first column of each utterance, shape (utterances,).
    """
    # The table of costs is kept and the way back finds the moves again: half the time of storing moves.
    longest_a, longest_b = longest(a_offsets), longest(b_offsets)
    cost = np.empty((longest_a + 1, longest_b + 1), dtype=np.int64)
    places, vertical = room(len(key), longest_a)
    for k in range(len(starts)):
        x, y = a[a_offsets[k] : a_offsets[k + 1]], b[b_offsets[k] : b_offsets[k + 1]]
        end = a_offsets[k + 1] + b_offsets[k + 1]
        if without_cost(x, y, key):
            starts[k] = end - len(x)
            out_a[starts[k] : end], out_b[starts[k] : end] = x, y
            continue
        behind, ahead = band(len(x), len(y), unit_distance(x, y, key, places, vertical))
        _fill_costs(x, y, key, gap_key, behind, ahead, cost)
        i, j = len(x), len(y)
        while i > 0 or j > 0:
            end -= 1
            out_a[end] = out_b[end] = 0
            here = cost[i, j]
            paired = i > 0 and j > 0 and here == cost[i - 1, j - 1] + key[x[i - 1], y[j - 1]]
            deleted = not paired and i > 0 and here == cost[i - 1, j] + gap_key
            if paired or deleted:
                i -= 1
                out_a[end] = x[i]
            if not deleted:
                j -= 1
                out_b[end] = y[j]
        starts[k] = end


@kernel("void(u2[::1], i8[::1], u2[::1], i8[::1], i8[:,::1], i8, i8[::1])")
def edit_costs(
    a: NDArray[np.uint16],
    a_offsets: NDArray[np.int64],
    b: NDArray[np.uint16],
    b_offsets: NDArray[np.int64],
    cost: NDArray[np.int64],
    gap: int,
    out: NDArray[np.int64],
) -> None:
    """Write the least edit cost of each utterance to ``out``, without an alignment.

    Args:
        a: Ids of the first sequences.
        a_offsets: Shape (utterances + 1,).
        b: Ids of the second sequences.
        b_offsets: Shape (utterances + 1,).
        cost: Cost of a pair, never above ``gap``, shape (symbols, symbols).
        gap: Cost of a deletion or an insertion.
        out: Written, shape (utterances,).
    """
    best = np.empty(longest(b_offsets) + 1, dtype=np.int64)
    places, vertical = room(len(cost), longest(a_offsets))
    for k in range(len(out)):
        x, y = a[a_offsets[k] : a_offsets[k + 1]], b[b_offsets[k] : b_offsets[k + 1]]
        if without_cost(x, y, cost):
            out[k] = 0
            continue
        behind, ahead = band(len(x), len(y), unit_distance(x, y, cost, places, vertical))
        for j in range(len(y) + 1):
            best[j] = j * gap if j <= ahead else NEVER
        for i in range(1, len(x) + 1):
            first, last = max(1, i - behind), min(len(y), i + ahead)
            pair_costs = cost[x[i - 1]]
            diagonal = best[first - 1]
            left = best[first - 1] = i * gap if i <= behind else NEVER
            for j in range(first, last + 1):
                above = best[j]
                left = min(diagonal + pair_costs[y[j - 1]], above + gap, left + gap)
                best[j] = left
                diagonal = above
        out[k] = best[len(y)]


@kernel("void(u2[::1], u2[::1], i8[::1], i8[::1], u1[:,::1], i8[:,::1])")
def count_classes(
    out_a: NDArray[np.uint16],
    out_b: NDArray[np.uint16],
    starts: NDArray[np.int64],
    ends: NDArray[np.int64],
    classes: NDArray[np.uint8],
    counts: NDArray[np.int64],
) -> None:
    """Count the columns of each class.

    Args:
        out_a: First row of the columns of `align_pairs`.
        out_b: Second row.
        starts: First column of each utterance.
        ends: One past the last column of each utterance.
        classes: Class of a column, shape (symbols, symbols); row and column 0 stand for the gap.
        counts: Added to, shape (utterances, classes).
    """
    for k in range(len(starts)):
        for column in range(starts[k], ends[k]):
            counts[k, classes[out_a[column], out_b[column]]] += 1
