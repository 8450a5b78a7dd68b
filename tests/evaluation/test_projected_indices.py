"""Flags, words and the target span follow the canonical phones through the projection; all worked out by hand."""

import pytest

from pedkit.data.prediction import Prediction
from pedkit.data.utterance import Utterance, Word
from pedkit.errors import PedkitError
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


def test_an_annotated_alignment_follows_dropped_symbols():
    # canonical q ih t, realized <unk> t q: q and <unk> side by side, ih left out, t said, q added. Without its q
    # the first column is an insertion, and the last one is gone.
    utterance = Utterance(
        id="a", inventory="timit61", canonical=("q", "ih", "t"), realized=("<unk>", "t", "q"), alignment="MDMI"
    )
    moved = ItemBuilder(annotated=True).projected(utterance)
    assert (moved.canonical, moved.realized, moved.alignment) == (("IH", "T"), ("<unk>", "T"), "IDM")
    assert ItemBuilder().projected(utterance).alignment is None


@pytest.mark.parametrize(("phones", "accepted"), [(("tcl", "t"), 1), (("el",), 2)])
def test_an_annotated_alignment_that_is_lost_is_said(write, phones, accepted):
    line = {
        "id": "a",
        "inventory": "timit61",
        "canonical": phones,
        "realized": phones,
        "alignment": "M" * len(phones),
    }
    manifest, path = write("m.jsonl", [line]), write("p.jsonl", [{"id": "a", "phones": phones}])
    counts = score(predictions=path, manifest=manifest)["p"].counts
    assert counts.mdd().by_type["TA"] == accepted
    with pytest.raises(PedkitError, match=r"m.jsonl:1: utterance 'a': the annotated alignment cannot follow"):
        score(predictions=path, manifest=manifest, reference="annotated")


def test_scores_with_the_manifests_own_alignment(write):
    # T IH said as IH T: two substitutions for the annotator, T IH heard: both missed.
    line = {"id": "a", "inventory": "cmu39", "canonical": "T IH", "realized": "IH T", "alignment": "MM"}
    manifest, path = write("m.jsonl", [line]), write("p.jsonl", [{"id": "a", "phones": "T IH"}])
    annotated = score(predictions=path, manifest=manifest, reference="annotated").to_json()
    assert annotated["systems"]["p"]["mdd"]["counts"]["FA"] == 2
    assert annotated["systems"]["p"]["mdd"]["counts"]["TA"] == 0
    assert annotated["settings"]["reference"] == "annotated"
    assert score(predictions=path, manifest=manifest)["p"].counts.mdd().TA == 1
    bare = write("bare.jsonl", [{key: value for key, value in line.items() if key != "alignment"}])
    with pytest.raises(PedkitError, match=r"bare.jsonl:1: utterance 'a': reference=annotated needs the annotator"):
        score(predictions=path, manifest=bare, reference="annotated")
