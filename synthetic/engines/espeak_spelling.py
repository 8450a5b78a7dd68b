"""How espeak-ng's American English spells ARPAbet phones, and how to read what it says it will say.

The engine applies its own pronunciation rules even to phoneme input (flaps, assimilation, final vowels). Each rule
in `spell` picks a spelling that these leave alone; `read_trace` turns the engine's phoneme trace back into phones,
so that any other change is seen.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from pathlib import Path

from pedkit.errors import PedkitError
from synthetic.arpabet import CMU39, base, split_stress

SEPARATOR = " "
"""Between the mnemonics of a trace."""

_STRESS_MARKS = {"1": "'", "2": ",", "0": "", "": ""}
_TIE = "_|"  # keeps a phone from being assimilated to the next one; silent
_HARMLESS = frozenset({_TIE, ";", "_", "_:"})  # tie, glide mark after a close vowel, pauses: none is a phone
_VARIANTS = {"t": "T", "@2": "AH", "r-": "R", "I#": "IH", "i": "IY"}


@functools.cache
def mnemonics() -> Mapping[str, str]:
    """Return the mnemonic of each phone; ``AH0`` and ``ER0`` have rows of their own."""
    lines = (Path(__file__).parent / "tables" / "espeak_en_us.tsv").read_text(encoding="utf-8").splitlines()
    return dict(line.split("\t") for line in lines[1:])


def spell(phones: Sequence[str]) -> str:
    """Return the phoneme input for a pronunciation (ARPAbet with stress digits): ``[[b|'V|t2|3]]``.

    Raises:
        PedkitError: A phone is not in CMU-39.
    """
    spelled = []
    for phone, following in zip(phones, [*phones[1:], ""], strict=True):
        symbol, stress = split_stress(phone)
        if symbol not in CMU39:
            raise PedkitError(
                f"expected phones of CMU-39, but got {phone!r} in '{' '.join(phones)}', which espeak cannot say"
            )
        spelled.append(_STRESS_MARKS[stress] + _mnemonic(symbol, stress, base(following)))
    return f"[[{'|'.join(spelled)}]]"


def _mnemonic(symbol: str, stress: str, following: str) -> str:
    plain = mnemonics().get(symbol + stress) or mnemonics()[symbol]
    if symbol == "AH" and stress == "0" and following == "R":
        return "@2"  # '@' before 'r' would become '3', that is AH R would become ER R
    if symbol == "IH" and stress != "1" and not following:
        return "I#"  # an unstressed final 'I' would become 'i', that is IH would become IY
    if symbol == "N" and following in ("K", "G", "NG"):
        return plain + _TIE  # 'n' would become 'N', that is N would become NG
    if symbol == "R" and following not in CMU39.vowels:
        return "r-"  # 'r' would become a tap or trill
    return plain


def read_trace(trace: str) -> tuple[str, ...]:
    """Return the pronunciation that a trace of mnemonics (separated by `SEPARATOR`) stands for.

    A mnemonic that stands for no phone of CMU-39, such as the flap ``t#``, is returned as it is between angle
    brackets, so that it equals no phone that could have been asked for.
    """
    tokens = [token for token in trace.split(SEPARATOR) if token and token not in _HARMLESS]
    phones: list[str] = []
    for token in tokens:
        symbol, stress = _read_mnemonic(token)
        is_vowel = symbol in CMU39.vowels
        # Between ER and a vowel espeak says a linking r, asked or not: there R is no phone of its own.
        if is_vowel and len(phones) > 1 and phones[-1] == "R" and base(phones[-2]) == "ER":
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
    return {mnemonic: base(phone) for phone, mnemonic in mnemonics().items()}
