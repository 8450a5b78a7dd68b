"""Tests of all groups of an attribute together, and Games and Howell's of each pair among them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pedkit.fairness.bootstrap import CONSTANT
from pedkit.fairness.intervals import LEVEL
from pedkit.fairness.studentized_range import range_cdf, range_quantile
from pedkit.fairness.welch import MIN_SPEAKERS, WelchTest

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class OmnibusTest:
    """Result of a test of all groups.

    Attributes:
        statistic: F of Welch's ANOVA or H of Kruskal and Wallis; ``None`` where undefined.
        df: Its degrees of freedom.
        p: Its p value.
        reason: Why it is undefined.
    """

    statistic: float | None
    df: tuple[float, ...] = ()
    p: float | None = None
    reason: str | None = None

    def to_json(self) -> dict[str, Any]:
        """Return the object of ``fairness.json``."""
        return asdict(self) | {"df": list(self.df)}


@dataclass(frozen=True, slots=True, kw_only=True)
class OmnibusRow:
    """Tests of all groups of an attribute together.

    Attributes:
        attribute: Name of the attribute.
        corpus: The corpus.
        metric: The metric.
        n_groups: Groups in the tests: all but ``unknown``.
        welch_anova: Welch's analysis of variance.
        kruskal_wallis: Kruskal and Wallis's rank test.
    """

    attribute: str
    corpus: str
    metric: str
    n_groups: int
    welch_anova: OmnibusTest
    kruskal_wallis: OmnibusTest

    def to_json(self) -> dict[str, Any]:
        """Return the object of ``fairness.json``."""
        tests = {name: getattr(self, name).to_json() for name in ("welch_anova", "kruskal_wallis")}
        return {name: getattr(self, name) for name in ("attribute", "corpus", "metric", "n_groups")} | tests


def welch_anova(groups: Mapping[str, Floats]) -> OmnibusTest:
    """Return Welch's analysis of variance (Welch 1951, Biometrika 38:330-336) of groups, one value a speaker.

    Undefined where a group has fewer than two speakers or none that differ: its variance is unknown or 0.
    """
    from scipy.special import fdtrc

    if len(groups) < 2:
        return OmnibusTest(None, reason="fewer than two groups")
    for name, values in groups.items():
        if len(values) < MIN_SPEAKERS:
            return OmnibusTest(None, reason=f"a group has fewer than two speakers: {name}")
        if is_constant(values):
            return OmnibusTest(None, reason=f"all speakers of a group have the same value: {name}")
    sizes = np.array([len(values) for values in groups.values()])
    means = np.array([values.mean() for values in groups.values()])
    weights = sizes / np.array([values.var(ddof=1) for values in groups.values()])
    center = (weights * means).sum() / weights.sum()
    k = len(groups)
    lack = ((1 - weights / weights.sum()) ** 2 / (sizes - 1)).sum() / (k * k - 1)
    statistic = (weights * (means - center) ** 2).sum() / (k - 1) / (1 + 2 * (k - 2) * lack)
    df = (float(k - 1), float(1 / (3 * lack)))
    return OmnibusTest(float(statistic), df, float(fdtrc(*df, statistic)))


def kruskal_wallis(groups: Mapping[str, Floats]) -> OmnibusTest:
    """Return the rank test of Kruskal and Wallis (1952, JASA 47:583-621), corrected for ties."""
    from scipy.special import chdtrc

    filled = [values for values in groups.values() if len(values)]
    if len(filled) < 2:
        return OmnibusTest(None, reason="fewer than two groups")
    values = np.concatenate(filled)
    n = len(values)
    _, place, times = np.unique(values, return_inverse=True, return_counts=True)
    if len(times) == 1:
        return OmnibusTest(None, reason="all speakers have the same value")
    ranks = (np.cumsum(times) - (times - 1) / 2)[place]
    parts = np.split(ranks, np.cumsum([len(v) for v in filled])[:-1])
    between = sum(len(part) * (part.mean() - (n + 1) / 2) ** 2 for part in parts)
    statistic = float(12 / (n * (n + 1)) * between / (1 - (times**3 - times).sum() / (n**3 - n)))
    return OmnibusTest(statistic, (float(len(filled) - 1),), float(chdtrc(len(filled) - 1, statistic)))


def games_howell_p(test: WelchTest, groups: int) -> float | None:
    """Return a pair's p value among all pairs of ``groups`` (Games and Howell 1976, J. Educ. Stat. 1:113-125)."""
    if test.t is None or test.df is None:
        return None
    return 1 - range_cdf(sqrt(2) * abs(test.t), groups, test.df)


def games_howell_margin(df: float, groups: int) -> float:
    """Return the half width, in standard errors, of 95 % intervals that hold for all pairs of groups together."""
    return range_quantile(LEVEL, groups, df) / sqrt(2)


def is_constant(values: Floats) -> bool:
    """Return whether all speakers have the same value, rounding aside."""
    return bool(np.ptp(values) <= CONSTANT * abs(values.mean()))
