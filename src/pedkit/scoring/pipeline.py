"""Everything that is computed for one batch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pedkit.phones import FEATURE_UNITS
from pedkit.scoring.columns import Columns, align, classes, distances
from pedkit.scoring.costs import (
    COST_UNIT,
    DELETION,
    INSERTION,
    SOFT_COST_UNIT,
    SUBSTITUTION,
    TIER1,
    TIER2,
    CostTables,
)
from pedkit.scoring.detection import Detection, Said, detect
from pedkit.scoring.encode import Encoded
from pedkit.scoring.fields import FIELDS, INDEX, OUTCOME_FIELDS
from pedkit.scoring.settings import ScoringSettings
from pedkit.scoring.symbols import Sequences
from pedkit.scoring.tr_range import true_rejections


@dataclass(frozen=True, slots=True)
class ScoredBatch:
    """What is known about a batch after scoring.

    Attributes:
        encoded: The batch as it came.
        tables: Cost functions in use.
        reference: Sequences that the error rates were computed against, without unusable symbols.
        pairs: Reference-predicted columns under the unit cost.
        soft_pairs: The same under the soft cost.
        detection: The grid and its outcomes.
        counts: int64, shape (utterances, fields).
    """

    encoded: Encoded
    tables: CostTables
    reference: Sequences
    pairs: Columns
    soft_pairs: Columns
    detection: Detection
    counts: NDArray[np.int64]


def score_batch(
    encoded: Encoded, tables: CostTables, settings: ScoringSettings, said: Said | None = None
) -> ScoredBatch:
    """Score an encoded batch.

    Args:
        encoded: The batch.
        tables: Cost functions.
        settings: Their choice.
        said: Canonical against realized phones, where they are known from other predictions of the batch.

    Raises:
        PedkitError: An utterance lacks the alignment that ``reference="annotated"`` needs, or is too long for
            ``tr_range``.
        AssertionError: A checksum is violated, which no input may bring about.
    """
    counts = np.zeros((len(encoded.items), len(FIELDS)), dtype=np.int64)
    reference = encoded.reference
    unusable = reference.marked(tables.unusable)
    if unusable.any():
        reference = reference.without(tables.unusable)
    predicted = encoded.predicted
    pairs = align(reference, predicted, tables.unit, COST_UNIT)
    soft_pairs = align(reference, predicted, tables.soft, FEATURE_UNITS * SOFT_COST_UNIT)
    _put(
        counts,
        utterances=1,
        empty_predictions=predicted.lengths == 0,
        g2p_references=int(settings.per_reference == "canonical"),
        reference_phones=reference.lengths,
        unusable_phones=unusable,
        unusable_predicted=predicted.marked(tables.unusable),
        feature_distance=distances(reference, predicted, tables.feature, FEATURE_UNITS),
        feature_unknown=_marked(reference, predicted, tables.feature_unknown),
        soft_unknown=_marked(reference, predicted, tables.soft_unknown),
        without_realized=[item.realized is None for item in encoded.items],
        without_canonical=[item.canonical is None for item in encoded.items],
    )
    _put_errors(counts, classes(pairs, tables.unit_classes))
    _put_soft_errors(counts, classes(soft_pairs, tables.soft_classes), settings.soft_cost)
    said = said or Said.of(encoded, tables, annotated=settings.reference == "annotated")
    detection = detect(encoded, tables, settings.u_aware, said)
    _put_outcomes(counts, detection, encoded)
    if settings.tr_range:
        fewest, most = true_rejections(encoded, tables)
        _put(counts, tr_range_utterances=encoded.judged, tr_fewest=fewest, tr_most=most)
    return ScoredBatch(encoded, tables, reference, pairs, soft_pairs, detection, counts)


def _put(counts: NDArray[np.int64], **values: NDArray[Any] | int | list[bool]) -> None:
    for field, value in values.items():
        counts[:, INDEX[field]] = value


def _marked(reference: Sequences, predicted: Sequences, marks: NDArray[np.uint8]) -> NDArray[np.int64] | int:
    return reference.marked(marks) + predicted.marked(marks) if marks.any() else 0


def _put_errors(counts: NDArray[np.int64], found: NDArray[np.int64]) -> None:
    _put(
        counts, substitutions=found[:, SUBSTITUTION], deletions=found[:, DELETION], insertions=found[:, INSERTION]
    )  # fmt: skip


def _put_soft_errors(counts: NDArray[np.int64], found: NDArray[np.int64], soft_cost: float) -> None:
    errors = found[:, SUBSTITUTION] + found[:, DELETION] + found[:, INSERTION]
    forgiven = found[:, TIER1] + found[:, TIER2]
    _put(
        counts,
        soft_substitutions=found[:, SUBSTITUTION],
        soft_deletions=found[:, DELETION],
        soft_insertions=found[:, INSERTION],
        soft_tier1=found[:, TIER1],
        soft_tier2=found[:, TIER2],
        soft_distance=errors * FEATURE_UNITS + forgiven * int(soft_cost * FEATURE_UNITS),
    )


def _put_outcomes(counts: NDArray[np.int64], detection: Detection, encoded: Encoded) -> None:
    _put(
        counts,
        mdd_utterances=encoded.judged,
        canonical_predicted_distance=detection.canonical_predicted,
        canonical_realized_distance=detection.said.distance,
        flagged_equal=detection.flagged_equal,
    )
    for prefix, outcomes in (("", detection.outcomes), ("kaldi3_", detection.kaldi3)):
        first = INDEX[prefix + OUTCOME_FIELDS[0]]
        counts[:, first : first + len(OUTCOME_FIELDS)] = outcomes
