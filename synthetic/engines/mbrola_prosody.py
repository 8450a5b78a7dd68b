"""Durations and F0 for MBROLA, whose input they are: a plain model, drawn anew for each request.

Mean durations (``tables/durations.tsv``, milliseconds at rate 100) and the factors below are choices of pedkit, in
the range of careful read speech; they are not measured on a corpus.
"""

from __future__ import annotations

import csv
import functools
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from synthetic.arpabet import CMU39, split_stress
from synthetic.engines.phone_map import TABLES

_OF_STRESS = {"1": 1.15, "2": 1.05, "0": 0.75, "": 1.0}
_LAST_VOWEL, _LAST_PHONE = 1.15, 1.35  # lengthening before a pause
_SPREAD = 0.12  # standard deviation of the logarithm of a duration
_FROM, _TO = (1.05, 1.20), (0.75, 0.90)  # F0 at both ends of a phrase, relative to the mean
_ACCENT = (1.00, 1.12)  # F0 of a vowel with primary stress, relative to its neighbours


@dataclass(frozen=True, slots=True)
class Timed:
    """How one phone is said.

    Attributes:
        duration: Milliseconds.
        f0: Hz in the middle.
    """

    duration: int
    f0: int


@functools.cache
def durations() -> Mapping[str, int]:
    """Return the mean duration of each phone in milliseconds."""
    with (TABLES / "durations.tsv").open(encoding="utf-8", newline="") as file:
        return {row["phone"]: int(row["ms"]) for row in csv.DictReader(file, delimiter="\t")}


def prosody(phrase: Sequence[str], *, rate: float, f0: float, rng: random.Random) -> list[Timed]:
    """Draw durations and F0 for the phones between two pauses.

    Args:
        phrase: ARPAbet with stress digits.
        rate: 1 for the mean durations, 2 for half of them.
        f0: Mean in Hz.
        rng: What they are drawn from.
    """
    first, last, accent = rng.uniform(*_FROM), rng.uniform(*_TO), rng.uniform(*_ACCENT)
    vowels = [at for at, phone in enumerate(phrase) if split_stress(phone)[0] in CMU39.vowels]
    timed = []
    for at, phone in enumerate(phrase):
        symbol, stress = split_stress(phone)
        length = durations()[symbol] * rng.lognormvariate(0, _SPREAD) / rate
        if at in vowels:
            length *= _OF_STRESS[stress]
            if at == len(phrase) - 1:
                length *= _LAST_PHONE
            elif at == vowels[-1]:
                length *= _LAST_VOWEL
        declined = first + (last - first) * at / max(1, len(phrase) - 1)
        timed.append(Timed(round(length), round(f0 * declined * (accent if stress == "1" else 1))))
    return timed
