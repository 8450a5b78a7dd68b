import numpy as np
import pytest

from pedkit.errors import PedkitError
from pedkit.fairness import Observation
from pedkit.fairness.change_of_gap import change_of_gap
from pedkit.fairness.welch import welch_test

FIRST = {"a": [0.10, 0.20, 0.30], "b": [0.40, 0.44, 0.60, 0.52]}
SECOND = {"a": [0.12, 0.19, 0.29], "b": [0.30, 0.36, 0.47, 0.40]}


def observed(rates, corpus="c"):
    return [
        Observation(f"{group}{k}", f"{group}{k}", corpus, {"accent": group}, {"per": (round(100 * rate), 100)})
        for group, values in rates.items()
        for k, rate in enumerate(values)
    ]


def compare(first, second, **settings):
    return change_of_gap(first, second, metrics=["per"], attributes=["accent"], **settings)


def test_the_change_is_that_of_the_speakers_own_differences():
    [row] = compare(observed(FIRST), observed(SECOND))
    means = [np.mean(rates["a"]) - np.mean(rates["b"]) for rates in (FIRST, SECOND)]
    assert (row.first_gap, row.second_gap) == (pytest.approx(means[0]), pytest.approx(means[1]))
    assert row.change == pytest.approx(means[1] - means[0])
    changes = [np.array(SECOND[name]) - np.array(FIRST[name]) for name in "ab"]
    expected = welch_test(*changes)
    assert (row.p, row.interval.low, row.interval.high) == (
        pytest.approx(expected.p),
        pytest.approx(expected.low),
        pytest.approx(expected.high),
    )
    assert (row.n_row, row.n_column, row.n_tests, row.p_holm) == (3, 4, 1, row.p)


def test_speakers_of_one_system_alone_take_no_part():
    [whole] = compare(observed(FIRST), observed(SECOND))
    [row] = compare(observed(FIRST | {"b": [*FIRST["b"], 0.9]}), observed(SECOND))
    assert (row.n_column, row.change, row.left_out, whole.left_out) == (4, whole.change, 1, 0)
    unjudged = [*observed(FIRST), Observation("x", "x", "c", {"accent": "a"}, {"per": (0, 0)})]
    [row] = compare(unjudged, [*observed(SECOND), unjudged[-1]])
    assert (row.n_row, row.change) == (3, whole.change)


def test_equal_systems_have_no_change_and_no_test():
    [row] = compare(observed(FIRST), observed(FIRST))
    assert (row.change, row.p, row.p_holm, row.stars_holm, row.interval.low) == (0, None, None, "", None)
    assert row.reason


def test_one_speaker_has_a_change_and_no_test():
    one = {"a": FIRST["a"], "b": [0.4]}
    [row] = compare(observed(one), observed({"a": SECOND["a"], "b": [0.3]}))
    assert row.change == pytest.approx((np.mean(SECOND["a"]) - 0.3) - (np.mean(FIRST["a"]) - 0.4))
    assert (row.p, row.n_tests) == (None, 0)
    assert "1 speaker" in row.reason


def test_pairs_are_a_family_and_missing_values_no_group():
    three = FIRST | {"d": [0.3, 0.5, 0.4], "unknown": [0.1, 0.9]}
    rows = compare(observed(three), observed(SECOND | {"d": [0.31, 0.52, 0.38], "unknown": [0.1, 0.9]}))
    assert [(row.row, row.column) for row in rows] == [("a", "b"), ("a", "d"), ("b", "d")]
    assert {row.n_tests for row in rows} == {3}
    assert min(row.p_holm for row in rows) == pytest.approx(3 * min(row.p for row in rows))


def test_corpora_are_kept_apart_and_speakers_in_two_groups_not_compared():
    first = [*observed(FIRST), *observed({"a": [0.2, 0.3], "b": [0.4, 0.5]}, "d")]
    second = [*observed(SECOND), *observed({"a": [0.1, 0.3], "b": [0.4, 0.3]}, "d")]
    assert [row.corpus for row in compare(first, second)] == ["c", "d"]
    assert compare(observed(FIRST), observed(SECOND, "other")) == []
    both = [*observed(FIRST), Observation("y", "a0", "c", {"accent": "b"}, {"per": (1, 10)})]
    [row] = compare(both, [*observed(SECOND), both[-1]])
    assert (row.p, row.interval.low) == (None, None)
    assert "a0" in row.reason


def test_without_speaker_ids_there_is_no_change():
    [row] = compare(
        *([Observation(o.id, None, "c", o.groups, o.sums) for o in observed(r)] for r in (FIRST, SECOND))
    )
    assert (row.change, row.first_gap, row.p) == (None, None, None)
    assert "none of 3 utterances has a speaker id" in row.reason


def test_speakers_are_compared_on_the_utterances_that_both_systems_scored():
    [whole] = compare(observed(FIRST), observed(SECOND))
    hard = [Observation(f"hard{k}", f"a{k}", "c", {"accent": "a"}, {"per": (90, 100)}) for k in range(3)]
    [row] = compare(observed(FIRST), [*observed(SECOND), *hard])
    assert (row.change, row.p, row.left_out) == (whole.change, whole.p, 3)


@pytest.mark.parametrize(
    ("other", "message"),
    [
        ({"speaker": "z"}, "utterance 'a0': the speaker is 'a0' under the first system, but 'z' under the second"),
        ({"groups": {"accent": "b"}}, "utterance 'a0': the accent is 'a' under the first system, but 'b'"),
        ({"reference": "g2p"}, "utterance 'a0': the reference is 'realized phones' under the first"),
    ],
)
def test_an_utterance_is_the_same_under_both_systems(other, message):
    first, *rest = observed(SECOND)
    same = {"id": first.id, "speaker": first.speaker, "corpus": "c", "groups": first.groups, "sums": first.sums}
    with pytest.raises(PedkitError, match=message):
        compare(observed(FIRST), [Observation(**same | other), *rest])
