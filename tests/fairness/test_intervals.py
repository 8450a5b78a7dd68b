import numpy as np
import pytest
from scipy import stats

from pedkit.errors import PedkitError
from pedkit.fairness.intervals import CI_RULES, bca_bias, bootstrap_t_ends, chosen_method, intervals
from pedkit.fairness.resampling import bootstrap_ratios

NAN = float("nan")


@pytest.fixture
def draw():
    return np.random.default_rng(2)


def boot_of(values, resamples=4000):
    columns = np.asarray(values, dtype=float).reshape(len(values), -1)
    return bootstrap_ratios(columns, np.ones_like(columns), resamples=resamples, rng=np.random.default_rng(0))


def ends(interval):
    return [interval.low, interval.high]


def test_bca_and_percentile_are_those_of_scipy_on_the_same_replicates(draw):
    values = draw.lognormal(sigma=0.6, size=25)
    boot = boot_of(values)
    given = boot.estimate[0] + boot.deviations[0]
    for method in ("BCa", "percentile"):
        # With no resamples of its own scipy takes the replicates of an earlier result.
        earlier = stats.bootstrap((values,), np.mean, n_resamples=2, method="percentile", rng=0)
        earlier.bootstrap_distribution = given
        theirs = stats.bootstrap((values,), np.mean, n_resamples=0, method=method, bootstrap_result=earlier)
        [mine] = intervals(boot, [method.lower()])
        assert ends(mine) == pytest.approx(list(theirs.confidence_interval), rel=1e-9)
        assert mine.method == method.lower()


def test_the_t_interval_is_the_textbook_one(draw):
    values = draw.normal(size=7)
    expected = stats.t.interval(0.95, 6, values.mean(), stats.sem(values))
    assert ends(intervals(boot_of(values), ["t"])[0]) == pytest.approx(list(expected))


def test_bootstrap_t_takes_quantiles_of_studentised_replicates(draw):
    values = draw.gamma(2, size=12)
    rng = np.random.default_rng(0)
    index = rng.integers(0, 12, (4000, 12))
    samples = values[index]
    t = (samples.mean(axis=1) - values.mean()) / stats.sem(samples, axis=1)
    low, high = values.mean() - np.quantile(t, [0.975, 0.025]) * stats.sem(values)
    assert ends(intervals(boot_of(values), ["bootstrap-t"])[0]) == pytest.approx([low, high])


def test_every_column_gets_its_own_method(draw):
    values = draw.random((15, 4))
    kinds = ["t", "bca", "t", "bootstrap-t"]
    together = intervals(boot_of(values), kinds)
    assert [one.method for one in together] == kinds
    for column, kind in enumerate(kinds):
        [alone] = intervals(boot_of(values[:, column]), [kind])
        assert ends(together[column]) == pytest.approx(ends(alone), rel=1e-12)


def test_where_bca_fails_the_percentile_interval_stands_in(draw):
    boot = boot_of(draw.random(10))
    boot.deviations[:] = np.abs(boot.deviations) + 0.01  # all replicates above the estimate
    assert bca_bias(boot) == -np.inf
    [found] = intervals(boot, ["bca"])
    assert (found.method, found.reason) == ("percentile", "BCa is undefined here")
    assert ends(found) == pytest.approx((boot.estimate + np.quantile(boot.deviations, [0.025, 0.975])).tolist())


def test_where_bootstrap_t_fails_the_t_interval_stands_in():
    values = [0.0, 0.0, 0.0, 0.0, 0.0, 0.6]  # a third of all resamples never draws the last speaker
    low, high = bootstrap_t_ends(boot_of(values))
    assert (np.isfinite(low[0]), high[0]) == (True, np.inf)
    [found] = intervals(boot_of(values), ["bootstrap-t"])
    assert found.method == "t"
    assert "without spread" in found.reason
    assert ends(found) == pytest.approx(list(stats.t.interval(0.95, 5, 0.1, 0.1)))


def test_both_ends_may_be_infinite():
    boot = boot_of([0.1, 0.2, 0.9])  # 3 of 27 resamples draw one speaker three times
    low, high = bootstrap_t_ends(boot)
    assert (low[0], high[0]) == (-np.inf, np.inf)
    assert intervals(boot, ["bootstrap-t"])[0].method == "t"


@pytest.mark.parametrize(
    ("rule", "methods"),
    [
        ("auto", ["t", "bootstrap-t", "bootstrap-t", "bootstrap-t", "bca"]),
        ("paper", ["percentile", "percentile", "bca", "bca", "bca"]),
        ("percentile", ["percentile"] * 5),
        ("bca", ["bca"] * 5),
        ("t", ["t"] * 5),
        ("bootstrap-t", ["bootstrap-t"] * 5),
    ],
)
def test_the_rules(rule, methods):
    assert [chosen_method(rule, n) for n in (4, 5, 10, 19, 20)] == methods
    assert rule in CI_RULES


def test_an_unknown_rule_names_the_known_ones():
    with pytest.raises(PedkitError, match=r"auto, paper, bca, percentile, t, bootstrap-t, but got 'BCa'"):
        chosen_method("BCa", 10)


def test_ties_count_half():
    boot = boot_of([0.2, 0.4])  # means 0.2, 0.3, 0.4 with shares 1/4, 1/2, 1/4
    share = (boot.deviations[0] < -0.05).mean() + (np.abs(boot.deviations[0]) < 0.05).mean() / 2
    assert bca_bias(boot) == pytest.approx(stats.norm.ppf(share))
