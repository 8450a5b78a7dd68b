"""Pronunciations into syllables: each takes the longest English onset before its vowel."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from synthetic.arpabet import CMU39, base, split_stress

_ONSETS_TEXT = (
    "P L,P R,P Y,B L,B R,B Y,T R,T W,D R,D W,K L,K R,K W,K Y,G L,G R,G W,M Y,F L,F R,F Y,V Y,TH R,TH W,"
    "S P,S T,S K,S M,S N,S F,S L,S W,SH R,HH Y,HH W,S P L,S P R,S T R,S K R,S K W"
)
_ONSETS = frozenset(tuple(onset.split()) for onset in _ONSETS_TEXT.split(","))


def syllables(word: Sequence[str]) -> list[tuple[str, ...]]:
    """Return the syllables of a word (ARPAbet with stress); a word without a vowel is one syllable.

    Together they are the word, whatever it is: consonants that begin no English word go to the syllable before.
    """
    vowels = [at for at, phone in enumerate(word) if base(phone) in CMU39.vowels]
    cuts = [0]
    for before, after in itertools.pairwise(vowels):
        starts = range(before + 1, after + 1)
        cuts.append(next(at for at in starts if _is_onset(word[at:after])))
    return [tuple(word[start:end]) for start, end in zip(cuts, [*cuts[1:], len(word)], strict=True)]


def stress_of(syllable: Sequence[str]) -> int:
    """Return 1 for primary or secondary stress, 0 for none: what festival's English voices tell apart."""
    return int(any(split_stress(phone)[1] in ("1", "2") for phone in syllable))


def _is_onset(consonants: Sequence[str]) -> bool:
    return not consonants or (len(consonants) == 1 and consonants[0] != "NG") or tuple(consonants) in _ONSETS
