"""`Ratio`: a rate divided by a rate, with its interval, from a fitted model."""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping
from dataclasses import dataclass

from pedkit.fairness.poisson_fit import Coefficient, PoissonFit
from pedkit.fairness.terms import column

NO_INTERVAL = "there are too few speakers for an interval, or the engine could not form a standard error"

_LARGEST = math.log(sys.float_info.max)


@dataclass(frozen=True, slots=True)
class Ratio:
    """A rate ratio.

    Attributes:
        value: Above 0, or 0 where the rate above has no error; ``None`` where it is undefined.
        low: Lower end of the 95 % interval (Wald on the log scale with quantiles of t, see `PoissonFit.df`),
            ``None`` where there is none.
        high: Upper end.
        reason: Why something is ``None``.
    """

    value: float | None
    low: float | None
    high: float | None
    reason: str | None = None


def rate_ratio(fit: PoissonFit, weights: Mapping[str, float]) -> Ratio:
    """Return the exponential of a weighted sum of coefficients with its 95 % interval.

    Args:
        fit: The model.
        weights: Column -> weight; +1 for the group above the line, -1 for the one below.
    """
    found = fit.linear(weights)
    if found is not None:
        value, half = found[0], fit.half_width(found[1])
        if half is None:
            return Ratio(math.exp(value), None, None, NO_INTERVAL)
        if abs(value) + half > _LARGEST:
            return Ratio(math.exp(value), None, None, "the data do not bound the ratio")
        return Ratio(math.exp(value), math.exp(value - half), math.exp(value + half))
    values = {name: fit.coefficients[name] for name in weights}
    unknown = next((one for one in values.values() if one.value is None), None)
    if unknown is not None:
        return Ratio(None, None, None, unknown.reason)
    if any(weights[name] < 0 and values[name].value == -math.inf for name in weights):
        return Ratio(None, None, None, "the rate below the line is 0")
    return Ratio(0.0, None, None, "no error was counted, so the estimated rate is 0")


@dataclass(frozen=True, slots=True)
class WorstToBest:
    """The groups with the highest and the lowest estimated rate.

    Attributes:
        worst: Value of the group with the highest rate.
        best: Value of the group with the lowest one.
        ratio: The first rate divided by the second. The interval is that of a pair named beforehand; of the two
            extremes of many groups it is too narrow.
    """

    worst: str
    best: str
    ratio: Ratio


def worst_to_best(fit: PoissonFit, attribute: str, groups: Mapping[str, Coefficient]) -> WorstToBest | None:
    """Return the two extreme groups of an attribute, ``None`` where fewer than two have an estimate.

    Args:
        fit: The model.
        attribute: Its attribute.
        groups: Value of the attribute -> coefficient; the reference has none in ``fit``.
    """
    known = {name: one.value for name, one in groups.items() if one.value is not None}
    if len(known) < 2:
        return None
    worst, best = max(known, key=known.__getitem__), min(known, key=known.__getitem__)
    weights = {column(attribute, worst): 1.0, column(attribute, best): -1.0}
    return WorstToBest(
        worst, best, rate_ratio(fit, {name: one for name, one in weights.items() if name in fit.coefficients})
    )
