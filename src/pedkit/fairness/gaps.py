"""The gap between the worst and the best group, as a difference and as a ratio."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from math import exp, log, sqrt
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from pedkit.fairness.intervals import Interval
from pedkit.fairness.metrics import HIGHER_IS_BETTER
from pedkit.fairness.omnibus import games_howell_margin, games_howell_p, is_constant
from pedkit.fairness.welch import welch_test

Floats = NDArray[np.float64]

NO_ERROR = "the lower of the two means is 0"


@dataclass(frozen=True, slots=True, kw_only=True)
class GapRow:
    """The widest gap among the groups of one attribute.

    Attributes:
        attribute: Name of the attribute.
        corpus: The corpus.
        metric: The metric.
        kind: ``difference`` (higher mean minus lower mean) or ``ratio`` (higher over lower).
        worst: Group with the worst mean; ``None`` where there is nothing to compare.
        best: Group with the best mean.
        value: The gap.
        interval: 95 % interval that holds for all pairs of groups together (Games and Howell), because the two
            groups were picked after looking; of a ratio on the log scale with linearised variances.
        p: Games and Howell's p value of the pair.
        n_groups: Groups that were compared: named ones with at least two speakers.
        reason: Why the gap or its interval is undefined.
    """

    attribute: str
    corpus: str
    metric: str
    kind: Literal["difference", "ratio"]
    worst: str | None
    best: str | None
    value: float | None
    interval: Interval
    p: float | None
    n_groups: int
    reason: str | None = None

    def to_json(self) -> dict[str, Any]:
        """Return the object of ``fairness.json``."""
        return asdict(self)


def gap_row(
    groups: Mapping[str, Floats],
    *,
    attribute: str,
    corpus: str,
    metric: str,
    kind: Literal["difference", "ratio"],
    refused: str | None,
) -> GapRow:
    """Return the gap between the worst and the best group.

    Args:
        groups: Groups to compare -> one value a speaker, at least two each.
        attribute: Name of the attribute.
        corpus: The corpus.
        metric: The metric.
        kind: ``difference`` or ``ratio``.
        refused: Why no inference may be made; ``None`` where it may.
    """
    means = {name: float(values.mean()) for name, values in groups.items()}
    low, high = (min(means, key=means.__getitem__), max(means, key=means.__getitem__)) if means else (None, None)
    worst, best = (low, high) if metric in HIGHER_IS_BETTER else (high, low)
    value, interval, p = None, Interval.undefined("fewer than two groups of two speakers or more"), None
    if len(groups) > 1 and low is not None and high is not None:
        pair = groups[high], groups[low]
        value, interval = _difference(*pair, len(groups)) if kind == "difference" else _ratio(*pair, len(groups))
        p = games_howell_p(welch_test(*pair), len(groups))
        if refused is not None:
            interval, p = Interval.undefined(refused), None
    else:
        worst = best = None
    return GapRow(
        attribute=attribute,
        corpus=corpus,
        metric=metric,
        kind=kind,
        worst=worst,
        best=best,
        value=value,
        interval=interval,
        p=p,
        n_groups=len(groups),
        reason=interval.reason,
    )


def _difference(high: Floats, low: Floats, groups: int) -> tuple[float | None, Interval]:
    test = welch_test(high, low)
    if test.df is None or test.high is None or test.difference is None:
        return test.difference, Interval.undefined(test.reason or "")
    error = sqrt(high.var(ddof=1) / len(high) + low.var(ddof=1) / len(low))
    half = games_howell_margin(test.df, groups) * error
    return test.difference, Interval(test.difference - half, test.difference + half, "Games-Howell")


def _ratio(high: Floats, low: Floats, groups: int) -> tuple[float | None, Interval]:
    if low.mean() <= 0:
        return None, Interval.undefined(NO_ERROR)
    value, error, df = log_ratio([high], [low])
    if df is None:
        return value, Interval.undefined("data are essentially constant")
    half = games_howell_margin(df, groups) * error
    return value, Interval(exp(log(value) - half), exp(log(value) + half), "Games-Howell, log scale")


def log_ratio(numerator: Sequence[Floats], denominator: Sequence[Floats]) -> tuple[float, float, float | None]:
    """Return the ratio of two unweighted means of group means, and its standard error on the log scale.

    Args:
        numerator: Groups of one side, one value a speaker, at least two each; their mean is above 0.
        denominator: Groups of the other side, of which the same holds.

    Returns:
        The ratio, the standard error of its logarithm (linearised), and Satterthwaite's degrees of freedom, which
        are ``None`` where no group's speakers differ.
    """
    means, parts, sizes = [], [], []
    for side in (numerator, denominator):
        mean = float(np.mean([values.mean() for values in side]))
        means.append(mean)
        for values in side:
            spread = 0.0 if is_constant(values) else float(values.var(ddof=1))
            parts.append(spread / len(values) / (mean * len(side)) ** 2)
            sizes.append(len(values))
    total = sum(parts)
    df = total**2 / sum(part**2 / (n - 1) for part, n in zip(parts, sizes, strict=True)) if total else None
    return means[0] / means[1], sqrt(total), df
