import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pedkit.phones.bias_study import bias_study_phones


@pytest.mark.parametrize(
    ("given_text", "expected"),
    [
        ("t ʃ ɜː t ʃ", "tʃ ɜː tʃ"),  # a recognizer that cuts affricates
        ("t͡ʃ ɜː t͡ʃ", "tʃ ɜː tʃ"),
        ("tʃˈɜːtʃ", "tʃ ɜː tʃ"),  # espeak
        ("ʧɜ:ʧ", "tʃ ɜː tʃ"),  # ligatures, a colon for length
        ("h ə l oʊ WORD_BOUNDARY w ɜː l d WORD_BOUNDARY", "h ə l oʊ w ɜː l d"),  # G2P+
        ("<s> [PAD] h ə | l ▁ oʊ <unk> </s>", "h ə l oʊ"),
        ("ʒɛm lə (en)fʊtbɔːl(fr)", "ʒ ɛ m l ə f ʊ t b ɔː l"),
        ("ˈre.ka ˌma", "r e k a m a"),
        ("ɡ g", "ɡ ɡ"),
        ("ɹᵻd", "ɹ ɨ d"),
        ("mɛ̃ pʰ aː dʱ n̪", "m ɛ̃ pʰ aː dʱ n̪"),  # marks contrast in some languages and stay
        ("", ""),
        (" <pad> ", ""),
    ],
)
def test_text_in_many_spellings_is_one_sequence(given_text, expected):
    wanted = tuple(unicodedata.normalize("NFD", expected).split())
    assert bias_study_phones(given_text) == wanted
    assert bias_study_phones(given_text.split()) == wanted


@given(st.text(alphabet="tʃdʒaɪeoʊːʰ̃ ˈ.͡|(en)<pad>ᵻg", max_size=30))
def test_normalising_twice_changes_nothing_and_cuts_do_not_matter(text):
    phones = bias_study_phones(text)
    again = bias_study_phones(phones)
    assert "".join(again) == "".join(phones)
    assert bias_study_phones(again) == again
