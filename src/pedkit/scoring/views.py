"""What a column is to a reader: `Column` of the grid, `Pair` of two sequences, and all those of a batch."""

from __future__ import annotations

import functools
from typing import NamedTuple

import numpy as np

from pedkit.phones import FEATURE_UNITS
from pedkit.scoring.columns import align
from pedkit.scoring.costs import COST_UNIT, DELETION, INSERTION, MATCH, SUBSTITUTION, TIER1, TIER2
from pedkit.scoring.distinct import Distinct, Numbered
from pedkit.scoring.fields import OUTCOME_FIELDS
from pedkit.scoring.pipeline import ScoredBatch
from pedkit.scoring.symbols import Sequences


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


class ColumnMaker:
    """Makes columns and pairs for all batches of one scorer.

    Args:
        symbols: Symbol of each id; ``None`` for the gap.
    """

    def __init__(self, symbols: list[str | None]) -> None:
        def column(canonical: int, realized: int, predicted: int, code: int) -> Column:
            phones = symbols[canonical], symbols[realized], symbols[predicted]
            return Column(*phones, _OUTCOMES[code], _TYPES[code])

        self.columns = Distinct(column, rows=3)
        self.pairs = Distinct(lambda a, b, kind: Pair(symbols[a], symbols[b], _PAIR_TYPES[kind]), rows=2)


class BatchViews:
    """The columns of one batch, each kind made when it is first asked for.

    Args:
        batch: The scored batch.
        make: Makes the objects.
    """

    def __init__(self, batch: ScoredBatch, make: ColumnMaker) -> None:
        self.batch, self.make = batch, make

    @functools.cached_property
    def grid(self) -> Numbered[Column]:
        """Columns of each grid."""
        return self.make.columns.of(self.batch.detection.grid, self.batch.detection.codes)

    @functools.cached_property
    def unit_pairs(self) -> Numbered[Pair]:
        """Reference and predicted of each utterance under the unit cost."""
        pairs = self.batch.pairs
        return self.make.pairs.of(pairs, self.batch.tables.unit_classes[pairs.rows])

    @functools.cached_property
    def soft_pairs(self) -> Numbered[Pair]:
        """Reference and predicted of each utterance under the soft cost."""
        pairs = self.batch.soft_pairs
        return self.make.pairs.of(pairs, self.batch.tables.soft_classes[pairs.rows])

    def feature_pairs(self, k: int) -> list[Pair]:
        """Return reference and predicted of one utterance under the feature cost, aligned for this call."""
        reference, predicted = _one(self.batch.reference, k), _one(self.batch.encoded.predicted, k)
        pairs = align(reference, predicted, self.batch.tables.feature_key, FEATURE_UNITS * COST_UNIT)
        return self.make.pairs.of(pairs, self.batch.tables.unit_classes[pairs.rows]).of(0)


def _one(sequences: Sequences, k: int) -> Sequences:
    start, end = sequences.offsets[k], sequences.offsets[k + 1]
    return Sequences(sequences.ids[start:end], np.array([0, end - start], dtype=np.int64))
