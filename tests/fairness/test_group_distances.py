"""How far a group lies from both means, what `unknown` has to do with it, and where nothing is left to compare."""

import numpy as np
import pytest
from scipy import stats

from tests.fairness.made_up_groups import frame, row, seen, speakers


def test_missing_values_are_a_row_and_part_of_the_overall_mean_but_of_no_test():
    rows = speakers("a", [1, 2, 3]) + speakers("b", [4, 6]) + speakers("unknown", [9, 9])
    table = frame(rows)
    assert row(table, "unknown").flags == ("missing_value", "few_speakers", "same_value")
    assert table.overall[0].mean == pytest.approx(3.4 / 7)
    assert row(table, "a").from_speaker_mean.value == pytest.approx(0.2 - 3.4 / 7)
    assert row(table, "a").from_mean_of_group_means.value == pytest.approx(0.2 - (0.2 + 0.5) / 2)
    assert row(table, "unknown").from_mean_of_group_means.value == pytest.approx(0.9 - (0.2 + 0.5) / 2)
    assert [(p.row, p.column, p.n_tests) for p in table.pairwise()] == [("a", "b", 1)]
    assert table.omnibus()[0].n_groups == 2
    assert table.difference()[0].worst == "b"
    assert row(table, "a").ratio_to_best == 1


def test_one_speaker_without_a_value_moves_no_distance_from_the_mean_of_group_means():
    named = speakers("a", [0, 1, 2, 0]) + speakers("b", [3, 5, 9, 4])
    table, with_one = frame(named), frame([*named, seen("x", "c:x", 10)])
    for value in ("a", "b"):
        assert row(with_one, value).from_mean_of_group_means == row(table, value).from_mean_of_group_means
        assert row(table, value).from_mean_of_group_means.interval.low is not None
    lonely = row(with_one, "unknown").from_mean_of_group_means
    assert (lonely.value, lonely.interval.reason) == (pytest.approx(1.0 - (0.075 + 0.525) / 2), "one speaker")


def test_the_distance_of_missing_values_adds_the_spread_of_the_named_groups():
    table = frame(speakers("a", [1, 2, 3]) + speakers("b", [4, 8]) + speakers("unknown", [7, 9]), ci="t")
    found = row(table, "unknown").from_mean_of_group_means.interval
    # variances of the means: 0.01 / 3, 0.08 / 2, 0.02 / 2; the means of a and b enter with one half
    parts = np.array([0.01 / 3 / 4, 0.08 / 2 / 4, 0.02 / 2])
    df = parts.sum() ** 2 / (parts**2 / [2, 1, 1]).sum()
    assert found.high - found.low == pytest.approx(2 * stats.t.ppf(0.975, df) * parts.sum() ** 0.5)


def test_where_all_values_are_missing_there_is_no_mean_of_group_means():
    rows = speakers("a", [1, 2]) + [seen(f"d{k}", f"d:{k}", 5 + k, corpus="d") for k in range(2)]
    found = row(frame(rows), "unknown", corpus="d")
    assert (found.from_mean_of_group_means.value, found.from_mean_of_group_means.interval.reason) == (
        None,
        "no named group has a value",
    )


def test_the_distance_of_a_group_that_is_all_there_is_has_a_reason_of_its_own():
    found = row(frame(speakers("a", [1, 2, 3])), "a")
    assert (found.from_speaker_mean.value, found.from_mean_of_group_means.value) == (0, 0)
    assert found.from_speaker_mean.interval.reason == "the group is the whole corpus"
    assert found.from_mean_of_group_means.interval.reason == "it is the only named group"
    found = row(frame(speakers("a", [1, 2, 3]) + speakers("unknown", [4, 7])), "a")
    assert found.from_speaker_mean.interval.low is not None
    assert found.from_mean_of_group_means.interval.reason == "it is the only named group"
