import numpy as np
import pytest

from pedkit.data.utterance import Utterance
from pedkit.errors import PedkitError
from pedkit.fairness import GroupSums
from pedkit.fairness.groups import group_value
from pedkit.scoring import Counts


def counts(errors, phones):
    return Counts.from_fields({"utterances": 1, "substitutions": errors, "reference_phones": phones})


def add_all(keys, rows):
    sums = GroupSums(keys)
    for number, (groups, speaker, corpus, errors, phones) in enumerate(rows):
        sums.add(Utterance(id=f"u{number}", groups=groups, speaker=speaker, corpus=corpus), counts(errors, phones))
    return sums


def summary(sums):
    return [
        (g.key, g.corpus, g.value, g.n_utterances, g.n_speakers, g.counts.per.numerator, g.counts.per.denominator)
        for g in sums.groups()
    ]


def test_a_missing_value_is_a_group_and_counts_add_to_the_total():
    accents = ["a", "a", "a", "a", "b", "b", None]
    rows = [({} if a is None else {"accent": a}, f"s{i}", "c", 1, 10 + i) for i, a in enumerate(accents)]
    sums = add_all(["accent"], rows)
    assert [(row[2], row[3]) for row in summary(sums)] == [("a", 4), ("b", 2), ("unknown", 1)]
    total = sum((group.counts.to_array() for group in sums.groups()), np.zeros_like(Counts.zero().to_array()))
    assert Counts.from_array(total).per.denominator == sum(range(10, 17))


def test_rates_come_from_sums_and_speakers_are_counted_once():
    sums = add_all(["gender"], [({"gender": "f"}, "s1", "c", 1, 2), ({"gender": "f"}, "s1", "c", 0, 8)])
    [group] = sums.groups()
    assert group.counts.per.value == 0.1  # not the mean of 0.5 and 0
    assert (group.n_utterances, group.n_speakers) == (2, 1)


def test_two_corpora_never_share_a_group():
    sums = add_all(["gender"], [({"gender": "f"}, "a:1", "a", 1, 2), ({"gender": "f"}, "b:1", "b", 0, 2)])
    assert [(row[1], row[2], row[5]) for row in summary(sums)] == [("a", "f", 1), ("b", "f", 0)]


def test_speakers_are_unknown_where_one_has_no_id():
    sums = add_all(["gender"], [({"gender": "f"}, "s1", "c", 0, 1), ({"gender": "f"}, None, "c", 0, 1)])
    assert sums.groups()[0].n_speakers is None


def test_values_stand_in_order_of_size_or_name_and_unknown_last():
    ages = [9, 10, 61, None, 7]
    rows = [({} if age is None else {"age": age}, "s", "c", 0, 1) for age in ages]
    assert [row[2] for row in summary(add_all(["age"], rows))] == ["7", "9", "10", "61", "unknown"]


def test_several_keys_and_fields_of_the_utterance():
    sums = add_all(["gender", "speaker"], [({"gender": "f"}, "s1", "c", 1, 2), ({"gender": "f"}, "s2", "c", 0, 2)])
    assert [row[:3] for row in summary(sums)] == [
        ("gender", "c", "f"),
        ("speaker", "c", "s1"),
        ("speaker", "c", "s2"),
    ]


def test_a_key_that_nobody_has_is_refused():
    sums = add_all(["acent"], [({"accent": "a"}, "s", "c", 0, 1)])
    with pytest.raises(PedkitError, match=r"no utterance has the group key 'acent' \(did you mean 'accent'\?\)"):
        sums.groups()


def test_a_field_that_nobody_has_is_not_among_those_there_are():
    with pytest.raises(PedkitError, match=r"'split' \(there are: accent, corpus, language, level, speaker\)"):
        add_all(["split"], [({"accent": "a"}, "s", "c", 0, 1)]).groups()


@pytest.mark.parametrize(("value", "text"), [(False, "false"), (True, "true"), (7, "7"), ("child", "child")])
def test_values_are_text(value, text):
    assert group_value(Utterance(id="u", groups={"key": value}), "key") == text


def test_json_has_sizes_beside_scores_and_no_interval():
    sums = add_all(["gender"], [({"gender": "f"}, "s1", "c", 1, 4)])
    group = sums.to_json()["gender"]["c"]["f"]
    assert (group["n_utterances"], group["n_speakers"], group["per"]["value"]) == (1, 1, 0.25)
    assert not [key for key in group if "interval" in key or "ci" in key.split("_")]


def test_an_intersection_joins_its_values_and_is_unknown_where_one_is():
    rows = [({"gender": "f", "native": False}, "s1", "c", 1, 2), ({"gender": "f"}, "s2", "c", 0, 2)]
    assert [row[2] for row in summary(add_all(["gender*native"], rows))] == ["f & false", "unknown"]
    with pytest.raises(PedkitError, match=r"no utterance has the group key 'gender\*accent'"):
        add_all(["gender*accent"], rows).groups()
