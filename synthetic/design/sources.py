"""Where errors come from: each source lists the operations it allows in a word and how likely each one is."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Mapping
from typing import Protocol

from pedkit.errors import PedkitError
from pedkit.phones import FEATURE_UNITS, feature_distances
from synthetic.arpabet import CMU39, base, split_stress
from synthetic.design.operations import Deletion, Insertion, Operation, Pronunciation, Substitution

Weighted = tuple[Operation, float]


class ErrorSource(Protocol):
    """A named distribution over operations.

    Attributes:
        name: How manifests and run records call the source.
    """

    name: str

    def operations(self, kind: str, pronunciation: Pronunciation) -> list[Weighted]:
        """Return every operation of ``kind`` that the source allows, with its weight (> 0, any scale)."""


class UniformSource:
    """Every operation that `possible_operations` lists is as likely as every other."""

    name = "uniform"

    def operations(self, kind: str, pronunciation: Pronunciation) -> list[Weighted]:
        """Return all operations of ``kind`` with equal weights."""
        return [(operation, 1.0) for operation in possible_operations(kind, pronunciation)]


class NeighbourSource:
    """Substitutions by phones that are close in articulation; deletions and insertions are uniform.

    A substitution of x by y weighs exp(-d(x, y) / temperature), where d is the share of articulatory features
    that differ (`pedkit.phones.feature_distances`), normalised over y, so that every position is equally likely.

    Args:
        temperature: In the unit of d, over 0. 0.04 is two of 48 feature values; the higher, the more uniform.
    """

    name = "neighbour"

    def __init__(self, temperature: float = 0.08) -> None:
        if not temperature > 0:
            raise PedkitError(f"expected a temperature over 0, but got {temperature!r}")
        distances = feature_distances("cmu39") / FEATURE_UNITS
        self._closeness = {
            (x, y): math.exp(-distances[i, j] / temperature)
            for i, x in enumerate(CMU39.phones)
            for j, y in enumerate(CMU39.phones)
        }

    def operations(self, kind: str, pronunciation: Pronunciation) -> list[Weighted]:
        """Return all operations of ``kind``, substitutions weighted by closeness."""
        operations = list(possible_operations(kind, pronunciation))
        weights = [self._weight(operation) for operation in operations]
        totals = [0.0] * (len(pronunciation) + 1)
        for operation, weight in zip(operations, weights, strict=True):
            totals[operation.position] += weight
        return [(o, weight / totals[o.position]) for o, weight in zip(operations, weights, strict=True)]

    def _weight(self, operation: Operation) -> float:
        if isinstance(operation, Substitution):
            return self._closeness[base(operation.canonical), base(operation.realized)]
        return 1.0


def possible_operations(kind: str, pronunciation: Pronunciation) -> Iterator[Operation]:
    """Yield every operation of ``kind`` whose result can be told from the canonical pronunciation by ear.

    Vowels are replaced by vowels and keep their stress, consonants by consonants. Stressed vowels are not deleted
    (the word would lose a beat, and engines then stress another vowel). Inserted vowels are unstressed. No
    operation puts a phone beside an equal one, nor changes one of two equal phones: one long phone and two short
    ones sound alike, and the position of the error would be a matter of taste.

    Raises:
        PedkitError: ``kind`` is not the name of an operation.
    """
    if kind not in _LISTED:
        raise PedkitError(f"expected a substitution, deletion or insertion, but got {kind!r}")
    return _LISTED[kind](pronunciation)


def _substitutions(pronunciation: Pronunciation) -> Iterator[Operation]:
    for position, (left, phone, right) in enumerate(_with_neighbours(pronunciation)):
        symbol, stress = split_stress(phone)
        if symbol not in (left, right):
            for other in CMU39.phones:
                alike = CMU39.is_vowel(other) == CMU39.is_vowel(symbol)
                if alike and other not in (left, symbol, right):
                    yield Substitution(position, phone, other + stress)


def _deletions(pronunciation: Pronunciation) -> Iterator[Operation]:
    for position, (left, phone, right) in enumerate(_with_neighbours(pronunciation)):
        if not phone.endswith(("1", "2")) and base(phone) not in (left, right) and left != right:
            yield Deletion(position, phone)


def _insertions(pronunciation: Pronunciation) -> Iterator[Operation]:
    symbols = ["", *map(base, pronunciation), ""]
    for position, neighbours in enumerate(itertools.pairwise(symbols)):
        for phone in CMU39.phones:
            if phone not in neighbours:
                yield Insertion(position, phone + "0" if CMU39.is_vowel(phone) else phone)


_LISTED: Mapping[str, Callable[[Pronunciation], Iterator[Operation]]] = {
    "substitution": _substitutions,
    "deletion": _deletions,
    "insertion": _insertions,
}


def _with_neighbours(pronunciation: Pronunciation) -> Iterator[tuple[str, str, str]]:
    """Yield each phone between its neighbours without stress, empty at the edges."""
    symbols = ["", *map(base, pronunciation), ""]
    return zip(symbols[:-2], pronunciation, symbols[2:], strict=True)
