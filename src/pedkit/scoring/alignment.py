"""`Alignment`: the columns of one utterance, and every view of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pedkit.phones import FEATURE_UNITS
from pedkit.scoring.columns import align
from pedkit.scoring.costs import COST_UNIT, DELETION, INSERTION, MATCH, SUBSTITUTION, TIER1, TIER2
from pedkit.scoring.fields import OUTCOME_FIELDS
from pedkit.scoring.pipeline import ScoredBatch
from pedkit.scoring.symbols import Sequences

COSTS = ("unit", "feature", "soft")


class Column(NamedTuple):
    """One column of the grid; ``None`` is the gap.

    Attributes:
        canonical: What should have been said.
        realized: What was said.
        predicted: What the system heard.
        outcome: ``TA FR FA CD DE DU``; ``None`` where the utterance is not judged.
        type: ``sub del ins``: what the system did in FR, else the speaker's error; ``None`` for TA. Where the
            utterance is not judged: the error of the system against the reference.
    """

    canonical: str | None
    realized: str | None
    predicted: str | None
    outcome: str | None
    type: str | None


class Pair(NamedTuple):
    """One column of reference and predicted; ``None`` is the gap.

    Attributes:
        reference: Phone of the reference.
        predicted: Phone of the system.
        type: ``sub del ins``; ``tier1 tier2`` where they are soft-equal; ``None`` where they are equal.
    """

    reference: str | None
    predicted: str | None
    type: str | None


_PAIR_TYPES = {MATCH: None, SUBSTITUTION: "sub", DELETION: "del", INSERTION: "ins", TIER1: "tier1", TIER2: "tier2"}
_OUTCOMES = [name[:2] for name in OUTCOME_FIELDS]  # by outcome code
_TYPES = [name[3:] or None for name in OUTCOME_FIELDS]


class Alignment:
    """The alignments of one utterance. Nothing is aligned twice under the same cost.

    Args:
        batch: The scored batch it belongs to.
        index: Its position in the batch.
    """

    __slots__ = ("_batch", "_index")

    def __init__(self, batch: ScoredBatch, index: int) -> None:
        self._batch, self._index = batch, index

    @property
    def id(self) -> str:
        """Name of the utterance."""
        return self._batch.encoded.items[self._index].id

    @property
    def judged(self) -> bool:
        """True where both canonical and realized phones are known, so that MDD is defined."""
        return bool(self._batch.encoded.judged[self._index])

    @property
    def columns(self) -> list[Column]:
        """Columns of the grid; where the utterance is not judged, those of reference and predicted."""
        if not self.judged:
            return self._unjudged()
        rows = [self._symbols(row) for row in self._batch.detection.grid.of(self._index)]
        codes = self.codes.tolist()
        outcomes, types = map(_OUTCOMES.__getitem__, codes), map(_TYPES.__getitem__, codes)
        return list(map(Column._make, zip(*rows, outcomes, types, strict=True)))

    @property
    def codes(self) -> NDArray[np.uint8]:
        """Outcome of each grid column as an index into ``fields.OUTCOME_FIELDS``; empty where not judged."""
        grid, k = self._batch.detection.grid, self._index
        return self._batch.detection.codes[grid.starts[k] : grid.ends[k]]

    @property
    def canonical_marks(self) -> NDArray[np.bool_]:
        """True for each grid column that holds a canonical phone."""
        canonical: NDArray[np.bool_] = self._batch.detection.grid.of(self._index)[0] != 0
        return canonical

    def pairs(self, cost: str = "unit") -> list[Pair]:
        """Return the columns of reference and predicted under a cost function.

        The reference is the realized phones (the canonical ones with ``per_reference=canonical``) without
        symbols of unknown identity.

        Args:
            cost: ``unit`` (PER, confusions), ``feature`` (PFER) or ``soft`` (Soft PER).

        Raises:
            ValueError: There is no such cost.
        """
        rows, tables = self._pair_rows(cost), self._batch.tables
        classes = (tables.soft_classes if cost == "soft" else tables.unit_classes)[rows]
        types = map(_PAIR_TYPES.__getitem__, classes.tolist())
        return list(map(Pair._make, zip(self._symbols(rows[0]), self._symbols(rows[1]), types, strict=True)))

    def _pair_rows(self, cost: str) -> tuple[NDArray[np.uint16], ...]:
        if cost == "unit":
            return self._batch.pairs.of(self._index)
        if cost == "soft":
            return self._batch.soft_pairs.of(self._index)
        if cost != "feature":
            raise ValueError(f"expected 'cost' to be one of {', '.join(COSTS)}, but got {cost!r}")
        reference = _one(self._batch.reference, self._index)
        predicted = _one(self._batch.encoded.predicted, self._index)
        return align(reference, predicted, self._batch.tables.feature_key, FEATURE_UNITS * COST_UNIT).of(0)

    def _symbols(self, row: NDArray[np.uint16]) -> Iterator[str | None]:
        return map(self._batch.symbols.__getitem__, row.tolist())

    def _unjudged(self) -> list[Column]:
        item = self._batch.encoded.items[self._index]
        if item.realized is None:
            return [Column(r, None, p, None, kind) for r, p, kind in self.pairs()]
        return [Column(None, r, p, None, kind) for r, p, kind in self.pairs()]


def _one(sequences: Sequences, k: int) -> Sequences:
    start, end = sequences.offsets[k], sequences.offsets[k + 1]
    return Sequences(sequences.ids[start:end], np.array([0, end - start], dtype=np.int64))
