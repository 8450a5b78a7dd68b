"""Errors as often as a population makes them: rates by phone and surroundings, smoothed."""

from __future__ import annotations

import functools
from collections import Counter

from pedkit.errors import PedkitError
from synthetic.arpabet import CMU39, base
from synthetic.design.error_counts import NOTHING, ErrorCounts, Surroundings, surroundings
from synthetic.design.operations import Deletion, Insertion, Operation, Pronunciation
from synthetic.design.sources import Weighted, possible_operations


class EstimatedSource:
    """Errors at the rates of a manifest that has canonical and realized phones.

    The rate of x becoming y (or nothing) between surroundings c is

        P(y | x, c) = (n(x, c, y) + a P(y | x)) / (n(x, c) + a)
        P(y | x)    = (n(x, y) + a P0(y | x)) / (n(x) + a)

    where n counts, a is ``smoothing``, and P0 spreads the overall rates: P0(nothing | x) is that of deletions, and
    that of substitutions goes evenly to the other phones of the class of x (vowels or consonants). The rate of
    inserting y is

        P(y | c) = (n(c, y) + a P(y)) / (n(c) + a),    P(y) = (n(y) + a n(inserted) / (39 n)) / (n + a)

    over the n places before, between and after phones. Surroundings are the classes of the two neighbours and the
    word's edges, so position is in them. This is the Dirichlet smoothing of MacKay and Peto (1995), twice.

    Args:
        manifest: The recordings of the population.
        smoothing: Weight of the wider estimate, in observations; 0 takes the frequencies as they are, and the
            wider estimate only where nothing was observed.

    Raises:
        PedkitError: The manifest cannot be used, or the smoothing is below 0.
    """

    name = "estimated"
    has_rates = True

    def __init__(self, manifest: str, smoothing: float = 5.0) -> None:
        if smoothing < 0:
            raise PedkitError(f"expected smoothing to be 0 or more, but got {smoothing}")
        self.counts = ErrorCounts.of_manifest(manifest)
        self._smoothing = smoothing
        self._tabulate()
        self._change, self._insertion = functools.cache(self.rate), functools.cache(self.insertion_rate)

    def _tabulate(self) -> None:
        said, inserted = self.counts.said, self.counts.inserted
        self._said_of: Counter[tuple[str, str]] = Counter()
        self._phones: Counter[str] = Counter()
        self._phones_there: Counter[tuple[str, Surroundings]] = Counter()
        self._inserted_of: Counter[str] = Counter()
        self._places: Counter[Surroundings] = Counter()
        for (phone, there, heard), number in said.items():
            self._said_of[phone, heard] += number
            self._phones[phone] += number
            self._phones_there[phone, there] += number
        for (there, phone), number in inserted.items():
            self._inserted_of[phone] += number
            self._places[there] += number
        total = self._phones.total()
        deleted = sum(number for (_, heard), number in self._said_of.items() if heard == NOTHING)
        right = sum(number for (phone, heard), number in self._said_of.items() if phone == heard)
        self._deleted, self._replaced = deleted / total, (total - deleted - right) / total
        self._all_inserted = self._inserted_of.total() - self._inserted_of[NOTHING]

    def rate(self, canonical: str, there: Surroundings, realized: str) -> float:
        """Return how often a phone becomes another one, or `NOTHING`, between these surroundings.

        Args:
            canonical: Without stress.
            there: Its surroundings.
            realized: Without stress; another phone than ``canonical``.
        """
        return _mixed(
            self.counts.said[canonical, there, realized],
            self._phones_there[canonical, there],
            _mixed(
                self._said_of[canonical, realized],
                self._phones[canonical],
                self._prior(canonical, realized),
                self._smoothing,
            ),
            self._smoothing,
        )

    def insertion_rate(self, there: Surroundings, realized: str) -> float:
        """Return how often a phone, without stress, is inserted at a place with these surroundings."""
        places = self._places.total()
        prior = self._all_inserted / (places * len(CMU39.phones))
        wider = _mixed(self._inserted_of[realized], places, prior, self._smoothing)
        return _mixed(self.counts.inserted[there, realized], self._places[there], wider, self._smoothing)

    def operations(self, kind: str, pronunciation: Pronunciation) -> list[Weighted]:
        """Return the audible operations of ``kind``, each with its rate."""
        neighbours = [None, *map(base, pronunciation), None]
        found = []
        for operation in possible_operations(kind, pronunciation):
            at = operation.position
            after = neighbours[at + 1] if isinstance(operation, Insertion) else neighbours[at + 2]
            rate = self._rate_of(operation, surroundings(neighbours[at], after))
            if rate > 0:
                found.append((operation, rate))
        return found

    def _rate_of(self, operation: Operation, there: Surroundings) -> float:
        if isinstance(operation, Insertion):
            return self._insertion(there, base(operation.realized))
        realized = NOTHING if isinstance(operation, Deletion) else base(operation.realized)
        return self._change(base(operation.canonical), there, realized)

    def label(self, _operation: Operation, _pronunciation: Pronunciation) -> str:
        """Return the name of the source."""
        return self.name

    def _prior(self, canonical: str, realized: str) -> float:
        if realized == NOTHING:
            return self._deleted
        vowels = canonical in CMU39.vowels
        if vowels != (realized in CMU39.vowels):
            return 0.0
        return self._replaced / ((len(CMU39.vowels) if vowels else len(CMU39.phones) - len(CMU39.vowels)) - 1)


def _mixed(count: int, total: int, wider: float, smoothing: float) -> float:
    """Return (count + smoothing * wider) / (total + smoothing); the wider estimate where that is 0 / 0."""
    if not total + smoothing:
        return wider
    return (count + smoothing * wider) / (total + smoothing)
