"""Every pair of groups of one attribute: tests, adjusted p values, effect sizes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from pedkit.fairness.effect_sizes import EffectSizes, effect_sizes
from pedkit.fairness.intervals import AUTO_SMALL, Interval
from pedkit.fairness.metrics import HIGHER_IS_BETTER
from pedkit.fairness.multiplicity import benjamini_hochberg, holm, stars
from pedkit.fairness.omnibus import games_howell_p
from pedkit.fairness.pair_row import PairRow
from pedkit.fairness.permutation import PermutationTest, permutation_test
from pedkit.fairness.power import ALPHA, detectable_gap
from pedkit.fairness.resampling import derived_seed
from pedkit.fairness.welch import MIN_SPEAKERS, WelchTest, welch_test

Floats = NDArray[np.float64]
Permutation = Literal["small", "all", "none"]
PERMUTATIONS = ("small", "all", "none")


@dataclass(frozen=True, slots=True)
class Family:
    """What all pairs of one table have in common.

    Attributes:
        attribute: Name of the attribute.
        corpus: The corpus.
        metric: The metric.
        seed: Base seed of random splits.
        permutation: Pairs with a permutation test: those with a group below 20 speakers (``small``), all or none.
    """

    attribute: str
    corpus: str
    metric: str
    seed: int = 0
    permutation: Permutation = "small"


def pair_rows(
    groups: Mapping[str, Floats], family: Family, refused: Mapping[tuple[str, str], str]
) -> list[PairRow]:
    """Return a row for every pair of groups.

    Args:
        groups: Name of a group -> one value a speaker.
        family: What they have in common.
        refused: Pairs that must not be tested -> why.
    """
    tests = [_pair(groups, pair, family, refused.get(pair)) for pair in combinations(groups, 2)]
    p_values = [row.p for row in tests]
    n_tests = sum(p is not None for p in p_values)
    in_family = sum(len(values) >= MIN_SPEAKERS for values in groups.values())
    rows = []
    for row, p_holm, p_bh in zip(tests, holm(p_values), benjamini_hochberg(p_values), strict=True):
        welch = WelchTest(row.difference, row.t, row.df, row.p)
        rows.append(
            replace(
                row,
                p_holm=p_holm,
                p_bh=p_bh,
                p_games_howell=games_howell_p(welch, in_family),
                stars=stars(row.p),
                stars_holm=stars(p_holm),
                stars_bh=stars(p_bh),
                n_tests=n_tests,
                detectable_gap=_detectable(groups[row.row], groups[row.column], n_tests)
                if row.p is not None
                else None,
            )
        )
    return rows


def _pair(groups: Mapping[str, Floats], pair: tuple[str, str], family: Family, refused: str | None) -> PairRow:
    a, b = groups[pair[0]], groups[pair[1]]
    welch, effect = welch_test(a, b, pair), effect_sizes(a, b)
    if refused is not None:
        welch, effect = WelchTest(welch.difference, reason=refused), EffectSizes(None, None, None)
    permuted = _permutation(a, b, pair, family) if welch.reason is None else PermutationTest(None)
    worse = effect.prob_row_higher
    if worse is not None and family.metric in HIGHER_IS_BETTER:
        worse = 1 - worse
    return PairRow(
        attribute=family.attribute,
        corpus=family.corpus,
        metric=family.metric,
        row=pair[0],
        column=pair[1],
        difference=welch.difference,
        interval=Interval(welch.low, welch.high, None if welch.reason else "t", welch.reason),
        t=welch.t,
        df=welch.df,
        p=welch.p,
        p_permutation=permuted.p,
        permutation_splits=permuted.splits,
        permutation_exact=permuted.exact,
        hedges_g=effect.hedges_g,
        d_average_variance=effect.d_average_variance,
        prob_row_worse=worse,
        reason=welch.reason,
    )


def _permutation(a: Floats, b: Floats, pair: tuple[str, str], family: Family) -> PermutationTest:
    wanted = family.permutation == "all" or (family.permutation == "small" and min(len(a), len(b)) < AUTO_SMALL)
    if not wanted:
        return PermutationTest(None)
    return permutation_test(a, b, seed=derived_seed(family.seed, family.attribute, family.corpus, *pair))


def _detectable(a: Floats, b: Floats, tests: int) -> float | None:
    deviations = float(a.std(ddof=1)), float(b.std(ddof=1))
    return detectable_gap(deviations, (len(a), len(b)), alpha=ALPHA / tests)


def refused_pairs(
    speakers: Mapping[str, Sequence[str]], reasons: Mapping[str, str | None]
) -> dict[tuple[str, str], str]:
    """Return the pairs of groups that are no independent samples, with the reason.

    Args:
        speakers: Group -> its speakers.
        reasons: Group -> why it must not be tested at all; ``None`` where it may.
    """
    members = {name: set(names) for name, names in speakers.items()}
    refused = {}
    for pair in combinations(speakers, 2):
        both = members[pair[0]] & members[pair[1]]
        if reason := next((f"{reasons[name]}: {name}" for name in pair if reasons[name]), None):
            refused[pair] = reason
        elif both:
            refused[pair] = f"{len(both)} speaker(s) in both groups, for example '{min(both)}'"
    return refused
