"""Permutation test of two groups of speakers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

MOST_EXACT = 60_000
"""Splits up to which all of them are looked at."""

DRAWS = 9_999
"""Random splits where there are more."""

_ROUNDING = 1e-9
_FLAT = 1e-14  # variances of squares of 1 that are rounding errors
_BLOCK = 2_000_000


@dataclass(frozen=True, slots=True)
class PermutationTest:
    """Result of a permutation test.

    Attributes:
        p: Two-sided p value; ``None`` where undefined.
        splits: How many splits of the speakers it rests on.
        exact: Whether those are all.
        reason: Why the test is undefined.
    """

    p: float | None
    splits: int | None = None
    exact: bool | None = None
    reason: str | None = None


def permutation_test(a: Floats, b: Floats, *, seed: int) -> PermutationTest:
    """Return the two-sided permutation test of Welch's t, one value a speaker.

    The statistic is studentised within each split: permuting the plain difference of means is wrong where
    variances and sizes are unequal (Janssen 1997, Statistics and Probability Letters 36:9-21). All splits are
    looked at up to `MOST_EXACT`; of more, `DRAWS` random ones, with p = (b + 1) / (B + 1).

    Args:
        a: Values of one group.
        b: Values of the other.
        seed: Seed of the random splits.
    """
    if min(len(a), len(b)) < 2:
        return PermutationTest(None, reason="a group has fewer than two speakers")
    values = np.concatenate([a, b])
    values = values - values.mean()
    scale = float(np.abs(values).max())
    original = np.arange(len(values)) < len(a)
    observed = _statistics(values, original[None, :].astype(float), scale)[0]
    if not np.isfinite(observed) or scale <= _ROUNDING * abs(float(np.concatenate([a, b]).mean())):
        return PermutationTest(None, reason="data are essentially constant")
    splits = comb(len(values), len(a))
    exact = splits <= MOST_EXACT
    extreme, number = 0, splits if exact else DRAWS
    for masks in _all_splits(len(values), len(a)) if exact else _random_splits(original, seed):
        extreme += int((_statistics(values, masks, scale) >= observed * (1 - _ROUNDING)).sum())
    return PermutationTest(extreme / splits if exact else (extreme + 1) / (DRAWS + 1), number, exact)


def _statistics(values: Floats, masks: Floats, scale: float) -> Floats:
    """Return the size of Welch's t for each row of ``masks``, which marks the first group with 1."""
    n = masks[0].sum()
    m = masks.shape[1] - n
    sums, squares = masks @ values, masks @ values**2
    rest, rest_squares = values.sum() - sums, (values**2).sum() - squares
    error = (squares - sums**2 / n) / (n * (n - 1)) + (rest_squares - rest**2 / m) / (m * (m - 1))
    difference = np.abs(sums / n - rest / m)
    flat = error <= _FLAT * scale**2
    t: Floats = difference / np.sqrt(np.where(flat, 1.0, error))
    # A split without spread lies infinitely far out, unless its means agree too.
    return np.where(flat, np.where(difference > _ROUNDING * scale, np.inf, 0.0), t)


def _all_splits(total: int, size: int) -> Iterator[Floats]:
    members = np.array(list(combinations(range(total), size)))
    masks = np.zeros((len(members), total))
    np.put_along_axis(masks, members, 1.0, axis=1)
    yield masks


def _random_splits(original: NDArray[np.bool_], seed: int) -> Iterator[Floats]:
    rng = np.random.default_rng(seed)
    rows = max(1, min(DRAWS, _BLOCK // len(original)))
    for start in range(0, DRAWS, rows):
        yield rng.permuted(np.tile(original, (min(rows, DRAWS - start), 1)), axis=1).astype(float)
