"""Intervals of rates as files show them, and the notes that stand above the tables."""

import pytest

from tests.fairness.test_group_frame import frame, row, seen, speakers


@pytest.mark.parametrize(
    ("metric", "most"), [("far", 1.0), ("f1", 1.0), ("per", 1.370620), ("soft_per", 1.370620)]
)
def test_the_interval_of_a_rate_holds_no_value_that_a_rate_cannot_have(metric, most):
    # mean 0.1, standard error 0.1, t(1) quantile 12.70620: -1.170620 to 1.370620
    table = frame(speakers("a", [0, 2], metric=metric) + speakers("b", [1, 3], metric=metric), metrics=(metric,))
    assert row(table, "a").interval.low == pytest.approx(-1.170620, abs=1e-6)  # what the formula gives
    shown = row(table, "a").to_json()
    for found in (shown["interval"], shown["t_interval"], shown["pooled"]["interval"]):
        assert found == {"low": 0.0, "high": pytest.approx(most, abs=1e-6), "method": "t", "reason": None}
    assert shown["from_speaker_mean"]["interval"]["low"] < 0  # a distance may be below 0


def test_a_corpus_that_is_not_named_is_no_missing_value_and_no_name():
    table = frame(speakers("a", [1, 2], corpus="unknown") + speakers("unknown", [3, 4], corpus="unknown"))
    assert table.overall[0].flags == ("few_speakers",)
    assert row(table, "unknown", "unknown").flags == ("missing_value", "few_speakers")
    assert table.notes == ["accent: fewer than two named groups, nothing to compare"]


@pytest.mark.parametrize(
    ("utterances", "note"),
    [(1, "The only utterance has no speaker id"), (2, "None of 2 utterances has a speaker id")],
)
def test_without_any_speaker_id_the_note_is_a_sentence(utterances, note):
    rows = [seen(str(k), None, 1, corpus="unknown", accent="a") for k in range(utterances)]
    assert frame(rows).notes[0] == f"{note}; groups with such utterances have no interval and no test"
