import pytest

from pedkit.errors import PedkitError
from pedkit.phones import ARPABET_TO_IPA, get_inventory
from synthetic.engines.phone_map import NOTATIONS, symbol, symbols

PHONES = get_inventory("cmu39").phones
UNSTRESSED = {"AH0", "ER0", "IH0", "IY0"}


@pytest.mark.parametrize("notation", [*NOTATIONS, "ipa"])
def test_every_phone_has_a_symbol_of_its_own_in_every_notation(notation):
    table = symbols(notation)
    assert set(table) == set(PHONES) | UNSTRESSED
    assert all(written and written == written.strip() and " " not in written for written in table.values())
    assert len({table[phone] for phone in PHONES}) == 39


def test_the_ipa_column_is_that_of_pedkit():
    """But for ER: ɝ and ɚ here, and a rhotic schwa in two characters there."""
    differing = {
        phone: symbols("ipa")[phone] for phone in PHONES if symbols("ipa")[phone] != ARPABET_TO_IPA[phone]
    }
    assert differing == {"ER": "ɝ"}


@pytest.mark.parametrize(
    ("phone", "notation", "written"),
    [
        ("AH1", "flite", "ah"), ("AH0", "flite", "ax"), ("ER0", "espeak", "3"), ("ER1", "espeak", "3:"),
        ("IY0", "piper", "i"), ("IY2", "piper", "iː"), ("EY0", "kokoro", "A"), ("T", "espeak", "t2"),
        ("AE1", "mbrola_us", "{"), ("EH1", "mbrola_en1", "e"), ("AH", "piper", "ʌ"),
    ],
)  # fmt: skip
def test_symbols(phone, notation, written):
    assert symbol(phone, notation, "x") == written


@pytest.mark.parametrize("phone", ["DX", "ae1", "", "AX0"])
def test_a_phone_outside_cmu39_is_named_with_the_engine(phone):
    with pytest.raises(PedkitError, match=f"expected phones of CMU-39, but got '{phone}', which flite cannot say"):
        symbol(phone, "flite", "flite")
