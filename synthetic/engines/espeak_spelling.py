"""How espeak-ng spells ARPAbet phones, and how to read what it says it will say.

The engine applies its own pronunciation rules even to phoneme input (flaps, assimilation, final vowels). Each rule
in `spell` picks a spelling that these leave alone; `read_trace` turns the engine's phoneme trace back into phones,
so that any other change is seen.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence

from pedkit.errors import PedkitError
from synthetic.arpabet import CMU39, base, split_stress
from synthetic.engines.espeak_accents import ACCENTS, AMERICAN
from synthetic.engines.phone_map import symbols

SEPARATOR = " "
"""Between the mnemonics of a trace."""

_STRESS_MARKS = {"1": "'", "2": ",", "0": "", "": ""}
_TIE = "_|"  # keeps a phone from being assimilated to the next one; silent
_HARMLESS = frozenset({_TIE, ";", "_", "_:"})  # tie, glide mark after a close vowel, pauses: none is a phone
_VARIANTS = {"t": "T", "@2": "AH", "r-": "R", "I#": "IH", "I2": "IH", "i": "IY"}


def spell(words: Sequence[Sequence[str]], accent: str = AMERICAN) -> str:
    """Return the phoneme input for words without a pause between them: ``[[b|'V|t2|3 r|'E|d]]``.

    Args:
        words: Pronunciations in ARPAbet with stress digits.
        accent: One of `ACCENTS`.

    Raises:
        PedkitError: A phone is not in CMU-39.
    """
    following = [word[0] for word in words[1:]] + [""]
    spelled = (_spell_word(word, after, accent) for word, after in zip(words, following, strict=True))
    return f"[[{' '.join(spelled)}]]"


def _spell_word(phones: Sequence[str], next_word: str, accent: str) -> str:
    spelled = []
    for phone, following in zip(phones, [*phones[1:], ""], strict=True):
        symbol, stress = split_stress(phone)
        if symbol not in CMU39:
            raise PedkitError(
                f"expected phones of CMU-39, but got {phone!r} in '{' '.join(phones)}', which espeak cannot say"
            )
        linked_to = base(following or next_word)
        mnemonic = _mnemonic(symbol, stress, base(following), linked_to, accent)
        if linked_to in CMU39.vowels and _would_link(symbol, accent, ends_word=not following):
            mnemonic += "|" + _TIE
        spelled.append(_STRESS_MARKS[stress] + mnemonic)
    return "|".join(spelled)


def _would_link(symbol: str, accent: str, *, ends_word: bool) -> bool:
    """Return whether the engine puts an r between this phone and a vowel, and a tie keeps it from doing so.

    Inside a word ER stays as it is: it carries the r, and `read_trace` takes the r after it for a part of it.
    """
    if symbol == "ER":
        return ends_word
    return symbol in CMU39.vowels and not ACCENTS[accent].rhotic


def _mnemonic(symbol: str, stress: str, following: str, linked_to: str, accent: str) -> str:
    if symbol == "ER" and not ACCENTS[accent].rhotic:
        return symbols("espeak")["ER"]  # the unstressed '3' would be a schwa, that is ER would become AH
    plain = symbols("espeak").get(symbol + stress) or symbols("espeak")[symbol]
    if symbol == "AH" and stress == "0" and linked_to == "R":
        return "@2"  # '@' before 'r' would become '3', that is AH R would become ER R
    if symbol == "IH" and stress != "1" and not following:
        return "I#"  # an unstressed final 'I' would become 'i', that is IH would become IY
    if symbol == "N" and following in ("K", "G", "NG"):
        return plain + _TIE  # 'n' would become 'N', that is N would become NG
    if symbol == "R" and following not in CMU39.vowels:
        return "r-"  # 'r' would become a tap or trill
    return plain


def read_trace(trace: str, word_starts: Sequence[int] = (0,)) -> tuple[str, ...]:
    """Return the pronunciation that a trace of mnemonics (separated by `SEPARATOR`) stands for.

    A mnemonic that stands for no phone of CMU-39, such as the flap ``t#``, is returned as it is between angle
    brackets, so that it equals no phone that could have been asked for.

    Args:
        trace: What the library reports.
        word_starts: Where words were asked to begin (`SpeechRequest.word_starts`).
    """
    tokens = [token for token in trace.split(SEPARATOR) if token and token not in _HARMLESS]
    phones: list[str] = []
    for token in tokens:
        symbol, stress = _read_mnemonic(token)
        is_vowel = symbol in CMU39.vowels
        # Between ER and a vowel of one word espeak says a linking r, asked or not: there R is no phone of its own.
        linking = is_vowel and len(phones) > 1 and phones[-1] == "R" and base(phones[-2]) == "ER"
        if linking and len(phones) - 1 not in word_starts:
            phones.pop()
        phones.append(symbol + stress if is_vowel else symbol)
    return tuple(phones)


def _read_mnemonic(token: str) -> tuple[str, str]:
    mark = token[0] if token[0] in "'," else ""
    name = token[len(mark) :]
    symbol = _VARIANTS.get(name) or _phones_by_mnemonic().get(name, f"<{token}>")
    return symbol, {"'": "1", ",": "2", "": "0"}[mark]


@functools.cache
def _phones_by_mnemonic() -> Mapping[str, str]:
    return {mnemonic: base(phone) for phone, mnemonic in symbols("espeak").items()}
