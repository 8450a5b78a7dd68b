"""From the text of an answer to phones."""

from __future__ import annotations

import re
from typing import NamedTuple

from pedkit.models.answers.symbols import (
    ARPABET_BEGINNINGS,
    IPA_BEGINNINGS,
    Symbol,
    is_sound,
    read_symbol,
)
from pedkit.phones import IPA_TO_ARPABET

_BETWEEN = re.compile(r"[\s,;]+")
_LONGEST_SHOWN = 40


class Phones(NamedTuple):
    """What was read.

    Attributes:
        phones: The phones in ``inventory``.
        inventory: ``cmu39`` where all of them are exactly in it, else ``ipa``.
        arpabet: Whether any of them was written in ARPAbet.
        left_out: Symbols that are no phones.
        unfinished: The last symbol, where the text was cut off and it may be only the beginning of a phone.
    """

    phones: tuple[str, ...] = ()
    inventory: str = "cmu39"
    arpabet: bool = False
    left_out: tuple[str, ...] = ()
    unfinished: str | None = None


def read_phones(text: str, *, cut: bool = False) -> Phones:
    """Read phones separated by white space or commas.

    Args:
        text: The text.
        cut: The text ends where the model was stopped. Its last symbol is kept only if it is a whole phone and
            cannot be the beginning of a longer one: a model stopped after ``t`` may have been about to write t͡ʃ,
            and a phone that nobody wrote must not be reported as heard.
    """
    pieces = [piece for piece in _BETWEEN.split(text) if piece]
    symbols = [read_symbol(piece) for piece in pieces]
    in_arpabet = _is_arpabet(symbols)
    out: list[str] = []
    left_out: list[str] = []
    any_arpabet, unfinished = False, None
    cut_at = len(pieces) - 1 if cut and not _BETWEEN.fullmatch(text[-1:]) else -1
    for index, (piece, symbol) in enumerate(zip(pieces, symbols, strict=True)):
        by_arpabet = symbol.arpabet is not None and (in_arpabet or symbol.ipa is None)
        phones = symbol.arpabet if by_arpabet else symbol.ipa
        if index == cut_at:
            phones, unfinished = _finished(piece, phones, in_arpabet or by_arpabet)
        if phones is None:
            left_out.append(piece[:_LONGEST_SHOWN])
        else:
            out += phones
            any_arpabet |= by_arpabet and bool(phones)
    return _in_inventory(out, any_arpabet, left_out, unfinished)


def _is_arpabet(symbols: list[Symbol]) -> bool:
    """Return whether letters that both alphabets have (``y``) are ARPAbet: others are, and none is only IPA."""
    only_arpabet = any(symbol.arpabet and symbol.ipa is None for symbol in symbols)
    return only_arpabet and not any(symbol.ipa and symbol.arpabet is None for symbol in symbols)


def _finished(piece: str, phones: tuple[str, ...] | None, arpabet: bool) -> tuple[tuple[str, ...], str | None]:
    """Return the phones of a last symbol that are certainly whole, and what is not."""
    if not phones or "\N{REPLACEMENT CHARACTER}" in piece:
        return (), piece[:_LONGEST_SHOWN] if phones is None else None
    if arpabet:
        return ((), piece) if piece.upper() in ARPABET_BEGINNINGS else (phones, None)
    return (phones[:-1], phones[-1]) if phones[-1] in IPA_BEGINNINGS else (phones, None)


def _in_inventory(phones: list[str], arpabet: bool, left_out: list[str], unfinished: str | None) -> Phones:
    if not any(map(is_sound, phones)):
        phones = []
    exact = [IPA_TO_ARPABET.get(phone) for phone in phones]
    names = tuple(name for name in exact if name is not None)
    if len(names) == len(phones):
        return Phones(names, "cmu39", arpabet, tuple(left_out), unfinished)
    return Phones(tuple(phones), "ipa", arpabet, tuple(left_out), unfinished)
