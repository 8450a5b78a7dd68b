import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pedkit.phones import normalize_ipa, tokenize_ipa
from pedkit.phones.ipa import is_boundary, is_mark, strip_marks, tie_affricate

TEXT = st.text(
    st.sampled_from("ptdkaeiouɪʊəɜɹʃʒs")
    | st.sampled_from("ːʰ˞̩̃͡5ˈ. |'[g?Sç")
    | st.characters(exclude_categories=["Cs"])
)


@given(TEXT)
def test_tokenizer_loses_nothing_but_boundaries(text):
    kept = "".join(c for c in normalize_ipa(text) if not is_boundary(c))
    assert "".join(tokenize_ipa(text)) == kept


@given(TEXT)
def test_every_symbol_has_a_letter_except_marks_at_the_start(text):
    symbols = tokenize_ipa(text)
    assert all(any(not is_mark(c) for c in symbol) for symbol in symbols[1:])


@given(TEXT)
def test_normal_form_is_stable(text):
    assert normalize_ipa(normalize_ipa(text)) == normalize_ipa(text)


@pytest.mark.parametrize(
    ("text", "symbols"),
    [
        ("d͡ʒʌd͡ʒ", ["d͡ʒ", "ʌ", "d͡ʒ"]),
        ("dʒʌdʒ", ["dʒ", "ʌ", "dʒ"]),
        ("ʤʌʤ", ["d͡ʒ", "ʌ", "d͡ʒ"]),
        ("tʃɜːtʃ", ["tʃ", "ɜː", "tʃ"]),
        ("hæt ʃɑp", ["h", "æ", "t", "ʃ", "ɑ", "p"]),
        ("nʌtˈʃɛl", ["n", "ʌ", "t", "ʃ", "ɛ", "l"]),
        ("/ˈbɜː.di/", ["b", "ɜː", "d", "i"]),
        ("faɪə", ["f", "aɪ", "ə"]),
        ("ɡoʊɪŋ", ["ɡ", "oʊ", "ɪ", "ŋ"]),
        ("bɜːɹd", ["b", "ɜːɹ", "d"]),
        ("tʰ ɛ ː", ["tʰ", "ɛː"]),
        ("ã\u0303", ["a\u0303\u0303"]),
        ("ʰt", ["ʰ", "t"]),
        ("", []),
        ("ˈ ", []),
    ],
)
def test_examples(text, symbols):
    assert list(tokenize_ipa(text)) == symbols


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("ɡ", "g"),
        ("ç", "c\u0327"),
        ("ã", "a\u0303"),
        ("n\u032a\u030a", "n\u030a\u032a"),
        ("t͡s", "t͜s"),
        ("ɚ", "ə˞"),
        ("aː", "a:"),
        ("ʦ", "t͡s"),
    ],
)
def test_look_alikes_have_one_normal_form(first, second):
    assert normalize_ipa(first) == normalize_ipa(second)
    assert unicodedata.is_normalized("NFD", normalize_ipa(first))


def test_cedilla_is_part_of_its_letter():
    assert strip_marks(normalize_ipa("çʲː")) == "c\u0327"


@pytest.mark.parametrize(
    ("untied", "tied"), [("tʃʰ", "t͡ʃʰ"), ("tsʲ", "t͡sʲ"), ("t͡s", "t͡s"), ("aɪ", "aɪ"), ("t", "t")]
)
def test_affricates_are_tied(untied, tied):
    assert tie_affricate(untied) == tied
