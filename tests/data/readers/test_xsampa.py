from pathlib import Path

import pytest

from pedkit.data.readers.xsampa import xsampa_to_ipa
from pedkit.errors import PedkitError
from pedkit.phones import Projector, normalize_ipa

PHONES = Path(__file__).parents[1] / "samples" / "doreco" / "phones.txt"


@pytest.mark.parametrize(
    ("xsampa", "ipa"),
    [
        # letters of Wells's chart, two of each row
        ("p", "p"), ("b_<", "ɓ"), ("p\\", "ɸ"), ("B", "β"), ("T", "θ"), ("D", "ð"), ("r\\", "ɹ"), ("4", "ɾ"),
        ("s`", "ʂ"), ("r\\`", "ɻ"), ("C", "ç"), ("j\\", "ʝ"), ("J\\_<", "ʄ"), ("X\\", "ħ"), ("?\\", "ʕ"),
        ("x\\", "ɧ"), ("W", "ʍ"), ("5", "ɫ"), ("|\\|\\", "ǁ"), ("=\\", "ǂ"), ("}", "ʉ"), ("@\\", "ɘ"),
        ("3\\", "ɞ"), ("{", "æ"), ("&", "ɶ"), ("I\\", "ᵻ"), ("g", "ɡ"),
        # marks
        ("k_h", "kʰ"), ("n_0", "n̥"), ("l_t", "l̤"), ("e_r", "e̝"), ("B_o", "β̞"), ("t_d", "t̪"), ("n=", "n̩"),
        ("q_>", "qʼ"), ("a_?\\", "aˤ"), ("@`", "ə˞"), ("t'", "tʲ"), ("|\\_v", "ǀ̬"),
        # marks in another order than IPA has them
        ("a:~", "ãː"), ("k:_w", "kʷː"), ("|\\_h~", "ǀ̃ʰ"), ("t_w_d", "t̪ʷ"),
        # marks that change the letter
        ("t:`", "ʈː"), ("r\\=`", "ɻ̩"), ("d_j_<", "ɗʲ"), ("b_j_<", "ɓʲ"),
        # several letters
        ("tS", "t͡ʃ"), ("dZ", "d͡ʒ"), ("ts\\", "t͡ɕ"), ("ts`_h", "t͡ʂʰ"), ("t:S", "t͡ʃː"), ("tS_w_>", "t͡ʃʷʼ"),
        ("tK_>", "t͡ɬʼ"), ("kp", "k͡p"), ("Nm", "ŋ͡m"), ("k_p", "k͡p"), ("n_p", "n͡p"), ("|\\qX_>", "ǀ͡q͡χʼ"),
        ("ai", "ai"), ("o}:", "oʉː"), ("@:e", "əːe"), ("1a", "ɨa"),
    ],
)  # fmt: skip
def test_phones(xsampa, ipa):
    assert xsampa_to_ipa(xsampa) == normalize_ipa(ipa)


def test_every_phone_of_doreco_is_read_and_known_as_ipa():
    phones = PHONES.read_text(encoding="utf-8").split()
    symbols = [xsampa_to_ipa(phone) for phone in phones]
    assert len(phones) == 355
    projected = Projector("ipa", "ipa")(symbols)
    assert projected.phones == tuple(symbols)  # in normal form
    assert (projected.unknown, projected.dropped) == ((), ())
    assert len(set(symbols)) == len(phones)  # no two become one


@pytest.mark.parametrize("bad", ["", "_h", "~", "a%", "<p:>", "****", "k_<", "_", "tʃ", "a b"])
def test_what_is_no_phone_is_refused(bad):
    with pytest.raises(PedkitError, match="expected a phone in X-SAMPA, but got"):
        xsampa_to_ipa(bad)
