"""One symbol of an answer: IPA, ARPAbet, no sound, or no phone at all."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple

from pedkit.phones import ARPABET_TO_IPA, TIMIT_TO_IPA, Projector, get_inventory, normalize_ipa, tokenize_ipa
from pedkit.phones.ipa import is_mark, tie_affricate

# TIMIT's additions to ARPAbet that language models write too; closures and silences are no part of it.
_ADDITIONS = ("ax", "ax-h", "axr", "ix", "ux", "dx", "nx", "el", "em", "en", "eng", "q", "hv")
_ARPABET = ARPABET_TO_IPA | {name.upper(): normalize_ipa(TIMIT_TO_IPA[name]) for name in _ADDITIONS}
_STRESSED = re.compile(r"([A-Z]{2})[012]")
_VOWELS = get_inventory("cmu39").vowels | {"AX", "IX", "UX"}
_IPA = Projector("ipa", "ipa")
_LONGEST = 10_000
"""Characters of a run of IPA without blanks; a model that repeats itself for ever writes more."""
_LETTERS = frozenset({"Ll", "Lu", "Lo", "Lm", "Sk"})


def _beginnings(spellings: list[str]) -> frozenset[str]:
    return frozenset(one[:end] for one in spellings for end in range(1, len(one)))


#: What may be the beginning of a longer phone: t of t͡ʃ, a of aɪ; T of TH.
IPA_BEGINNINGS = _beginnings(list(ARPABET_TO_IPA.values()))
ARPABET_BEGINNINGS = _beginnings(list(_ARPABET))


class Symbol(NamedTuple):
    """The readings of what stands between two blanks.

    Attributes:
        ipa: Its phones in normalised IPA; ``None`` where it is no IPA; ``()`` where it is no sound.
        arpabet: Its phone in normalised IPA where it is ARPAbet, else ``None``.
    """

    ipa: tuple[str, ...] | None
    arpabet: tuple[str, ...] | None


@lru_cache(maxsize=65536)
def read_symbol(text: str) -> Symbol:
    """Return what a piece of text without white space may be.

    ARPAbet is taken in upper and lower case, a vowel with or without a stress digit. A symbol of several ASCII
    letters is never IPA: ``th`` is θ and not an aspirated t, ``sit`` is a word and no phones. A run of IPA
    letters without blanks is its phones if anything in it can only be IPA (``sɪt``).
    """
    name = text.upper()
    if (stressed := _STRESSED.fullmatch(name)) and stressed[1] in _VOWELS:
        name = stressed[1]
    arpabet = (_ARPABET[name],) if name in _ARPABET else None
    return Symbol(_ipa(text) if len(text) <= _LONGEST else None, arpabet)


def _ipa(text: str) -> tuple[str, ...] | None:
    found = _IPA([text])
    if found.ignored:
        return ()
    if found.unknown or (found.dropped and text.isascii()):
        return None
    symbols = tuple(map(tie_affricate, tokenize_ipa(text)))
    if not symbols:
        return ()
    bare = "".join(symbols)
    if bare.isascii() and (len(bare) > 1 or not bare.islower()):
        return None
    if len(symbols) > 1 and not _is_written_in_ipa(text):
        return None
    return symbols


def _is_written_in_ipa(text: str) -> bool:
    """Return whether a letter or modifier of the IPA stands here that no word of English has."""
    return any(not c.isascii() and unicodedata.category(c) in _LETTERS for c in unicodedata.normalize("NFD", text))


def is_sound(phone: str) -> bool:
    """Return whether a symbol has a letter, and is not a lone mark that belongs to the letter before."""
    return not all(is_mark(character) for character in phone)
