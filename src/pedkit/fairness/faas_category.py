"""`FaasCategory`: the score of one category with every number that led to it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from statistics import stdev
from typing import Any

from pedkit.fairness.likelihood_ratio import LikelihoodRatio
from pedkit.fairness.model_rows import GroupTotals
from pedkit.fairness.poisson_fit import Coefficient, PoissonFit, finite
from pedkit.fairness.ratio import NO_INTERVAL, WorstToBest

SIGNIFICANT = 0.05
"""Below this p value a category's score is multiplied by p / 0.05."""

SMALL_GROUP = 10
"""Speakers below which a group is named in a warning."""


@dataclass(frozen=True, slots=True)
class Gap:
    """Highest minus lowest predicted rate of a category.

    Attributes:
        value: At least 0.
        low: Lower end of the 95 % interval (delta method), ``None`` where there is none.
        high: Upper end.
        reason: Why there is none.
    """

    value: float
    low: float | None
    high: float | None
    reason: str | None = None


def gap(
    fit: PoissonFit,
    extremes: WorstToBest,
    rates: Mapping[str, float | None],
    weights: Mapping[str, Mapping[str, float]],
) -> Gap | None:
    """Return the gap between two predicted rates.

    Args:
        fit: The model.
        extremes: The two groups.
        rates: Group -> predicted rate.
        weights: Group -> column -> weight of its predicted log rate.
    """
    high, low = rates[extremes.worst], rates[extremes.best]
    if high is None or low is None:
        return None
    if low == 0:
        return Gap(
            high - low, None, None, "no error was counted in the best group, so its rate has no standard error"
        )
    slopes: dict[str, float] = {}
    for rate, group in ((high, extremes.worst), (-low, extremes.best)):
        for name, weight in weights[group].items():
            slopes[name] = slopes.get(name, 0.0) + rate * weight
    found = fit.linear(slopes)
    half = None if found is None else fit.half_width(found[1])
    if half is None:
        return Gap(high - low, None, None, NO_INTERVAL)
    return Gap(high - low, high - low - half, high - low + half)


@dataclass(frozen=True, slots=True)
class FaasGroup:
    """One group of a category.

    Attributes:
        totals: Utterances, speakers, errors and pooled rate.
        proportion: Share of the utterances.
        coefficient: Log rate ratio to the reference group, in the model with all categories.
        predicted_rate: See `pedkit.fairness.faas`; ``None`` where it has no estimate.
        raw_score: From 0 (worst) to 100 (best).
    """

    totals: GroupTotals
    proportion: float
    coefficient: Coefficient
    predicted_rate: float | None
    raw_score: float | None


@dataclass(frozen=True, slots=True)
class FaasCategory:
    """One category.

    Attributes:
        name: Name of the attribute.
        groups: Its groups in order of their values.
        test: Likelihood ratio of this category alone against none.
        extremes: Ratio of the highest to the lowest predicted rate.
        gap: Their difference.
        reason: Why the category has no score; ``None`` where it has one.
    """

    name: str
    groups: tuple[FaasGroup, ...]
    test: LikelihoodRatio
    extremes: WorstToBest | None
    gap: Gap | None
    reason: str | None

    @property
    def score(self) -> float | None:
        """Mean raw score, weighted by utterances, from 0 to 100."""
        if self.reason is not None:
            return None
        return sum(one.proportion * one.raw_score for one in self.groups if one.raw_score is not None)

    @property
    def multiplier(self) -> float | None:
        """What the penalty leaves: p / 0.05 where p < 0.05, otherwise 1."""
        return None if self.test.p is None else min(1.0, self.test.p / SIGNIFICANT)

    @property
    def adjusted_score(self) -> float | None:
        """`score` times `multiplier`."""
        return None if self.score is None or self.multiplier is None else self.score * self.multiplier

    @property
    def sd_of_rates(self) -> float | None:
        """Standard deviation of the groups' predicted rates (divisor: groups - 1)."""
        rates = [one.predicted_rate for one in self.groups if one.predicted_rate is not None]
        return stdev(rates) if len(rates) == len(self.groups) > 1 else None

    @property
    def warnings(self) -> tuple[str, ...]:
        """What a reader of this category has to know."""
        small = [one.totals.value for one in self.groups if one.totals.n_speakers < SMALL_GROUP]
        found = [] if self.reason is None else [f"'{self.name}' has no score and is left out: {self.reason}"]
        if self.test.p is not None and self.test.p < 0.001:
            found.append(f"'{self.name}': p = {self.test.p:.1g}, so the score is driven by how much data there is")
        if small:
            found.append(f"'{self.name}': fewer than {SMALL_GROUP} speakers in {', '.join(small)}")
        return tuple(found)

    def to_json(self) -> dict[str, Any]:
        """Return everything as plain data."""
        return {
            "groups": [_group_json(group) for group in self.groups],
            "category_score": self.score,
            "likelihood_ratio": asdict(self.test),
            "multiplier": self.multiplier,
            "adjusted_score": self.adjusted_score,
            "worst_to_best": None if self.extremes is None else asdict(self.extremes),
            "gap": None if self.gap is None else asdict(self.gap),
            "sd_of_rates": self.sd_of_rates,
            "reason": self.reason,
            "warnings": list(self.warnings),
        }


def _group_json(group: FaasGroup) -> dict[str, Any]:
    return asdict(group.totals) | {
        "proportion": group.proportion,
        "coefficient": finite(group.coefficient.value),
        "coefficient_reason": group.coefficient.reason,
        "predicted_rate": group.predicted_rate,
        "raw_score": group.raw_score,
    }
