"""How large a difference between two groups of speakers is, beside whether it is there."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class EffectSizes:
    """Standardised differences, row minus column.

    Attributes:
        hedges_g: Difference over the pooled standard deviation, times the small-sample factor 1 - 3 / (4 df - 1)
            (Hedges 1981, Journal of Educational Statistics 6:107-128); ``None`` where undefined.
        d_average_variance: Difference over the root of the mean of the two variances (Cohen's d_av).
        prob_row_higher: Chance that a speaker of the row has a higher value than one of the column; ties
            count half.
    """

    hedges_g: float | None
    d_average_variance: float | None
    prob_row_higher: float | None


def effect_sizes(row: Floats, column: Floats) -> EffectSizes:
    """Return the effect sizes of two groups, one value a speaker."""
    if not (len(row) and len(column)):
        return EffectSizes(None, None, None)
    higher = _prob_higher(row, column)
    df = len(row) + len(column) - 2
    if min(len(row), len(column)) < 2:
        return EffectSizes(None, None, higher)
    means = float(row.mean()), float(column.mean())
    variances = float(row.var(ddof=1)), float(column.var(ddof=1))
    pooled = sqrt(((len(row) - 1) * variances[0] + (len(column) - 1) * variances[1]) / df)
    average = sqrt(sum(variances) / 2)
    if average <= 10 * np.finfo(float).eps * max(map(abs, means)):
        return EffectSizes(None, None, higher)
    difference = means[0] - means[1]
    return EffectSizes((1 - 3 / (4 * df - 1)) * difference / pooled, difference / average, higher)


def _prob_higher(row: Floats, column: Floats) -> float:
    ordered = np.sort(column)
    below = np.searchsorted(ordered, row, side="left") + np.searchsorted(ordered, row, side="right")
    return float(below.sum() / (2 * len(row) * len(column)))
