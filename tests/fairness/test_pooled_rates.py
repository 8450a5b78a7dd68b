"""The rate of all utterances together and its interval speak of the same speakers."""

import pytest
from scipy import stats

from pedkit.fairness.intervals import CI_RULES
from tests.fairness.made_up_groups import everything, frame, row, seen, speakers


def test_a_pooled_rate_and_its_interval_speak_of_the_same_speakers():
    # 8 speakers with 1 or 2 errors in 10 phones, and one of whom 9 phones were heard that were not there
    rows = [*speakers("a", [1, 2] * 4), seen("z", "c:z", 9, 0, accent="a")]
    for ci in CI_RULES:
        found = row(frame(rows, ci=ci, resamples=2000), "a")
        assert (found.n_speakers, found.n_dropped, found.mean) == (8, 1, pytest.approx(0.15))
        assert found.pooled.value == 21 / 80
        assert found.pooled.interval.low < 21 / 80 < found.pooled.interval.high
    # variance of a ratio of sums: 9 / 8 of the sum of (errors - 21 / 80 phones)^2 / 80^2
    squares = 4 * (1 - 2.625) ** 2 + 4 * (2 - 2.625) ** 2 + 9**2
    half = stats.t.ppf(0.975, 8) * (9 / 8 * squares) ** 0.5 / 80
    found = row(frame(rows, ci="t"), "a").pooled.interval
    assert (found.low, found.high) == pytest.approx((21 / 80 - half, 21 / 80 + half))


def test_resamples_without_anything_to_judge_leave_no_interval_of_percentiles():
    rows = [seen("1", "c:1", 1, accent="a"), seen("2", "c:2", 9, 0, accent="a")]
    found = row(frame(rows, ci="percentile"), "a").pooled
    assert (found.value, found.interval.low) == (1.0, None)
    assert found.interval.reason == "in too many resamples no speaker said anything to judge"
    everything(frame(rows, ci="bootstrap-t"))
    nothing = row(frame([seen("1", "c:1", 2, 0, accent="a"), seen("2", "c:2", 9, 0, accent="a")]), "a").pooled
    assert (nothing.value, nothing.interval.reason) == (None, "no speaker with a value")
