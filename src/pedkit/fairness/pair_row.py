"""`PairRow`: what was found for two groups."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from pedkit.fairness.intervals import Interval


@dataclass(frozen=True, slots=True, kw_only=True)
class PairRow:
    """Two groups, row minus column; the unit is the speaker.

    Attributes:
        attribute: Name of the attribute.
        corpus: The corpus.
        metric: The metric.
        row: One group.
        column: The other.
        difference: Mean of ``row`` minus mean of ``column``.
        interval: 95 % t interval of the difference (Welch).
        t: Welch's t; this and the p values are ``None`` where the test is undefined.
        df: Its degrees of freedom.
        p: Its two-sided p value, as it is.
        p_holm: The same by Holm, in the family of all defined pairs of this attribute, corpus and metric.
        p_bh: By Benjamini and Hochberg, in the same family.
        p_games_howell: Games and Howell's p value among all groups of the family.
        p_permutation: p value of the studentised permutation test.
        permutation_splits: How many splits it rests on.
        permutation_exact: Whether those are all.
        stars: Stars of ``p``, as published studies print them.
        stars_holm: Stars of ``p_holm``.
        stars_bh: Stars of ``p_bh``.
        n_tests: Defined pairs of the family.
        hedges_g: Difference in pooled standard deviations.
        d_average_variance: Difference in average standard deviations.
        prob_row_worse: Chance that a speaker of the row fares worse than one of the column; ties count half.
        detectable_gap: Smallest gap that the Holm-adjusted test surely has 80 % power for, with these speakers.
        reason: Why the test is undefined; such a pair has no p value and no stars.
    """

    attribute: str
    corpus: str
    metric: str
    row: str
    column: str
    difference: float | None
    interval: Interval
    t: float | None = None
    df: float | None = None
    p: float | None = None
    p_holm: float | None = None
    p_bh: float | None = None
    p_games_howell: float | None = None
    p_permutation: float | None = None
    permutation_splits: int | None = None
    permutation_exact: bool | None = None
    stars: str = ""
    stars_holm: str = ""
    stars_bh: str = ""
    n_tests: int = 0
    hedges_g: float | None = None
    d_average_variance: float | None = None
    prob_row_worse: float | None = None
    detectable_gap: float | None = None
    reason: str | None = None

    def to_json(self) -> dict[str, Any]:
        """Return the object of ``fairness.json``."""
        return asdict(self)
