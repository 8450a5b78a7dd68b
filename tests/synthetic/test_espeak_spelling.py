import pytest

from pedkit.errors import PedkitError
from synthetic.engines.espeak_spelling import read_trace, spell


@pytest.mark.parametrize(
    ("phones", "text"),
    [
        ("K AE1 T", "[[k|'a|t2]]"),
        ("B AH1 T ER0", "[[b|'V|t2|3]]"),
        ("AH0 B AW2 T", "[[@|b|,aU|t2]]"),
        ("B ER1 D", "[[b|'3:|d]]"),
        ("K AA1 R", "[[k|'A:|r-]]"),  # r before no vowel
        ("HH AA1 R D IY0", "[[h|'A:|r-|d|i:]]"),
        ("R EH1 D", "[[r|'E|d]]"),
        ("S IH1 N K", "[[s|'I|n_||k]]"),  # n before k, g and ng is kept from becoming ng
        ("AH1 N G AH0", "[['V|n_||g|@]]"),
        ("S IH1 NG K", "[[s|'I|N|k]]"),
        ("AH0 R AY1 V", "[[@2|r|'aI|v]]"),  # a schwa before r
        ("T AE1 K S IH0", "[[t2|'a|k|s|I#]]"),  # an unstressed final ih
        ("T AE1 K S IH2", "[[t2|'a|k|s|,I#]]"),
        ("B IH1", "[[b|'I]]"),
    ],
)
def test_spelling(phones, text):
    assert spell([phones.split()]) == text


@pytest.mark.parametrize(
    ("words", "accent", "text"),
    [
        ("W AO1 T ER0|IH1 Z", "en-us", "[[w|'O:|t2|3|_| 'I|z]]"),  # a tie keeps the r from linking
        ("W AO1 T ER0|R EH1 D", "en-us", "[[w|'O:|t2|3 r|'E|d]]"),
        ("DH AH0|R EH1 D", "en-us", "[[D|@2 r|'E|d]]"),  # a schwa before the r of the next word
        ("DH AH0|IH1 R", "en-us", "[[D|@ 'I|r-]]"),
        ("S IH1 T IH0|K", "en-us", "[[s|'I|t2|I# k]]"),  # the end of a word, not of the phrase
        ("S IH1 N|K AE1 T", "en-us", "[[s|'I|n k|'a|t2]]"),  # nothing is assimilated across words
        ("B AH1 T ER0", "en-gb", "[[b|'V|t2|3:]]"),  # its '3' is a schwa
        ("DH AH0|IH1 R", "en-gb", "[[D|@|_| 'I|r-]]"),  # British vowels link, too
        ("AH0 IH1 N", "en-gb-x-rp", "[[@|_||'I|n]]"),
        ("M ER1 IY0", "en-us", "[[m|'3:|i:]]"),
    ],
)
def test_spelling_of_words_in_a_row_and_of_other_accents(words, accent, text):
    assert spell([word.split() for word in words.split("|")], accent) == text


@pytest.mark.parametrize("phone", ["DX", "t", "", "AX0"])
def test_a_phone_outside_cmu39_cannot_be_said(phone):
    with pytest.raises(PedkitError, match=f"expected phones of CMU-39, but got {phone!r} in 'K {phone}'"):
        spell([["K", phone]])


@pytest.mark.parametrize(
    ("trace", "phones"),
    [
        ("b 'V t2 3", "B AH1 T ER0"),
        ("b 'V t# 3", "B AH1 <t#> ER0"),  # a flap is no phone of CMU-39
        ("s 'I n _| k", "S IH1 N K"),  # a tie is silent
        ("_: f r 'i: ; @ _:", "F R IY1 AH0"),  # pauses and glide marks are no phones
        ("t2 'a k s i", "T AE1 K S IY0"),
        ("p 3 r- 'I f", "P ER0 IH1 F"),  # a linking r between ER and a vowel
        ("m '3: r i:", "M ER1 IY0"),
        ("'3: r- l", "ER1 R L"),  # before a consonant it is an R
        ("f O: r s", "F AO0 R S"),
        ("k @2 r ,A: l", "K AH0 R AA2 L"),
        ("m 'A@", "M <'A@>"),
        ("s 'V t I2", "S AH1 T IH0"),
        ("", ""),
    ],
)
def test_reading_a_trace(trace, phones):
    assert read_trace(trace) == tuple(phones.split())


def test_an_r_after_er_is_a_phone_where_a_word_was_asked_to_begin():
    trace = "h 3:  r 'E d"  # her red
    assert read_trace(trace) == ("HH", "ER0", "EH1", "D")
    assert read_trace(trace, word_starts=(0, 2)) == ("HH", "ER0", "R", "EH1", "D")
