import pytest

from pedkit.errors import PedkitError
from pedkit.phones import get_inventory
from synthetic.engines.espeak_spelling import mnemonics, read_trace, spell


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
    assert spell(phones.split()) == text


def test_every_phone_has_a_mnemonic_of_its_own():
    phones = set(get_inventory("cmu39").phones)
    assert set(mnemonics()) == phones | {"AH0", "ER0"}
    assert len(set(mnemonics().values())) == 41


@pytest.mark.parametrize("phone", ["DX", "t", "", "AX0"])
def test_a_phone_outside_cmu39_cannot_be_said(phone):
    with pytest.raises(PedkitError, match=f"expected phones of CMU-39, but got {phone!r} in 'K {phone}'"):
        spell(["K", phone])


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
        ("", ""),
    ],
)
def test_reading_a_trace(trace, phones):
    assert read_trace(trace) == tuple(phones.split())
