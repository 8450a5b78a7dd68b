import numpy as np
import pytest
from scipy import stats

from pedkit.fairness.effect_sizes import effect_sizes
from pedkit.fairness.welch import welch_test

A, B = np.array([0.1, 0.3, 0.2]), np.array([0.4, 0.5, 0.9, 0.6])


def test_welch_is_that_of_scipy():
    theirs = stats.ttest_ind(A, B, equal_var=False)
    mine = welch_test(A, B)
    assert (mine.t, mine.df, mine.p) == pytest.approx((theirs.statistic, theirs.df, theirs.pvalue))
    assert (mine.low, mine.high) == pytest.approx(tuple(theirs.confidence_interval()))
    assert (mine.difference, mine.reason) == (pytest.approx(-0.4), None)


@pytest.mark.parametrize("other", [0.2, 0.3])
def test_two_constant_groups_are_undefined_though_scipy_gives_three_stars(other):
    # 0.1 + 0.2 is not 0.3: rounding is no variance.
    a, b = np.array([0.1 + 0.1, 0.2, 0.2]), np.array([other, 0.1 + 0.2 if other == 0.3 else 0.2])
    found = welch_test(a, b)
    assert (found.p, found.t, found.low, found.reason) == (None, None, None, "data are essentially constant")
    assert found.difference == pytest.approx(0.2 - other)


def test_groups_without_any_error_are_undefined():
    assert welch_test(np.zeros(5), np.zeros(3)).reason == "data are essentially constant"


def test_one_constant_group_is_defined():
    # The mean of A is 0.2 and its standard error 0.1 / sqrt(3), with 2 degrees of freedom.
    found = welch_test(np.full(4, 0.5), A)
    assert (found.t, found.df) == (pytest.approx(0.3 * 3**0.5 / 0.1), pytest.approx(2))


def test_one_speaker_or_none():
    assert welch_test(A[:1], B, ("x", "y")).reason == "n/a (1 speaker): x"
    assert welch_test(A, B[:1], ("x", "y")).reason == "n/a (1 speaker): y"
    assert welch_test(A[:1], B).difference == pytest.approx(0.1 - 0.6)
    assert welch_test(A, B[:0], ("x", "y")).reason == "y has no speaker with a value"
    assert welch_test(A, B[:0]).difference is None


def test_effect_sizes_by_hand():
    # Variances 0.01 and 0.14 / 3; pooled (2 x 0.01 + 0.14) / 5 = 0.032; factor 1 - 3 / 19.
    found = effect_sizes(A, B)
    assert found.hedges_g == pytest.approx(-0.4 / 0.032**0.5 * 16 / 19)
    assert found.d_average_variance == pytest.approx(-0.4 / ((0.01 + 0.14 / 3) / 2) ** 0.5)
    assert found.prob_row_higher == 0


def test_ties_count_half_in_the_chance_of_a_higher_value():
    # 1 against 1 and 3: half of one pair; 2 against 1 and 3: one pair. 1.5 of 4.
    assert effect_sizes(np.array([1.0, 2]), np.array([1.0, 3])).prob_row_higher == 1.5 / 4


def test_effect_sizes_where_nothing_varies_or_nobody_spoke():
    flat = effect_sizes(np.full(3, 0.2), np.full(2, 0.2))
    assert (flat.hedges_g, flat.d_average_variance, flat.prob_row_higher) == (None, None, 0.5)
    assert effect_sizes(A[:1], B).hedges_g is None
    assert effect_sizes(A[:0], B).prob_row_higher is None
