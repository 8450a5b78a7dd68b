import pytest

from pedkit.data.prediction import Prediction
from pedkit.data.utterance import Utterance, Word
from pedkit.errors import PedkitError
from pedkit.evaluation.score import score


def _said(**changes):
    fields = {"id": "a", "inventory": "ipa", "language": "eng", "canonical": ("t͡ʃ", "ˈɜː", "t͡ʃ")}
    return Utterance(**fields | changes)


def _scored(utterance, phones, projection):
    heard = Prediction(id="a", phones=phones, inventory="ipa")
    return score(
        predictions={"mine": [heard]}, manifest=[utterance], per_reference="canonical", projection=projection
    )["mine"].counts


def test_ways_of_cutting_and_writing_one_sound_are_no_errors():
    heard = ("t", "ʃ", "ɜː", "tʃ")
    assert _scored(_said(), heard, "bias_study").per.to_json()["numerator"] == 0
    # As written, one affricate is two phones, and a stressed vowel another than an unstressed one.
    assert _scored(_said(), heard, "none").per.value > 0


def test_a_wrong_phone_stays_wrong():
    # tʃ ɜː tʃ against ʃ ɜː tʃ
    counts = _scored(_said(), ("ʃ", "ɜː", "t", "ʃ"), "bias_study")
    assert (counts["substitutions"], counts["deletions"], counts["insertions"]) == (1, 0, 0)
    assert counts["reference_phones"] == 3


def test_words_are_left_out_and_flags_refused():
    word = Word("church", 0, 3)
    assert _scored(_said(words=(word,), target_span=(0, 3)), ("tʃ", "ɜː", "tʃ"), "bias_study").per.value == 0
    with pytest.raises(PedkitError, match=r"cuts the phones anew.*flags") as caught:
        _scored(_said(flags={0: "star"}), ("tʃ", "ɜː", "tʃ"), "bias_study")
    assert caught.value.utterance == "a"


def test_it_is_for_ipa():
    with pytest.raises(PedkitError, match="bias_study is for IPA, but the inventory is 'cmu39'"):
        _scored(_said(inventory="cmu39", canonical=("CH", "ER", "CH")), ("CH",), "bias_study")


def test_a_line_without_its_reference_is_named_as_such_even_without_an_inventory():
    with pytest.raises(PedkitError, match="no canonical phones"):
        _scored(Utterance(id="a"), (), "none")
