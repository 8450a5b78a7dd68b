"""`Bootstrap`: statistics with their replicates, and weighted sums of them over groups."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

CONSTANT = 1e-12
"""Speakers whose rates differ by no more than this share of their mean all have the same rate."""


@dataclass(frozen=True, slots=True)
class Bootstrap:
    """Statistics (one a column) with what every kind of interval needs to know about them.

    Attributes:
        estimate: The statistics, shape (columns,).
        variance: Their estimated variances; 0 for a single speaker, whose variance nobody knows.
        scale: ``variance ** 2`` over its degrees of freedom.
        squares: Sum over speakers of the squared influence on the statistic.
        cubes: The same, cubed; both make the acceleration of BCa.
        deviations: Replicate minus estimate, shape (columns, resamples).
        variances: Estimated variance within each replicate, same shape.
    """

    estimate: Floats
    variance: Floats
    scale: Floats
    squares: Floats
    cubes: Floats
    deviations: Floats
    variances: Floats

    @property
    def df(self) -> Floats:
        """Degrees of freedom of the variance (Satterthwaite 1946, Biometrics Bulletin 2:110-114)."""
        return self.variance**2 / np.where(self.scale > 0, self.scale, np.nan)

    @property
    def acceleration(self) -> Floats:
        """Acceleration of BCa: cubes / (6 squares ** 1.5) (Efron 1987, JASA 82:171-185)."""
        return self.cubes / (6 * np.where(self.squares > 0, self.squares, np.nan) ** 1.5)

    def columns(self, index: NDArray[np.intp] | slice) -> Bootstrap:
        """Return the statistics at ``index``."""
        return Bootstrap(*(getattr(self, item.name)[index] for item in fields(self)))


def weighted_sum(parts: Sequence[Bootstrap], weights: Sequence[Floats]) -> Bootstrap:
    """Return a weighted sum of statistics of independent groups, for example the mean over all their speakers.

    The groups' replicates are paired as drawn: a bootstrap stratified by group. A part with weight 0 may be NaN.

    Args:
        parts: One statistic a group, with the same columns.
        weights: Weight of each part by column, shape (columns,).
    """

    def total(name: str, power: int) -> Floats:
        out: Floats = np.zeros_like(getattr(parts[0], name))
        for part, weight in zip(parts, weights, strict=True):
            array: Floats = getattr(part, name)
            absent = (weight == 0) & np.isnan(part.estimate)
            factor = weight**power
            if array.ndim > 1:
                absent, factor = absent[:, None], factor[:, None]
            out += factor * (np.where(absent, 0.0, array) if absent.any() else array)
        return out

    return Bootstrap(*(total(name, power) for name, power in _POWERS.items()))


def minus_total(part: Bootstrap, total: Bootstrap, weight: Floats) -> Bootstrap:
    """Return a part minus the `weighted_sum` that contains it with ``weight``; both share their replicates."""

    def difference(name: str, power: int) -> Floats:
        mine: Floats = getattr(part, name)
        # The others enter with -w, the part itself with 1 - w in place of w.
        factor = (1 - weight) ** power - (-weight) ** power
        if mine.ndim > 1:
            factor = factor[:, None]
        out: Floats = (-1.0) ** power * getattr(total, name) + factor * mine
        return out if power % 2 else np.maximum(out, 0.0)

    return Bootstrap(*(difference(name, power) for name, power in _POWERS.items()))


_POWERS = {
    "estimate": 1,
    "variance": 2,
    "scale": 4,
    "squares": 2,
    "cubes": 3,
    "deviations": 1,
    "variances": 2,
}
"""How a weight enters each attribute of a weighted sum, in the order of `Bootstrap`."""
