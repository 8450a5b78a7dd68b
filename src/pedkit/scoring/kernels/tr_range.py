"""The fewest and the most true rejections over all alignments that are equally good."""

# ruff: noqa: PLR0917 - compiled functions take no keyword arguments
from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pedkit.scoring.kernels.jit import kernel

_NEVER = 1 << 28  # more than any count, and twice of it still fits into int32


@kernel("void(u2[::1], u2[::1], i8[:,::1], i4[:,::1], i4[:,::1])")
def _fill_costs(
    x: NDArray[np.uint16],
    y: NDArray[np.uint16],
    mismatch: NDArray[np.int64],
    before: NDArray[np.int32],
    after: NDArray[np.int32],
) -> None:
    """Write the edit cost of the starts ``x[:i], y[:j]`` and of the ends ``x[i:], y[j:]`` for every (i, j)."""
    n, m = len(x), len(y)
    for i in range(n + 1):
        for j in range(m + 1):
            best = 0 if i == 0 and j == 0 else n + m
            if i > 0:
                best = min(best, before[i - 1, j] + 1)
            if j > 0:
                best = min(best, before[i, j - 1] + 1)
            if i > 0 and j > 0:
                best = min(best, before[i - 1, j - 1] + mismatch[x[i - 1], y[j - 1]])
            before[i, j] = best
    for i in range(n, -1, -1):
        for j in range(m, -1, -1):
            best = 0 if i == n and j == m else n + m
            if i < n:
                best = min(best, after[i + 1, j] + 1)
            if j < m:
                best = min(best, after[i, j + 1] + 1)
            if i < n and j < m:
                best = min(best, after[i + 1, j + 1] + mismatch[x[i], y[j]])
            after[i, j] = best


@kernel(
    "void(u2[::1], u2[::1], u2[::1], u1[::1], i8[:,::1], i4[:,::1], i4[:,::1], i4[:,::1], i4[:,::1],"
    " i4[:,:,::1], i4[:,:,::1])"
)
def _fill_ranges(
    c: NDArray[np.uint16],
    u: NDArray[np.uint16],
    p: NDArray[np.uint16],
    flags: NDArray[np.uint8],
    mismatch: NDArray[np.int64],
    u_before: NDArray[np.int32],
    u_after: NDArray[np.int32],
    p_before: NDArray[np.int32],
    p_after: NDArray[np.int32],
    fewest: NDArray[np.int32],
    most: NDArray[np.int32],
) -> None:
    """Go through all grids whose two pairwise costs are least; layer i % 2 ends with the answer at [-1, -1].

    A step is one column of a grid. It is taken where it lies on a best alignment of canonical with realized and on
    one of canonical with predicted phones, so every way through is a best grid and every best grid is a way.
    """
    u_cost, p_cost = u_after[0, 0], p_after[0, 0]
    for i in range(len(c) + 1):
        here, above = i % 2, 1 - i % 2
        for j in range(len(u) + 1):
            u_best = u_before[i, j] + u_after[i, j] == u_cost
            u_alone = j > 0 and u_before[i, j - 1] + 1 + u_after[i, j] == u_cost
            for k in range(len(p) + 1):
                low, high = _NEVER, -_NEVER
                if i == 0 and j == 0 and k == 0:
                    low, high = 0, 0
                if u_best and p_before[i, k] + p_after[i, k] == p_cost:
                    p_alone = k > 0 and p_before[i, k - 1] + 1 + p_after[i, k] == p_cost
                    if u_alone:
                        low, high = min(low, fewest[here, j - 1, k]), max(high, most[here, j - 1, k])
                    if p_alone:
                        low, high = min(low, fewest[here, j, k - 1]), max(high, most[here, j, k - 1])
                    if u_alone and p_alone:  # an inserted phone, and the system heard something there
                        low = min(low, fewest[here, j - 1, k - 1] + 1)
                        high = max(high, most[here, j - 1, k - 1] + 1)
                    for a in range(2 if i > 0 and j > 0 else 1 if i > 0 else 0):  # 1: realized as something
                        u_wrong = mismatch[c[i - 1], u[j - 1]] if a else 1
                        if u_before[i - 1, j - a] + u_wrong + u_after[i, j] != u_cost:
                            continue
                        faulty = u_wrong | flags[i - 1]
                        for b in range(2 if k > 0 else 1):  # 1: heard as something
                            p_wrong = mismatch[c[i - 1], p[k - 1]] if b else 1
                            if p_before[i - 1, k - b] + p_wrong + p_after[i, k] == p_cost:
                                low = min(low, fewest[above, j - a, k - b] + (faulty & p_wrong))
                                high = max(high, most[above, j - a, k - b] + (faulty & p_wrong))
                fewest[here, j, k], most[here, j, k] = low, high


@kernel(
    "void(u2[::1], i8[::1], u2[::1], i8[::1], u2[::1], i8[::1], u1[::1], i8[:,::1], i8[::1], i8[::1])",
)
def true_rejection_ranges(
    canonical: NDArray[np.uint16],
    c_offsets: NDArray[np.int64],
    realized: NDArray[np.uint16],
    u_offsets: NDArray[np.int64],
    predicted: NDArray[np.uint16],
    p_offsets: NDArray[np.int64],
    flags: NDArray[np.uint8],
    mismatch: NDArray[np.int64],
    out_fewest: NDArray[np.int64],
    out_most: NDArray[np.int64],
) -> None:
    """Write the range of TR of each utterance.

    Args:
        canonical: Ids of the canonical phones, one utterance after the other.
        c_offsets: Shape (utterances + 1,).
        realized: Ids of the realized phones.
        u_offsets: Shape (utterances + 1,).
        predicted: Ids of the predicted phones.
        p_offsets: Shape (utterances + 1,).
        flags: 1 where the corpus marks a canonical phone as wrong.
        mismatch: 1 where two symbols differ, shape (symbols, symbols).
        out_fewest: Written, shape (utterances,).
        out_most: Written, shape (utterances,).
    """
    for k in range(len(out_fewest)):
        c = canonical[c_offsets[k] : c_offsets[k + 1]]
        u = realized[u_offsets[k] : u_offsets[k + 1]]
        p = predicted[p_offsets[k] : p_offsets[k + 1]]
        u_before = np.empty((len(c) + 1, len(u) + 1), dtype=np.int32)
        p_before = np.empty((len(c) + 1, len(p) + 1), dtype=np.int32)
        u_after, p_after = np.empty_like(u_before), np.empty_like(p_before)
        _fill_costs(c, u, mismatch, u_before, u_after)
        _fill_costs(c, p, mismatch, p_before, p_after)
        fewest = np.empty((2, len(u) + 1, len(p) + 1), dtype=np.int32)
        most = np.empty_like(fewest)
        marks = flags[c_offsets[k] : c_offsets[k + 1]]
        _fill_ranges(c, u, p, marks, mismatch, u_before, u_after, p_before, p_after, fewest, most)
        out_fewest[k] = fewest[len(c) % 2, len(u), len(p)]
        out_most[k] = most[len(c) % 2, len(u), len(p)]
