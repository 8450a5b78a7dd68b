"""The accents of English in which espeak-ng keeps the 39 phones apart, and those in which it does not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pedkit.errors import PedkitError

AMERICAN = "en-us"


@dataclass(frozen=True, slots=True, kw_only=True)
class Accent:
    """An accent of espeak-ng.

    Attributes:
        file: Its voice file in ``lang/gmw``.
        accent: What it is, as the group key ``accent`` says it.
        rhotic: Whether an unstressed ER (``3``) sounds other than a schwa; else it is spelled ``3:``.
    """

    file: str
    accent: str
    rhotic: bool = False


ACCENTS: Mapping[str, Accent] = {
    AMERICAN: Accent(file="en-US", accent="american", rhotic=True),
    "en-gb": Accent(file="en", accent="british"),
    "en-gb-x-rp": Accent(file="en-GB-x-rp", accent="received pronunciation"),
    "en-029": Accent(file="en-029", accent="caribbean"),
}

REFUSED: Mapping[str, str] = {
    "en-gb-scotland": "its UW is an UH and its ER has no r",
    "en-gb-x-gbclan": "its AH is an UH and its NG before a vowel is NG G",
    "en-gb-x-gbcwmd": "its AH is an UH and its NG before a vowel is NG G",
    "en-us-nyc": "its ER is a diphthong near OY",
}
"""Accents whose phone table changes phones of CMU-39, and which."""


def accent_of(voice: str) -> tuple[str, str]:
    """Return the accent and the variant (empty for none) of a voice such as ``en-gb+f3``.

    Raises:
        PedkitError: pedkit does not use the accent; the reason is named where there is one.
    """
    accent, _, variant = voice.partition("+")
    if accent in ACCENTS:
        return accent, variant
    if accent in REFUSED:
        raise PedkitError(
            f"the accent of voice {voice!r} does not keep the phones apart: {REFUSED[accent]}",
            hint=f"accents: {', '.join(ACCENTS)}",
        )
    raise PedkitError(
        f"expected a voice 'ACCENT' or 'ACCENT+VARIANT' of espeak-ng, but got {voice!r}",
        hint=f"accents: {', '.join(ACCENTS)}",
    )
