import re

import pytest

from pedkit.data.references import Referencer
from pedkit.data.utterance import Word
from pedkit.errors import PedkitError
from pedkit.phones import Lexicon

TINY = """\
either IY1 DH ER0
either(2) AY1 DH ER0
tear T EH1 R
tear(2) T IH1 R
the DH AH0
the(2) DH AH1
the(3) DH IY0
"""


@pytest.fixture
def lexicon(tmp_path):
    path = tmp_path / "tiny.dict"
    path.write_text(TINY)
    return Lexicon.from_file(path)


class Fake:
    name = "fake 1.0"

    def __init__(self, **answers):
        self.answers, self.asked = answers, []

    def pronounce(self, word):
        self.asked.append(word)
        return tuple(self.answers.get(word, "").split())


def test_the_variant_that_was_said_is_the_canonical_one():
    # Report of users: EITHER said as AY DH ER is right although the dictionary's first entry is IY DH ER.
    reference = Referencer().of("either", ["AY", "DH", "ER"])
    assert reference.canonical == ("AY", "DH", "ER")
    assert reference.variant == "best: either(2)"


def test_first_variant_is_taken_on_request_and_says_so():
    reference = Referencer(variant="first").of("either", ["AY", "DH", "ER"])
    assert reference.canonical == ("IY", "DH", "ER")
    assert reference.variant == "first: either"


@pytest.mark.parametrize("realized", [None, ()])
def test_where_nothing_was_said_the_best_variant_is_the_first(realized):
    assert Referencer().of("either", realized).variant == "first: either"


def test_words_variants_and_entry_numbers(lexicon):
    reference = Referencer(lexicon, name="tiny").of(
        "Tear the tear, either!", ["T", "IH", "R", "DH", "IY", "T", "EH", "R", "AY", "DH"]
    )
    assert " ".join(reference.canonical) == "T IH R DH IY T EH R AY DH ER"
    # 'the' and 'the(2)' differ in stress only, so they are one pronunciation
    assert reference.variant == "best: tear(2) the(3) tear either(2)"
    assert reference.words == (Word("Tear", 0, 3), Word("the", 3, 5), Word("tear", 5, 8), Word("either", 8, 11))
    assert reference.record == {"lexicon": "tiny"}
    assert reference.fields() == {
        "inventory": "cmu39",
        "canonical": reference.canonical,
        "canonical_variant": reference.variant,
        "words": reference.words,
    }


def test_word_with_one_pronunciation_needs_no_list():
    assert Referencer().of("cat").variant == "first"


def test_unknown_words_stop_or_leave_the_text_without_phones():
    with pytest.raises(PedkitError, match=re.escape("no pronunciation of 'Zqyx' in 'the Zqyx'")):
        Referencer().of("the Zqyx")
    reference = Referencer(oov="skip").of("the Zqyx")
    assert (reference.canonical, reference.words, reference.fields()) == (None, (), {})
    assert reference.oov == ("Zqyx",)
    assert reference.record == {"lexicon": "cmudict", "oov": ["Zqyx"], "unpronounced": ["Zqyx"]}


def test_unknown_words_are_pronounced_by_the_g2p_once_each():
    g2p = Fake(zqyx="Z IH K S")
    referencer = Referencer(g2p=g2p)
    reference = referencer.of("the Zqyx sat")
    assert " ".join(reference.canonical) == "DH AH Z IH K S S AE T"
    assert reference.words[1] == Word("Zqyx", 2, 6)
    assert reference.record == {"lexicon": "cmudict", "oov": ["Zqyx"], "g2p": "fake 1.0"}
    assert referencer.of("ZQYX").canonical == ("Z", "IH", "K", "S")
    assert g2p.asked == ["zqyx"]


@pytest.mark.parametrize("text", ["in 1984", "rock & roll", "the beca-", "the mute"])
def test_numerals_signs_broken_words_and_what_the_g2p_cannot_say_are_refused(lexicon, text):
    g2p = Fake(**{"1984": "X", "&": "X", "beca": "X", "beca-": "X", "in": "IH N", "rock": "R", "roll": "R"})
    word = re.escape(repr(next(w for w in text.split() if w not in ("in", "rock", "the"))))
    with pytest.raises(PedkitError, match=f"no pronunciation of {word}"):
        Referencer(lexicon, g2p=g2p).of(text)
    assert Referencer(lexicon, g2p=g2p, oov="skip").of(text).canonical is None


@pytest.mark.parametrize("text", ["", "...", " - "])
def test_text_without_words_has_no_canonical_phones(text):
    reference = Referencer().of(text)
    assert (reference.canonical, reference.oov, reference.record) == (None, (), {"lexicon": "cmudict"})


@pytest.mark.parametrize("option", [{"variant": "last"}, {"oov": "guess"}])
def test_unknown_options_are_refused(option):
    with pytest.raises(PedkitError, match=f"expected '{next(iter(option))}'"):
        Referencer(**option)
