import pytest

from pedkit.data.check import check
from pedkit.data.manifest import read_manifest
from pedkit.data.prepare import prepare
from pedkit.data.readers import read_pedbench
from pedkit.errors import PedkitError
from tests.data.readers.pedbench_miniature import ACTED, AUTHENTIC, SYNTHETIC, write_pedbench, write_set


@pytest.fixture
def corpus(tmp_path):
    return write_pedbench(tmp_path / "pedbench")


def by_id(root, **options):
    return {utterance.id: utterance for utterance in read_pedbench(root, **options)}


def test_the_manifest(corpus, tmp_path):
    summary = prepare("pedbench", corpus, tmp_path / "m.jsonl")
    assert str(summary).endswith(
        "5 utterances of pedbench (authentic 1, dev 1, acted 1, synthetic 2) by 4 speakers, 0.00 h"
    )
    assert [utterance.id for utterance in read_manifest(tmp_path / "m.jsonl")] == [
        "c1-think", "c2-the", "a1", "s1", "s2",
    ]  # fmt: skip
    assert check(tmp_path / "m.jsonl").ok


def test_canonical_of_the_annotators(corpus):
    utterances = by_id(corpus, canonical="annotation")
    assert utterances["c2-the"].canonical == ("DH", "AH")
    assert utterances["c2-the"].canonical_variant is None
    assert utterances["s2"].canonical[0] == "EY"
    assert utterances["s2"].target_span == (1, 4)


def test_canonical_by_g2p_takes_the_nearest_variant(corpus):
    utterances = by_id(corpus)
    assert utterances["c2-the"].canonical == ("DH", "IY")
    assert utterances["c2-the"].canonical_variant.startswith("best: the(")
    assert utterances["c1-think"].canonical == ("TH", "IH", "NG", "K")
    assert utterances["c1-think"].extra["reference"] == {"lexicon": "cmudict"}


def test_the_target_word_stays_the_same_word(corpus):
    lines = [*SYNTHETIC, {
        **SYNTHETIC[1], "id": "s3", "text": "Extraordinary thin line.",
        "canonical": "EH K S T R AO R D N R IY TH IH N L AY N", "realized": "F IH N",
        "target_span": [11, 14],
        "words": [
            {"text": "Extraordinary", "start": 0, "end": 11}, {"text": "thin", "start": 11, "end": 14},
            {"text": "line", "start": 14, "end": 17},
        ],
    }]  # fmt: skip
    write_set(corpus / "synthetic" / "manifest.jsonl", lines)
    utterances = by_id(corpus)
    assert utterances["s2"].canonical == ("AH", "TH", "IH", "N", "R", "EH", "D", "L", "AY", "N")
    assert (utterances["s2"].target_span, utterances["s2"].source_id) == ((1, 4), "s1")
    third = utterances["s3"]
    assert " ".join(third.canonical) == "IH K S T R AO R D AH N EH R IY TH IH N L AY N"
    assert third.target_span == (13, 16)
    assert utterances["s1"].target_span is None


def test_sets_levels_and_splits(corpus):
    utterances = by_id(corpus)
    assert {name: u.extra["set"] for name, u in utterances.items()} == {
        "c1-think": "authentic", "c2-the": "authentic", "a1": "acted", "s1": "synthetic", "s2": "synthetic",
    }  # fmt: skip
    assert (utterances["c1-think"].level, utterances["s2"].level) == ("word", "sentence")
    assert (utterances["c1-think"].split, utterances["c2-the"].split) == ("authentic", "dev")
    assert (utterances["a1"].source_id, utterances["a1"].source) == ("c9", "c9")
    assert utterances["s1"].audio.path == str(corpus / "synthetic" / "wav" / "s1.wav")
    assert sorted(by_id(corpus, sets=["acted"])) == ["a1"]
    with pytest.raises(PedkitError, match="expected 'sets' to be a list of texts, but got 'acted'"):
        read_pedbench(corpus, sets="acted")


class TestFaults:
    @pytest.mark.parametrize("key", ["speaker", "realized", "text", "inventory"])
    def test_what_every_item_has(self, corpus, key):
        write_set(corpus / "acted.jsonl", [{name: value for name, value in ACTED[0].items() if name != key}])
        with pytest.raises(PedkitError, match=rf"acted\.jsonl: utterance 'a1': expected '{key}', which every"):
            list(read_pedbench(corpus))

    @pytest.mark.parametrize("key", ["level", "target_span", "source_id"])
    def test_what_synthetic_sentences_have(self, corpus, key):
        write_set(
            corpus / "synthetic" / "manifest.jsonl",
            [{name: value for name, value in SYNTHETIC[1].items() if name != key}],
        )
        with pytest.raises(PedkitError, match=rf"utterance 's2': expected '{key}', which every such item"):
            list(read_pedbench(corpus))

    def test_annotation_without_canonical_phones(self, corpus):
        write_set(corpus / "acted.jsonl", [{k: v for k, v in ACTED[0].items() if k != "canonical"}])
        with pytest.raises(PedkitError, match="utterance 'a1': expected 'canonical'"):
            list(read_pedbench(corpus, canonical="annotation"))
        assert by_id(corpus)["a1"].canonical == ("S", "IY", "T")

    @pytest.mark.parametrize(
        ("change", "message"),
        [
            ({"target_span": [1, 3]}, r"expected 'target_span' \[1, 3\] to be one of 'words'"),
            ({"text": "A thin line."}, "the text has 3 words, but 'words' has 4"),
            ({"text": "A thin rred line."}, "no pronunciation of 'rred'"),
            ({"flags": {"1": "star"}}, "its 'flags' point at the manifest's canonical phones"),
            ({"inventory": "ipa"}, "canonical=g2p gives phones of cmu39, but those of the manifest are ipa"),
        ],
    )
    def test_what_g2p_cannot_do(self, corpus, change, message):
        write_set(corpus / "synthetic" / "manifest.jsonl", [{**SYNTHETIC[1], **change}])
        with pytest.raises(PedkitError, match=message):
            list(read_pedbench(corpus))

    def test_a_word_that_cmudict_lacks_may_leave_an_item_without_canonical_phones(self, corpus):
        write_set(corpus / "synthetic" / "manifest.jsonl", [{**SYNTHETIC[1], "text": "A thin rred line."}])
        utterance = by_id(corpus, unknown_words="skip")["s2"]
        assert (utterance.canonical, utterance.target_span) == (None, None)

    def test_authentic_items_are_words(self, corpus):
        write_set(corpus / "authentic.jsonl", [{**AUTHENTIC[0], "level": "sentence"}])
        with pytest.raises(PedkitError, match="expected single words in the set authentic, but got a sentence"):
            list(read_pedbench(corpus))

    def test_sets_that_are_not_there(self, corpus, tmp_path):
        (corpus / "acted.jsonl").unlink()
        assert sorted(by_id(corpus)) == ["c1-think", "c2-the", "s1", "s2"]
        with pytest.raises(PedkitError, match=r"expected the file 'acted\.jsonl' or 'acted/manifest\.jsonl'"):
            read_pedbench(corpus, sets=["acted"])
        with pytest.raises(PedkitError, match="expected 'sets' to hold some of authentic, acted, synthetic"):
            read_pedbench(corpus, sets=["other"])
        with pytest.raises(PedkitError, match=r"expected authentic\.jsonl, acted\.jsonl or synthetic\.jsonl"):
            read_pedbench(tmp_path / "pedbench" / "wav")
        with pytest.raises(PedkitError, match="expected 'canonical' to be one of g2p, annotation"):
            read_pedbench(corpus, canonical="lexicon")
