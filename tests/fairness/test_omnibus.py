import numpy as np
import pytest
from scipy import stats

from pedkit.fairness.omnibus import games_howell_margin, games_howell_p, kruskal_wallis, welch_anova
from pedkit.fairness.studentized_range import range_cdf, range_quantile
from pedkit.fairness.welch import welch_test


@pytest.fixture
def groups():
    draw = np.random.default_rng(1)
    return {"a": draw.normal(1, 1, 6), "b": draw.normal(1.5, 2, 9), "c": draw.normal(0, 0.5, 14)}


def test_kruskal_wallis_corrects_for_ties():
    groups = {"a": np.array([1.0, 1, 2, 3]), "b": np.array([2.0, 2, 5]), "c": np.array([3.0, 8])}
    theirs = stats.kruskal(*groups.values())
    mine = kruskal_wallis(groups)
    assert (mine.statistic, mine.p, mine.df) == (
        pytest.approx(theirs.statistic),
        pytest.approx(theirs.pvalue),
        (2,),
    )


def test_welch_anova_of_two_groups_is_welchs_test(groups):
    pair = {name: groups[name] for name in "ab"}
    test, anova = welch_test(groups["a"], groups["b"]), welch_anova(pair)
    assert anova.statistic == pytest.approx(test.t**2)
    assert (anova.df[1], anova.p) == (pytest.approx(test.df), pytest.approx(test.p))


def test_games_howell_is_that_of_scipy(groups):
    theirs = stats.tukey_hsd(*groups.values(), equal_var=False)
    limits = theirs.confidence_interval()
    names = list(groups)
    for i, j in ((0, 1), (0, 2), (1, 2)):
        test = welch_test(groups[names[i]], groups[names[j]])
        assert games_howell_p(test, 3) == pytest.approx(theirs.pvalue[i, j], abs=1e-7)
        half = games_howell_margin(test.df, 3) * abs(test.difference / test.t)
        assert test.difference - half == pytest.approx(limits.low[i, j], abs=1e-6)


def test_where_nothing_can_be_tested(groups):
    one, flat = {"d": np.array([0.3])}, {"d": np.array([0.3, 0.1 + 0.2, 0.3])}
    assert welch_anova(groups | one).reason == "a group has fewer than two speakers: d"
    assert welch_anova(groups | flat).reason == "all speakers of a group have the same value: d"
    for test in (welch_anova, kruskal_wallis):
        assert (test({"a": groups["a"]}).p, test({"a": groups["a"]}).reason) == (None, "fewer than two groups")
    assert (
        kruskal_wallis({"a": np.full(3, 0.2), "b": np.full(2, 0.2)}).reason == "all speakers have the same value"
    )
    assert games_howell_p(welch_test(one["d"], groups["a"]), 4) is None


@pytest.mark.parametrize("groups_of", [2, 3, 8, 30])
@pytest.mark.parametrize("df", [1.0, 1.147, 2.0, 3.3, 7.0, 23.4, 1000.0])
def test_the_studentised_range_is_that_of_scipy(groups_of, df):
    for q in (0.05, 3.5, 20):
        assert range_cdf(q, groups_of, df) == pytest.approx(
            stats.studentized_range.cdf(q, groups_of, df), abs=1e-7
        )


def test_quantiles_are_those_of_the_printed_tables():
    # Upper 5 % points of Harter's tables (1960), as in any textbook.
    assert range_quantile(0.95, 3, 10) == pytest.approx(3.877, abs=6e-4)
    assert range_quantile(0.95, 8, 20) == pytest.approx(4.768, abs=6e-4)
    assert range_quantile(0.95, 2, 1e6) == pytest.approx(2.772, abs=6e-4)
