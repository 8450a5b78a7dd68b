import re

import pytest

from pedkit.report.fairness.content import slices
from pedkit.report.fairness.readings import cautions, p_text, readings, verdict
from tests.report.fairness.made_up_content import group, make_content, make_system, pair

PEOPLE = re.compile(r"\b(bias|biased|unfair|discriminat\w+|worse people|bad speakers?)\b", re.IGNORECASE)


def only(content):
    [one] = slices(content)
    return one


def said(content, metric="per"):
    return readings(only(content), metric)


def test_a_difference_is_claimed_for_the_pair_that_is_beyond_chance_and_for_no_other(three):
    assert said(three) == [
        "The groups differ in PER (p = 0.003, Welch's analysis of variance).",
        "PER is higher for indian than for english, by 6.0 to 12.0 points (29.0 % against 20.0 %).",
        "For the other 2 pairs no difference can be claimed.",
        "Taken one by one, 2 of 3 pairs would carry a star; so many tests give stars by chance, and what is "
        "claimed here is corrected for that.",
    ]
    assert verdict(only(three), "per") == "a difference can be claimed for one pair"


def test_nothing_is_claimed_where_the_test_of_all_groups_says_nothing(three):
    three["systems"]["s"]["omnibus"][0]["welch_anova"]["p"] = 0.2
    first, second, _ = said(three)
    assert first == (
        "No difference in PER can be claimed (p = 0.20, Welch's analysis of variance): the means run from 20.0 % "
        "(english) to 29.0 % (indian), and gaps like that can come about by chance."
    )
    assert (
        second
        == "That is no proof of equality: with these speakers a gap of less than 6 points easily goes unseen."
    )
    assert verdict(only(three), "per") == "no difference can be claimed"


def test_the_mixed_model_decides_where_there_is_one(three):
    model = {"p": 0.6, "p_method": "x", "bootstrap": {"p": 0.6}, "groups": [], "flags": {}, "worst_to_best": None}
    three["systems"]["s"]["models"] = [three["systems"]["s"]["omnibus"][0] | model]
    assert said(three)[0].startswith("No difference in PER can be claimed (p = 0.60, mixed model, bootstrap)")


def test_a_model_with_further_terms_names_them(three):
    model = {"p": 0.6, "p_method": "x", "bootstrap": None, "groups": [], "flags": {}, "worst_to_best": None}
    three["systems"]["s"]["models"] = [three["systems"]["s"]["omnibus"][0] | model]
    three["settings"] |= {"covariates": ["snr_db", "accent"], "prompt": True}
    assert "(p = 0.60, mixed model with snr db, what was read)" in said(three)[0]


def test_two_groups_that_only_the_model_tells_apart_get_its_ratio():
    groups = [group("english", 0.20), group("indian", 0.24)]
    ratio = {"value": 1.2, "low": 1.04, "high": 1.38, "reason": None}
    model = {"p": 0.01, "p_method": "x", "bootstrap": None, "groups": [{}, {}], "flags": {}}
    model |= {"worst_to_best": {"worst": "indian", "best": "english", "ratio": ratio}}
    content = make_content({"s": make_system(groups, [pair(*groups, 0.08)], model=model)})
    assert said(content) == ["PER for indian is 1.04 to 1.38 times that for english (p = 0.01, mixed model)."]


def test_of_f1_less_is_worse():
    groups = [group("english", 0.60, metric="f1"), group("indian", 0.50, metric="f1")]
    content = make_content({"s": make_system(groups, [pair(*groups, 0.01)], p=0.01)}, metric="f1")
    assert said(content, "f1") == [
        "F1 is lower for indian than for english, by 7.0 to 13.0 points (50.0 % against 60.0 %)."
    ]


@pytest.mark.parametrize(
    ("groups", "sentence"),
    [
        ([group("a", 0.2, None), group("b", 0.3, None)], "No interval and no test, because one speaker."),
        (
            [group("a", 0.2, 1), group("b", 0.3, 20)],
            "Nothing can be compared in PER: fewer than two groups have two",
        ),
        ([group("a", 0.2, 20)], "Nothing can be compared in PER"),
        ([group("unknown", 0.2, 20)], "No interval and no test, because there is no named group."),
    ],
)
def test_what_cannot_be_compared_is_said_to_be_so(groups, sentence):
    [found] = said(make_content({"s": make_system(groups, [])}))
    assert found.startswith(sentence)


def test_where_nothing_can_be_compared_no_test_makes_a_verdict():
    groups = [group("a", 0.2, 1), group("b", 0.3, 25)]
    model = {"p": 0.006, "p_method": "x", "bootstrap": None, "groups": [], "flags": {}, "worst_to_best": None}
    content = make_content(
        {"s": make_system(groups, [pair(*groups, None, reason="n/a (1 speaker)")], model=model)}
    )
    assert said(content) == ["Nothing can be compared in PER: fewer than two groups have two speakers or more."]
    assert verdict(only(content), "per") == (
        "nothing can be tested (fewer than two groups have two speakers or more)"
    )


@pytest.mark.parametrize(
    ("gap", "text"),
    [
        (0.061, "6 points"),
        (0.124, "12 points"),
        (0.0104, "1 point"),
        (0.0034, "0.3 points"),
        (0.00048, "0.05 points"),
    ],
)
def test_a_gap_that_goes_unseen_is_never_0_points(three, gap, text):
    three["systems"]["s"]["omnibus"][0]["welch_anova"]["p"] = 0.2
    for row in three["systems"]["s"]["pairwise"]:
        row["detectable_gap"] = gap
    assert f"a gap of less than {text} easily goes unseen." in said(three)[1]


def test_pairs_without_a_test_are_named_with_the_reason():
    groups = [group("a", 0.2), group("b", 0.3), group("c", 0.3, 1)]
    pairs = [
        pair(groups[0], groups[1], 0.5),
        *(pair(g, groups[2], None, reason="n/a (1 speaker): c") for g in groups[:2]),
    ]
    assert said(make_content({"s": make_system(groups, pairs)}))[-1] == "2 pairs have no test (one speaker: c)."


def test_small_groups_missing_values_and_attributes_that_go_together_are_named(three):
    three["systems"]["s"]["by_group"].append(group("unknown", 0.2))
    three["confounding"][0]["pairs"] = [
        {"first": "age_group", "second": "accent", "cramers_v_corrected": 0.62},
        {"first": "accent", "second": "gender", "cramers_v_corrected": 0.1},
        {"first": "age_group", "second": "gender", "cramers_v_corrected": 0.9},
    ]
    assert cautions(only(three), "per") == [
        "Fewer than 10 speakers: welsh (5). One speaker more or less can move such a mean a lot.",
        "40 utterances carry no accent; no comparison uses them.",
        "accent and age group go together (Cramér's V 0.62), so a gap by the one may be a gap by the other.",
    ]


@pytest.mark.parametrize(
    ("first_gap", "second_gap", "word", "sizes"),
    [
        (0.09, 0.04, "narrows", "from 9.0 to 4.0"),
        (-0.09, -0.04, "narrows", "from 9.0 to 4.0"),
        (0.04, 0.09, "widens", "from 4.0 to 9.0"),
        (0.03, -0.02, "turns round", "from 3.0 to 2.0"),
    ],
)
def test_a_gap_that_changes_between_systems(three, first_gap, second_gap, word, sizes):
    change = second_gap - first_gap
    row = {
        "first": "s", "second": "t", "attribute": "accent", "corpus": "toy", "metric": "per", "row": "indian",
        "column": "english", "first_gap": first_gap, "second_gap": second_gap, "change": change, "p_holm": 0.001,
        "interval": {"low": change - 0.02, "high": change + 0.02}, "left_out": 0,
    }  # fmt: skip
    three["change_of_gap"] = [row]
    low, high = 100 * abs(change) - 2, 100 * abs(change) + 2
    assert said(three)[-1] == (
        f"From s to t the gap in PER between indian and english {word}, by {low:.1f} to {high:.1f} points "
        f"({sizes} points), on the same speakers."
    )
    row |= {"p_holm": 0.3, "left_out": 7}
    assert said(three)[-2:] == [
        "7 utterances that only s or t scored take no part in this.",
        "From s to t no change of a gap in PER can be claimed.",
    ]


def test_sentences_are_about_measured_error(three):
    three["systems"]["t"] = three["systems"]["s"]
    for sentence in [*said(three), *cautions(only(three), "per")]:
        assert not PEOPLE.search(sentence)
    assert sum(sentence.startswith("s: ") for sentence in said(three)) == 4


@pytest.mark.parametrize(
    ("p", "text"), [(1e-9, "p < 0.001"), (0.0312, "p = 0.031"), (0.004, "p = 0.004"), (0.531, "p = 0.53")]
)
def test_p_values_have_no_more_digits_than_they_are_worth(p, text):
    assert p_text(p) == text


def test_of_many_small_groups_the_first_are_named():
    groups = [group(f"g{k}", 0.2, 3) for k in range(10)]
    [caution] = cautions(only(make_content({"s": make_system(groups, [])})), "per")
    assert caution.startswith("Fewer than 10 speakers: g0 (3), g1 (3)")
    assert "g7 (3) and 2 more. One speaker" in caution


def test_equal_means_are_said_to_be_equal():
    groups = [group("female", 0.8171), group("male", 0.8168)]
    first, *_ = said(make_content({"s": make_system(groups, [pair(*groups, 0.24)], p=0.24)}))
    assert first == (
        "No difference in PER can be claimed (p = 0.24, Welch's analysis of variance): the means of all groups "
        "are 81.7 %."
    )


def test_the_reason_for_no_test_counts_all_utterances():
    groups = [group("a", 0.2, None) | {"interval": {"reason": "1 of 1 utterances"}}, group("b", 0.3, None)]
    content = make_content({"s": make_system(groups, [])})
    content["systems"]["s"]["overall"][0]["reason"] = "none of 2 utterances has a speaker id"
    assert said(content)[0].startswith("No interval and no test, because none of 2 utterances has a speaker id.")
    assert verdict(only(content), "per") == "nothing can be tested (none of 2 utterances has a speaker id)"


def test_of_one_utterance_the_sentences_are_in_the_singular(three):
    three["systems"]["s"]["by_group"].append(group("unknown", 0.2) | {"n_utterances": 1})
    assert "1 utterance carries no accent; no comparison uses them." in cautions(only(three), "per")
