"""Placement of the predicted phones on the grid of canonical and realized phones (docs/scoring.md, "The grid")."""

# ruff: noqa: PLR0917 - compiled functions take no keyword arguments
from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pedkit.scoring.kernels.distance import band, longest
from pedkit.scoring.kernels.jit import kernel
from pedkit.scoring.kernels.pair import NEVER

_OCCUPIED, _SKIPPED, _SPURIOUS = 0, 1, 2
# Two packed integers hold the five keys: 32 bits each for X and Y, then 21 bits each for spurious, DE and penalty.
_X = 1 << 32
_SPURIOUS_UNIT = 1 << 42
_DE_UNIT = 1 << 21


@kernel("void(u2[::1], u2[::1], u2[::1], i8[:,::1], i8[:,::1], u1[::1], i8, i8, i8, i8[::1], i8[::1], u1[:,::1])")
def _fill_moves(
    grid_c: NDArray[np.uint16],
    grid_u: NDArray[np.uint16],
    y: NDArray[np.uint16],
    mismatch: NDArray[np.int64],
    penalty: NDArray[np.int64],
    unusable: NDArray[np.uint8],
    aware: int,
    behind: int,
    ahead: int,
    high: NDArray[np.int64],
    low: NDArray[np.int64],
    moves: NDArray[np.uint8],
) -> None:
    """Fill the table of best moves of one utterance; ``high`` and ``low`` are room for a row of keys.

    Only cells are looked at whose number of predicted phones is near that of the canonical ones, as `band` says of
    the two: all others lead to more columns with p != c.
    """
    spurious_high, spurious_low = _X + aware, aware * _SPURIOUS_UNIT
    for j in range(len(y) + 1):
        high[j], low[j] = j * spurious_high if j <= ahead else NEVER, j * spurious_low
    asked = 0
    for i in range(len(grid_c)):
        c, u = grid_c[i], grid_u[i]
        not_c, not_u, clash = mismatch[c], mismatch[u], penalty[c if c != 0 else u]
        de_unit = 0 if unusable[u] else aware * mismatch[c, u] * _DE_UNIT
        skip_high = not_c[0] * _X + not_u[0] * aware
        skip_low = not_c[0] * not_u[0] * de_unit
        asked += 1 if c != 0 else 0
        first, last = max(0, asked - behind - 1), min(len(y), asked + ahead)
        diagonal_high, diagonal_low = high[first], low[first]
        if asked <= behind:
            high[0], low[0] = diagonal_high + skip_high, diagonal_low + skip_low
        else:
            high[first] = NEVER
        left_high, left_low = high[first], low[first]
        row = moves[i + 1]
        for j in range(first, last):
            p = y[j]
            above_high, above_low = high[j + 1], low[j + 1]
            best_high = diagonal_high + not_c[p] * _X + not_u[p] * aware
            best_low = diagonal_low + not_c[p] * not_u[p] * de_unit + clash[p]
            # "&" and "|", not "and" and "or": a branch that cannot be predicted costs more than it saves.
            new_high, new_low = above_high + skip_high, above_low + skip_low
            skipped = (new_high < best_high) | ((new_high == best_high) & (new_low < best_low))
            best_high, best_low = (new_high, new_low) if skipped else (best_high, best_low)
            new_high, new_low = left_high + spurious_high, left_low + spurious_low
            spurious = (new_high < best_high) | ((new_high == best_high) & (new_low < best_low))
            best_high, best_low = (new_high, new_low) if spurious else (best_high, best_low)
            row[j + 1] = _SPURIOUS if spurious else _SKIPPED if skipped else _OCCUPIED
            diagonal_high, diagonal_low = above_high, above_low
            left_high, left_low = best_high, best_low
            high[j + 1], low[j + 1] = best_high, best_low


@kernel("b1(u2[::1], u2[::1], i8[:,::1], u2[::1])")
def _place_on(
    row: NDArray[np.uint16], y: NDArray[np.uint16], mismatch: NDArray[np.int64], out_p: NDArray[np.uint16]
) -> bool:
    """Place each predicted phone on its equal in a row of the grid, where the two sequences are equal.

    Returns:
        Whether they are.
    """
    j = 0
    for i in range(len(row)):
        if row[i] != 0:
            if j == len(y) or mismatch[row[i], y[j]] != 0:
                return False
            out_p[i] = y[j]
            j += 1
        else:
            out_p[i] = 0
    return j == len(y)


@kernel("i8(u2[::1], u2[::1], i8[:,::1])")
def _error_columns(grid_c: NDArray[np.uint16], grid_u: NDArray[np.uint16], mismatch: NDArray[np.int64]) -> int:
    """Return the number of columns with u != c."""
    found = 0
    for i in range(len(grid_c)):
        found += mismatch[grid_c[i], grid_u[i]]
    return found


@kernel("i8(u2[::1], u2[::1], u2[::1], u1[:,::1], i8, u2[::1], u2[::1], u2[::1])")
def _trace_back(
    grid_c: NDArray[np.uint16],
    grid_u: NDArray[np.uint16],
    y: NDArray[np.uint16],
    moves: NDArray[np.uint8],
    end: int,
    out_c: NDArray[np.uint16],
    out_u: NDArray[np.uint16],
    out_p: NDArray[np.uint16],
) -> int:
    """Write the columns of the best placement so that they end at ``end``; return where they start."""
    i, j = len(grid_c), len(y)
    while i > 0 or j > 0:
        end -= 1
        out_c[end] = out_u[end] = out_p[end] = 0
        move = _SKIPPED if j == 0 else _SPURIOUS if i == 0 else moves[i, j]
        if move != _SPURIOUS:
            i -= 1
            out_c[end], out_u[end] = grid_c[i], grid_u[i]
        if move != _SKIPPED:
            j -= 1
            out_p[end] = y[j]
    return end


@kernel(
    "void(u2[::1], u2[::1], i8[::1], i8[::1], u2[::1], i8[::1], i8[:,::1], i8[:,::1], u1[::1], b1,"
    " i8[::1], u2[::1], u2[::1], u2[::1], i8[::1])"
)
def place_predicted(
    canonical: NDArray[np.uint16],
    realized: NDArray[np.uint16],
    starts: NDArray[np.int64],
    ends: NDArray[np.int64],
    predicted: NDArray[np.uint16],
    p_offsets: NDArray[np.int64],
    mismatch: NDArray[np.int64],
    penalty: NDArray[np.int64],
    unusable: NDArray[np.uint8],
    u_aware: bool,
    least: NDArray[np.int64],
    out_c: NDArray[np.uint16],
    out_u: NDArray[np.uint16],
    out_p: NDArray[np.uint16],
    out_starts: NDArray[np.int64],
) -> None:
    """Place each predicted phone on a column of the grid or in a new spurious column.

    The placement has the lexicographically least (columns with p != c; columns with p != u; spurious columns;
    DE columns; penalty of p with c, with u where c is a gap). Remaining ties: traced back from the end, occupied
    column > skipped column > spurious column.

    Args:
        canonical: First row of the grid's columns (0 is the gap).
        realized: Second row.
        starts: First column of each utterance's grid.
        ends: One past its last column.
        predicted: Ids of the predicted phones, one utterance after the other.
        p_offsets: Shape (utterances + 1,).
        mismatch: 1 where two symbols differ, shape (symbols, symbols); the gap equals itself.
        penalty: Fifth key of a pair of symbols, same shape; 0 for the gap.
        unusable: 1 for symbols that equal nothing, shape (symbols,).
        u_aware: False leaves out the keys 2 to 4.
        least: d(C, P), the least number of columns with p != c, shape (utterances,).
        out_c: Written: canonical row; columns end at ``ends[k] + p_offsets[k + 1]``.
        out_u: Written: realized row.
        out_p: Written: predicted row.
        out_starts: Written: first column of each utterance, shape (utterances,).
    """
    height = 1
    for k in range(len(starts)):
        height = max(height, ends[k] - starts[k] + 1)
    width = longest(p_offsets) + 1
    moves = np.empty((height, width), dtype=np.uint8)
    high, low = np.empty(width, dtype=np.int64), np.empty(width, dtype=np.int64)
    for k in range(len(starts)):
        grid_c, grid_u = canonical[starts[k] : ends[k]], realized[starts[k] : ends[k]]
        y = predicted[p_offsets[k] : p_offsets[k + 1]]
        end = ends[k] + p_offsets[k + 1]
        first = end - len(grid_c)
        # No other placement has no column with p != c, or as few of them and none with p != u.
        if _place_on(grid_c, y, mismatch, out_p[first:end]) or (
            u_aware
            and _error_columns(grid_c, grid_u, mismatch) == least[k]
            and _place_on(grid_u, y, mismatch, out_p[first:end])
        ):
            out_c[first:end], out_u[first:end] = grid_c, grid_u
            out_starts[k] = first
            continue
        behind, ahead = band(int(np.count_nonzero(grid_c)), len(y), least[k])
        aware = 1 if u_aware else 0
        _fill_moves(grid_c, grid_u, y, mismatch, penalty, unusable, aware, behind, ahead, high, low, moves)
        out_starts[k] = _trace_back(grid_c, grid_u, y, moves, end, out_c, out_u, out_p)
