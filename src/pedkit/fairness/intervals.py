"""Four kinds of interval from bootstrap replicates, and the rules that choose one for a group."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pedkit.errors import PedkitError
from pedkit.fairness.bootstrap import CONSTANT, Bootstrap

Floats = NDArray[np.float64]

CI_RULES = ("auto", "paper", "bca", "percentile", "t", "bootstrap-t")
"""``paper`` is the bias study's: percentile below 10 speakers or where BCa fails, else BCa. ``auto`` was chosen by
simulation (bench/fairness_simulation.py): t below 5 speakers, bootstrap-t below 20, BCa from there on."""

LEVEL = 0.95
"""Confidence level of every interval."""

NOTHING_JUDGED = "in too many resamples no speaker said anything to judge"
"""Why a rate has no interval of percentiles: the replicates of such resamples are infinite."""

PAPER_SMALL = 10
AUTO_TINY, AUTO_SMALL = 5, 20


@dataclass(frozen=True, slots=True)
class Interval:
    """A 95 % confidence interval.

    Attributes:
        low: Lower end; ``None`` where the interval is undefined.
        high: Upper end.
        method: How it was computed: ``bca percentile t bootstrap-t``, or another name where one is documented.
        reason: Why it is undefined, or why the method is not the one that was asked for.
    """

    low: float | None
    high: float | None
    method: str | None
    reason: str | None = None

    @classmethod
    def undefined(cls, reason: str) -> Interval:
        """Return the interval that is none."""
        return cls(None, None, None, reason)

    def within(self, least: float, most: float) -> Interval:
        """Return the part of it that lies in the range of the quantity; its coverage stays what it was."""
        if self.low is None or self.high is None:
            return self
        low, high = (min(max(end, least), most) for end in (self.low, self.high))
        return replace(self, low=low, high=high)

    def to_json(self) -> dict[str, Any]:
        """Return the object of ``fairness.json``."""
        return {"low": self.low, "high": self.high, "method": self.method, "reason": self.reason}


def chosen_method(rule: str, speakers: int) -> str:
    """Return the kind of interval that a rule of `CI_RULES` takes for a number of speakers.

    Raises:
        PedkitError: There is no such rule.
    """
    if rule not in CI_RULES:
        raise PedkitError(f"expected 'ci' to be one of {', '.join(CI_RULES)}, but got {rule!r}")
    if rule == "paper":
        return "percentile" if speakers < PAPER_SMALL else "bca"
    if rule == "auto":
        return "t" if speakers < AUTO_TINY else "bootstrap-t" if speakers < AUTO_SMALL else "bca"
    return rule


def intervals(boot: Bootstrap, methods: list[str]) -> list[Interval]:
    """Return one interval a column.

    Args:
        boot: Statistics with their replicates.
        methods: ``bca percentile t bootstrap-t``, one a column. Where BCa fails the percentile interval stands in
            for it, where bootstrap-t fails the t interval; the interval names the method used and the reason.
    """
    found: dict[int, Interval] = {}
    for method in dict.fromkeys(methods):
        index = np.flatnonzero([name == method for name in methods])
        found |= dict(zip(index.tolist(), _of_one_method(boot.columns(index), method), strict=True))
    return [found[column] for column in range(len(methods))]


def _of_one_method(boot: Bootstrap, method: str) -> list[Interval]:
    low, high = ENDS[method](boot)
    out = [
        Interval(float(a), float(b), method) if np.isfinite([a, b]).all() else Interval(None, None, method)
        for a, b in zip(low, high, strict=True)
    ]
    failed = np.flatnonzero([interval.low is None for interval in out])
    if not failed.size:
        return out
    if method not in _STAND_IN:
        for column in failed.tolist():
            unjudged = np.isinf(boot.deviations[column]).any() and method == "percentile"
            out[column] = Interval.undefined(NOTHING_JUDGED if unjudged else "no spread between speakers")
        return out
    instead = _of_one_method(boot.columns(failed), _STAND_IN[method])
    for column, interval in zip(failed.tolist(), instead, strict=True):
        out[column] = replace(interval, reason=interval.reason or _WHY[method])
    return out


def t_ends(boot: Bootstrap) -> tuple[Floats, Floats]:
    """Return the ends of the t intervals: estimate -/+ quantile of t x standard error; NaN without spread."""
    from scipy.special import stdtrit

    spread = np.where(boot.variance > 0, boot.variance, np.nan)
    half = stdtrit(boot.df, (1 + LEVEL) / 2) * np.sqrt(spread)
    return boot.estimate - half, boot.estimate + half


def percentile_ends(boot: Bootstrap) -> tuple[Floats, Floats]:
    """Return the 2.5 and 97.5 percentiles of the replicates."""
    levels = np.full_like(boot.estimate, (1 - LEVEL) / 2)
    ordered = np.sort(boot.deviations, axis=1)
    return boot.estimate + _quantile(ordered, levels), boot.estimate + _quantile(ordered, 1 - levels)


def bca_ends(boot: Bootstrap) -> tuple[Floats, Floats]:
    """Return the ends of the BCa intervals (Efron 1987, JASA 82:171-185); NaN where they are undefined."""
    ordered = np.sort(boot.deviations, axis=1)
    low, high = bca_levels(bca_bias(boot), boot.acceleration)
    return boot.estimate + _quantile(ordered, low), boot.estimate + _quantile(ordered, high)


def bca_bias(boot: Bootstrap) -> Floats:
    """Return the bias correction z0 of BCa, infinite where all replicates lie on one side of the estimate.

    Replicates equal to the estimate (but for rounding) count half below it, as scipy does and R's boot does not.
    """
    from scipy.special import ndtri

    tie = CONSTANT * (np.abs(boot.estimate) + np.sqrt(boot.variance))[:, None]
    below = (boot.deviations < -tie).mean(axis=1) + (np.abs(boot.deviations) <= tie).mean(axis=1) / 2
    bias: Floats = ndtri(below)
    return bias


def bca_levels(bias: Floats, acceleration: Floats) -> tuple[Floats, Floats]:
    """Return the two percentiles of the replicates that BCa takes, as shares."""
    from scipy.special import ndtr, ndtri

    with np.errstate(invalid="ignore"):  # an infinite bias leaves them undefined
        low, high = (bias + ndtri(level) for level in ((1 - LEVEL) / 2, (1 + LEVEL) / 2))
        return (
            ndtr(bias + low / (1 - acceleration * low)),
            ndtr(bias + high / (1 - acceleration * high)),
        )


def bootstrap_t_ends(boot: Bootstrap) -> tuple[Floats, Floats]:
    """Return the ends of the bootstrap-t intervals; NaN where they are undefined.

    Davison and Hinkley 1997, section 5.2.1. A replicate without spread of its own that misses the estimate lies
    infinitely many standard errors away; where there are so many of them that an end is infinite, there is none.
    """
    rounding = (CONSTANT * boot.variance)[:, None]
    flat = boot.variances <= rounding
    studentised = boot.deviations / np.sqrt(np.where(flat, np.nan, boot.variances))
    missed = boot.deviations**2 > rounding
    studentised[flat] = np.where(missed, np.copysign(np.inf, boot.deviations), 0.0)[flat]
    ordered = np.sort(studentised, axis=1)
    levels = np.full_like(boot.estimate, (1 - LEVEL) / 2)
    error = np.sqrt(boot.variance)
    with np.errstate(invalid="ignore"):
        low = boot.estimate - _quantile(ordered, 1 - levels) * error
        high = boot.estimate - _quantile(ordered, levels) * error
    return low, high


def _quantile(ordered: Floats, levels: Floats) -> Floats:
    """Interpolate each sorted row at its own level, as numpy's default does; NaN at a level that is none."""
    last = ordered.shape[1] - 1
    place = np.where(np.isfinite(levels), levels, 0.0) * last
    left = np.floor(place).astype(np.intp)
    rows = np.arange(len(ordered))
    a, b = ordered[rows, left], ordered[rows, np.minimum(left + 1, last)]
    with np.errstate(invalid="ignore"):  # infinite replicates
        value = np.where(a == b, a, a + (place - left) * (b - a))
    return np.where(np.isfinite(levels), value, np.nan)


ENDS = {"t": t_ends, "percentile": percentile_ends, "bca": bca_ends, "bootstrap-t": bootstrap_t_ends}
_STAND_IN = {"bca": "percentile", "bootstrap-t": "t"}
_WHY = {"bca": "BCa is undefined here", "bootstrap-t": "too many resamples without spread for bootstrap-t"}
