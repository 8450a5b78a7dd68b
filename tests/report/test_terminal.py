import io

from rich.console import Console

from pedkit.report.terminal import print_groups, print_scores, print_words
from tests.report.conftest import rate
from tests.report.fairness.made_up_content import group, make_content, make_system, pair


def test_each_row_is_one_line_also_in_a_narrow_terminal(scores):
    stream = io.StringIO()
    print_scores({"toy_words_seen_in_training": scores, "real": scores}, Console(file=stream, width=80))
    lines = stream.getvalue().splitlines()
    rows = [line.split() for line in lines]
    assert ["toy_words_seen_in_training", "30.0", "25.0", "25.0", "50.0", "–", "30.0", "–", "–", "–"] in rows
    assert ["empty", "30.0", "25.0", "25.0", "50.0", "–", "30.0", "–", "–", "–"] in rows
    assert "DER (Li) DER (PEDBench)" in stream.getvalue()


def test_words_are_one_line_a_system():
    stream = io.StringIO()
    systems = {"mine": {"wer": rate(321, 1234)}, "<empty>": {"wer": rate(0, 0)}}
    print_words({"x": {"systems": systems}}, Console(file=stream, width=80))
    assert [line.split() for line in stream.getvalue().splitlines()] == [
        ["WER", "%", "errors", "words"],
        ["mine", "26.0", "321", "1", "234"],
        ["<empty>", "–", "0", "0"],
    ]


def test_groups_are_one_line_an_attribute():
    groups = [group("english", 0.2), group("indian", 0.3)]
    stream = io.StringIO()
    content = make_content({"s": make_system(groups, [pair(*groups, 0.01)], p=0.01)})
    print_groups(content, Console(file=stream, width=30))
    assert stream.getvalue() == "PER by accent: a difference can be claimed for one pair\n"


def test_gaps_between_sets_and_notes_stand_below_the_attributes():
    stream = io.StringIO()
    groups = [group("english", 0.2), group("indian", 0.3)]
    content = make_content({"s": make_system(groups, [pair(*groups, 0.5)])})
    content["settings"]["sets"] = {"reference": ["english"], "compared": ["irish"]}
    row = {"attribute": "accent", "corpus": "toy", "value": None, "reason": "no mean for irish"}
    content["gap_between_sets"] = [row | {"metric": "per"}, row | {"metric": "frr"}]
    content["notes"] = ["'far' was asked for and is left out"]
    print_groups(content, Console(file=stream, width=30))
    assert stream.getvalue().splitlines()[1:] == [
        "No gap between the two sets in PER: no mean for irish.",
        "'far' was asked for and is left out.",
    ]


def test_where_nothing_can_be_tested_the_reason_stands_beside_it():
    stream = io.StringIO()
    content = make_content({"s": make_system([group("english", 0.2, None), group("indian", 0.3, None)], [])})
    content["systems"]["s"]["overall"][0] |= {
        "n_speakers": None,
        "reason": "none of 2 utterances has a speaker id",
    }
    print_groups(content, Console(file=stream, width=30))
    assert stream.getvalue() == ("PER by accent: nothing can be tested (none of 2 utterances has a speaker id)\n")
