"""Which pronunciation of each word somebody aimed at, judged by what was said: exact, over the whole utterance."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

Row = npt.NDArray[np.int64]

_Variants = Sequence[Sequence[Sequence[str]]]


def best_variants(words: _Variants, realized: Sequence[str]) -> tuple[int, ...]:
    """Return for each word the index of the pronunciation that was most likely aimed at.

    Chosen together so that the edit distance (insertions, deletions and substitutions cost 1) between the whole
    canonical sequence and ``realized`` is least, by dynamic programming over the lattice of all pronunciations; a
    choice word by word can miss it, because where one word ends in ``realized`` depends on its neighbours. Of
    equally near choices that with the earlier pronunciations is taken, the first word first.

    Args:
        words: For each word its pronunciations, at least one.
        realized: What was said.
    """
    if all(len(variants) == 1 for variants in words):
        return (0,) * len(words)
    codes: dict[str, int] = {}
    said = np.array([codes.setdefault(phone, len(codes)) for phone in realized], dtype=np.int64)
    coded = [[[codes.get(phone, -1) for phone in variant] for variant in variants] for variants in words]
    rests = _costs_of_the_rest(coded, said)
    best = int(rests[0][0])
    row: Row = np.arange(len(said) + 1, dtype=np.int64)
    chosen = []
    for variants, rest in zip(coded, rests[1:], strict=True):
        for index, variant in enumerate(variants):
            after = _after(row, variant, said)
            if int((after + rest).min()) == best:
                chosen.append(index)
                row = after
                break
    return tuple(chosen)


def _costs_of_the_rest(words: Sequence[Sequence[Sequence[int]]], said: Row) -> list[Row]:
    """Return for each word, and for the end, the least cost of everything from it on.

    Element ``j`` of a row is the cost against ``said[j:]``. Computed from the end, on reversed sequences.
    """
    backwards = said[::-1]
    row: Row = np.arange(len(said) + 1, dtype=np.int64)
    rows = [row[::-1]]
    for variants in reversed(words):
        row = np.min([_after(row, variant[::-1], backwards) for variant in variants], axis=0)
        rows.append(row[::-1])
    return rows[::-1]


def _after(row: Row, phones: Iterable[int], said: Row) -> Row:
    """Return the edit distances to each prefix of ``said`` once ``phones`` have followed those of ``row``."""
    places = np.arange(len(row), dtype=np.int64)
    for phone in phones:
        following = row + 1
        np.minimum(following[1:], row[:-1] + (said != phone), out=following[1:])
        row = np.minimum.accumulate(following - places) + places
    return row
