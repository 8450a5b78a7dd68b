"""Flags, words and the target span follow the canonical phones through the projection; all worked out by hand."""

from pedkit.data.prediction import Prediction
from pedkit.data.utterance import Utterance, Word
from pedkit.evaluation.items import ItemBuilder
from pedkit.evaluation.score import score

# "a hot day": ax | hh aa tcl t | dcl d ey -> AH | HH AA T | D EY
HOT_DAY = Utterance(
    id="a",
    inventory="timit61",
    canonical=("ax", "hh", "aa", "tcl", "t", "dcl", "d", "ey"),
    realized=("ax", "hh", "ao", "tcl", "t", "dcl", "d", "ey"),
    words=(Word("a", 0, 1), Word("hot", 1, 5), Word("day", 5, 8)),
    target_span=(1, 5),
    flags={6: "star"},
)


def test_indices_of_merged_closures():
    moved = ItemBuilder().projected(HOT_DAY)
    assert moved.canonical == ("AH", "HH", "AA", "T", "D", "EY")
    assert moved.realized == ("AH", "HH", "AO", "T", "D", "EY")
    assert [(word.text, word.start, word.end) for word in moved.words] == [
        ("a", 0, 1),
        ("hot", 1, 4),
        ("day", 4, 6),
    ]
    assert moved.target_span == (1, 4)
    assert moved.flags == {4: "star"}
    assert moved.inventory == "cmu39"


def test_scores_are_those_of_the_words_they_mean():
    heard = Prediction(id="a", phones=("AH", "HH", "AO", "T", "T", "EY"), inventory="cmu39")
    system = score(predictions={"x": [heard]}, manifest=[HOT_DAY]).to_json()["systems"]["x"]
    # AA said as AO and heard so: CD. D flagged, heard as T: an error of unknown identity, detected.
    assert system["mdd"]["counts"] == {"TA": 4, "FR": 0, "FA": 0, "CD": 1, "DE": 0, "DU": 1}
    assert system["spans"]["target"]["mdd"]["counts"] == {"TA": 2, "FR": 0, "FA": 0, "CD": 1, "DE": 0, "DU": 0}
    assert system["spans"]["words"]["word_level"]["counts"] == {"TA": 1, "FR": 0, "FA": 0, "TR": 2}


def test_one_symbol_that_becomes_two_phones_and_one_that_becomes_none():
    # b ɑ ʔ əl s -> B AA AH L S: as many phones as symbols, yet every index behind the second one moves
    utterance = Utterance(
        id="a",
        inventory="ipa",
        language="eng",
        canonical=("b", "ɑ", "ʔ", "əl", "s"),
        realized=("b", "ɑ", "ʔ", "əl", "s"),
        words=(Word("bottle", 0, 4), Word("is", 4, 5)),
        flags={2: "star", 3: "star"},
    )
    moved = ItemBuilder().projected(utterance)
    assert moved.canonical == ("B", "AA", "AH", "L", "S")
    assert [(word.start, word.end) for word in moved.words] == [(0, 4), (4, 5)]
    assert moved.flags == {2: "star", 3: "star"}  # both phones of əl; the flag of the dropped ʔ went with it


def test_nothing_moves_inside_one_inventory():
    utterance = Utterance(id="a", inventory="cmu39", canonical=("K", "AE"), realized=("K",), flags={1: "star"})
    assert ItemBuilder().projected(utterance) is utterance
