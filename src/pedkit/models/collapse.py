"""CTC collapse on ids: group equal neighbours first, drop blanks second, never the other way round."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby, pairwise
from typing import NamedTuple


class Run(NamedTuple):
    """Frames ``[start, end)`` in which a CTC path stays on one id that is not the blank."""

    id: int
    start: int
    end: int


def ctc_runs(path: Iterable[int], blank: int = 0) -> list[Run]:
    """Return the runs of equal ids of a frame-wise path, without the blank's (Graves et al. 2006, the map B).

    >>> ctc_runs([0, 7, 7, 0, 7])
    [Run(id=7, start=1, end=3), Run(id=7, start=4, end=5)]
    """
    runs, start = [], 0
    for number, frames in groupby(path):
        end = start + sum(1 for _ in frames)
        if number != blank:
            runs.append(Run(number, start, end))
        start = end
    return runs


def ctc_collapse(ids: Iterable[int], blank: int = 0) -> list[int]:
    """Return the label sequence of a frame-wise path: ``t _ t t _ s`` becomes ``t t s``.

    >>> ctc_collapse([5, 0, 5, 5, 0, 9])
    [5, 5, 9]
    """
    return [run.id for run in ctc_runs(ids, blank)]


def frames_needed(labels: Sequence[int]) -> int:
    """Return how many frames a CTC path of ``labels`` needs at least: one a label, one blank between equal ones.

    >>> frames_needed([1, 1]), frames_needed([1, 2])
    (3, 2)
    """
    return len(labels) + sum(1 for a, b in pairwise(labels) if a == b)
