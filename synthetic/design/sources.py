"""Where errors come from: each source lists the operations it allows in a word and how likely each one is."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping
from typing import Protocol, runtime_checkable

import numpy as np

from pedkit.errors import PedkitError
from pedkit.phones import FEATURE_UNITS, feature_distances
from synthetic.arpabet import CMU39, base, split_stress
from synthetic.design.operations import Deletion, Insertion, Operation, Pronunciation, Substitution

Weighted = tuple[Operation, float]

_VOWELS = tuple(phone for phone in CMU39.phones if phone in CMU39.vowels)
_CONSONANTS = tuple(phone for phone in CMU39.phones if phone not in CMU39.vowels)


@runtime_checkable
class ErrorSource(Protocol):
    """A named distribution over operations.

    Attributes:
        name: How manifests and run records call the source.
        has_rates: Whether weights are rates: how often the population makes this error where it comes to say this.
    """

    name: str
    has_rates: bool

    def operations(self, kind: str, pronunciation: Pronunciation) -> list[Weighted]:
        """Return every operation of ``kind`` that the source allows in a word, with its weight (> 0).

        Args:
            kind: ``substitution``, ``deletion`` or ``insertion``.
            pronunciation: Of one word; sources look at no other.
        """

    def label(self, operation: Operation, pronunciation: Pronunciation) -> str:
        """Return what records call the origin of an operation that this source allowed in a word."""


class UniformSource:
    """Every operation that `possible_operations` lists is as likely as every other."""

    name = "uniform"
    has_rates = False

    def operations(self, kind: str, pronunciation: Pronunciation) -> list[Weighted]:
        """Return all operations of ``kind`` with equal weights."""
        return [(operation, 1.0) for operation in possible_operations(kind, pronunciation)]

    def label(self, _operation: Operation, _pronunciation: Pronunciation) -> str:
        """Return the name of the source."""
        return self.name


class NeighbourSource:
    """Substitutions by phones that are close in articulation; deletions and insertions are uniform.

    A substitution of x by y weighs exp(-d(x, y) / temperature), where d is the share of articulatory features
    that differ (`pedkit.phones.feature_distances`), normalised over y, so that every position is equally likely.

    Args:
        temperature: In the unit of d, over 0. 0.04 is two of 48 feature values; the higher, the more uniform.
    """

    name = "neighbour"
    has_rates = False

    def __init__(self, temperature: float = 0.08) -> None:
        if not temperature > 0:
            raise PedkitError(f"expected a temperature over 0, but got {temperature!r}")
        distances = feature_distances("cmu39") / FEATURE_UNITS
        closeness = np.exp(-distances / temperature).tolist()
        self._closeness = {
            x: dict(zip(CMU39.phones, row, strict=True)) for x, row in zip(CMU39.phones, closeness, strict=True)
        }

    def operations(self, kind: str, pronunciation: Pronunciation) -> list[Weighted]:
        """Return all operations of ``kind``, substitutions weighted by closeness."""
        if kind != Substitution.kind:
            return [(operation, 1.0) for operation in possible_operations(kind, pronunciation)]
        weighted = [
            (operation, self._closeness[base(operation.canonical)][base(operation.realized)])
            for operation in _substitutions(pronunciation)
        ]
        totals = [0.0] * len(pronunciation)
        for operation, weight in weighted:
            totals[operation.position] += weight
        return [(operation, weight / totals[operation.position]) for operation, weight in weighted]

    def label(self, _operation: Operation, _pronunciation: Pronunciation) -> str:
        """Return the name of the source."""
        return self.name


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


def _substitutions(pronunciation: Pronunciation) -> Iterator[Substitution]:
    for position, (left, phone, right) in enumerate(_with_neighbours(pronunciation)):
        symbol, stress = split_stress(phone)
        if symbol not in (left, right):
            for other in _VOWELS if stress else _CONSONANTS:
                if other not in (left, symbol, right):
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
                yield Insertion(position, phone + "0" if phone in CMU39.vowels else phone)


_LISTED: Mapping[str, Callable[[Pronunciation], Iterator[Operation]]] = {
    "substitution": _substitutions,
    "deletion": _deletions,
    "insertion": _insertions,
}


def _with_neighbours(pronunciation: Pronunciation) -> Iterator[tuple[str, str, str]]:
    """Yield each phone between its neighbours without stress, empty at the edges."""
    symbols = ["", *map(base, pronunciation), ""]
    return zip(symbols[:-2], pronunciation, symbols[2:], strict=True)
