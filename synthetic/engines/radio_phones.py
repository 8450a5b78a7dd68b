"""Phones of the radio set, which flite and festival's diphone voices share, back to ARPAbet with stress."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Mapping, Sequence

from synthetic.arpabet import base, split_stress
from synthetic.engines.phone_map import symbols

PAUSES = frozenset({"pau", "h#", "brth"})


def read_segments(segments: Sequence[str], asked: Sequence[str]) -> tuple[str, ...]:
    """Return the phones that segments stand for.

    Segments carry no stress, so a vowel's digit is that of the phone asked for at the same place, if it is the
    same vowel. The unstressed AH has a segment of its own: ``ah`` is no AH0, ``ax`` no AH1.

    Args:
        segments: As the engine names them, with pauses.
        asked: The requested phones.
    """
    said = (segment for segment in segments if segment not in PAUSES)
    out = []
    for segment, phone in itertools.zip_longest(said, asked):
        if segment is None:
            break
        out.append(_read(segment, phone))
    return tuple(out)


def _read(segment: str, asked: str | None) -> str:
    row = _phones().get(segment, f"<{segment}>")
    symbol, digit = split_stress(row)
    if asked is None or base(asked) != symbol:
        return row
    stress = split_stress(asked)[1]
    if symbol == "AH" and (digit == "0") != (stress == "0"):
        return f"<{segment}>"
    return asked


@functools.cache
def _phones() -> Mapping[str, str]:
    """Return the first row of the table with each symbol: ``iy`` is IY, ``ax`` is AH0."""
    out: dict[str, str] = {}
    for phone, segment in symbols("flite").items():
        out.setdefault(segment, phone)
    return out
