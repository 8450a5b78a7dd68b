from itertools import combinations

import numpy as np
import pytest
from scipy import stats

from pedkit.fairness import permutation
from pedkit.fairness.permutation import permutation_test

A, B = np.array([0.1, 0.5, 0.35]), np.array([0.45, 0.8, 0.7, 0.95])


def test_all_splits_are_looked_at_with_a_studentised_statistic():
    values = np.concatenate([A, B])
    observed = abs(stats.ttest_ind(A, B, equal_var=False).statistic)
    extreme = 0
    for members in combinations(range(7), 3):
        rest = [k for k in range(7) if k not in members]
        extreme += abs(stats.ttest_ind(values[list(members)], values[rest], equal_var=False).statistic) >= observed
    found = permutation_test(A, B, seed=0)
    assert (found.p, found.splits, found.exact) == (pytest.approx(extreme / 35), 35, True)
    assert 1 < extreme < 35


def test_random_splits_come_near_to_all_of_them(monkeypatch):
    draw = np.random.default_rng(3)
    a, b = draw.normal(0, 1, 6), draw.normal(0.8, 2, 9)
    exact = permutation_test(a, b, seed=0)
    monkeypatch.setattr(permutation, "MOST_EXACT", 0)
    random = permutation_test(a, b, seed=0)
    assert (exact.splits, random.splits, random.exact) == (5005, 9999, False)
    margin = 5 * (exact.p * (1 - exact.p) / 9999) ** 0.5
    assert random.p == pytest.approx(exact.p, abs=margin)
    assert random == permutation_test(a, b, seed=0)
    assert random.p != permutation_test(a, b, seed=1).p


def test_the_smallest_p_of_random_splits_is_not_0():
    draw = np.random.default_rng(0)
    found = permutation_test(draw.normal(0, 0.01, 30), draw.normal(9, 0.01, 30), seed=0)
    assert found.p == 1 / 10_000


def test_a_split_without_spread_is_the_most_extreme_one():
    # Of the 10 splits of 0 0 0 1 1 only the observed one has no spread, with means 0 and 1.
    found = permutation_test(np.zeros(3), np.array([1.0, 1.0 + 1e-3]), seed=0)
    assert (found.p, found.splits) == (1 / 10, 10)


def test_where_nothing_can_be_permuted():
    assert permutation_test(A[:1], B, seed=0).reason == "a group has fewer than two speakers"
    flat = permutation_test(np.full(3, 0.2), np.array([0.2, 0.1 + 0.1]), seed=0)
    assert (flat.p, flat.reason) == (None, "data are essentially constant")
    apart = permutation_test(np.full(3, 0.2), np.full(3, 0.3), seed=0)
    assert (apart.p, apart.reason) == (None, "data are essentially constant")
