"""How often each distinct column came, counted many utterances at a time."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from pedkit.scoring.distinct import Distinct, Numbered

_T = TypeVar("_T")
_WAITING = 4096
"""Utterances that are counted in one go."""


class ColumnCounts(Generic[_T]):
    """Counts columns while utterances stream past."""

    def __init__(self) -> None:
        self._waiting: defaultdict[Distinct[_T], list[NDArray[np.int64]]] = defaultdict(list)
        self._counted: dict[Distinct[_T], NDArray[np.int64]] = {}

    def add(self, columns: Numbered[_T], k: int) -> None:
        """Take in the columns of utterance ``k`` of a batch."""
        waiting = self._waiting[columns.distinct]
        waiting.append(columns.numbers[columns.offsets[k] : columns.offsets[k + 1]])
        if len(waiting) == _WAITING:
            self._count(columns.distinct)

    def counter(self) -> Counter[_T]:
        """Return how often each column came."""
        total: Counter[_T] = Counter()
        for distinct in list(self._waiting):
            self._count(distinct)
            numbers = self._counted[distinct].tolist()
            for column, number in zip(distinct.objects, numbers, strict=False):  # later ones came elsewhere
                if number:
                    total[column] += number
        return total

    def _count(self, distinct: Distinct[_T]) -> None:
        waiting = self._waiting[distinct]
        if not waiting:
            return
        found = np.bincount(np.concatenate(waiting), minlength=len(distinct.objects))
        before = self._counted.get(distinct, found[:0])
        found[: len(before)] += before
        self._counted[distinct] = found
        waiting.clear()
