"""Contexts of phonological rules, in the notation of the field: ``# _ S stop``, ``vowel _ #``, ``_ L|R``.

Classes are written out, because V is a phone of CMU-39.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pedkit.errors import PedkitError
from synthetic.arpabet import CMU39, base
from synthetic.design.operations import Pronunciation


def _set(phones: str) -> frozenset[str]:
    return frozenset(phones.split())


CLASSES: dict[str, frozenset[str]] = {
    "vowel": CMU39.vowels,
    "stressed": frozenset(vowel + digit for vowel in CMU39.vowels for digit in "12"),
    "unstressed": frozenset(vowel + "0" for vowel in CMU39.vowels),
    "consonant": frozenset(CMU39.phones) - CMU39.vowels,
    "stop": _set("P B T D K G"),
    "fricative": _set("F V TH DH S Z SH ZH HH"),
    "affricate": _set("CH JH"),
    "nasal": _set("M N NG"),
    "liquid": _set("L R"),
    "glide": _set("W Y"),
    "obstruent": _set("P B T D K G F V TH DH S Z SH ZH HH CH JH"),
    "voiceless": _set("P T K F TH S SH CH HH"),
}
"""Classes of phones; the two of vowels with and without stress hold phones with their digit."""

_EDGE = "#"


@dataclass(frozen=True, slots=True)
class Context:
    """What stands before and after the place of an error, as far as it matters.

    Attributes:
        left: Sets of phones, or of the word edge ``#``, nearest last.
        right: The same after the place, nearest first.
    """

    left: tuple[frozenset[str], ...] = ()
    right: tuple[frozenset[str], ...] = ()

    @classmethod
    def parse(cls, text: str) -> Context:
        """Read ``LEFT _ RIGHT``: phones, classes (`CLASSES`) or the word edge ``#``, one a position.

        ``A|B`` is either.

        Raises:
            PedkitError: There is not one ``_``, or a symbol is unknown.
        """
        left, bar, right = text.partition("_")
        if not bar or "_" in right:
            raise PedkitError(f"expected a context such as '# _ vowel' with one '_', but got {text!r}")
        return cls(*(tuple(_symbols(position) for position in side.split()) for side in (left, right)))

    def holds(self, before: Pronunciation, after: Pronunciation) -> bool:
        """Return whether the context holds between two parts of a word."""
        near_left, near_right = (_EDGE, *before), (*after, _EDGE)
        return _match(self.left, near_left[-len(self.left) :] if self.left else ()) and _match(
            self.right, near_right[: len(self.right)]
        )


def _symbols(position: str) -> frozenset[str]:
    found: set[str] = set()
    for symbol in position.split("|"):
        if symbol in CLASSES:
            found |= CLASSES[symbol]
        elif symbol == _EDGE or symbol in CMU39:
            found.add(symbol)
        else:
            raise PedkitError(
                f"expected a phone of CMU-39, # or a class in a context, but got {symbol!r}",
                hint=f"classes: {', '.join(CLASSES)}",
            )
    return frozenset(found)


def _match(wanted: Sequence[frozenset[str]], there: Sequence[str]) -> bool:
    return len(wanted) == len(there) and all(
        phone in symbols or base(phone) in symbols for symbols, phone in zip(wanted, there, strict=True)
    )
