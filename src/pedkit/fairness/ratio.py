"""`Ratio`: a rate divided by a rate, with its interval, from a fitted model."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from pedkit.fairness.poisson_fit import PoissonFit

Z95 = 1.959963984540054
"""0.975 quantile of the normal distribution."""


@dataclass(frozen=True, slots=True)
class Ratio:
    """A rate ratio.

    Attributes:
        value: Above 0, or 0 where the rate above has no error; ``None`` where it is undefined.
        low: Lower end of the 95 % interval (Wald, on the log scale), ``None`` where there is none.
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
        value, se = found
        if not math.isfinite(se):
            return Ratio(math.exp(value), None, None, "the engine could not form a standard error")
        return Ratio(math.exp(value), math.exp(value - Z95 * se), math.exp(value + Z95 * se))
    values = {name: fit.coefficients[name] for name in weights}
    unknown = next((one for one in values.values() if one.value is None), None)
    if unknown is not None:
        return Ratio(None, None, None, unknown.reason)
    if any(weights[name] < 0 and values[name].value == -math.inf for name in weights):
        return Ratio(None, None, None, "the rate below the line is 0")
    return Ratio(0.0, None, None, "no error was counted, so the estimated rate is 0")
