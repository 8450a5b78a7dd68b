"""Everything that is computed for one batch: alignments, grid, outcomes, counts, checksums."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pedkit.phones import FEATURE_UNITS
from pedkit.scoring import costs as cost_tables
from pedkit.scoring.costs import COST_UNIT, SOFT_COST_UNIT, CostTables
from pedkit.scoring.encode import Encoded
from pedkit.scoring.fields import FIELDS, INDEX, OUTCOME_FIELDS
from pedkit.scoring.settings import ScoringSettings
from pedkit.scoring.symbols import Sequences

_Ids = NDArray[np.uint16]


@dataclass(frozen=True, slots=True)
class Columns:
    """Alignment columns of a batch: rows of symbol ids (0 is the gap), utterance k at ``starts[k]:ends[k]``."""

    rows: tuple[_Ids, ...]
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]

    def of(self, k: int) -> tuple[_Ids, ...]:
        """Return the rows of one utterance."""
        return tuple(row[self.starts[k] : self.ends[k]] for row in self.rows)


@dataclass(frozen=True, slots=True)
class ScoredBatch:
    """What is known about a batch after scoring.

    Attributes:
        encoded: The batch as it came.
        symbols: Symbol of each id; ``None`` for the gap.
        reference: Sequences that the error rates were computed against, without unusable symbols.
        tables: Cost functions in use.
        pairs: Reference-predicted columns under the unit cost.
        soft_pairs: The same under the soft cost.
        grid: Canonical, realized and predicted row of the grid; meaningless where an utterance is not judged.
        codes: Outcome of each grid column, an index into ``fields.OUTCOME_FIELDS``.
        counts: int64, shape (utterances, fields).
    """

    encoded: Encoded
    symbols: list[str | None]
    reference: Sequences
    tables: CostTables
    pairs: Columns
    soft_pairs: Columns
    grid: Columns
    codes: NDArray[np.uint8]
    counts: NDArray[np.int64]


def align(a: Sequences, b: Sequences, key: NDArray[np.int64], gap_key: int) -> Columns:
    """Align each utterance of ``a`` with the same utterance of ``b`` under a packed key (`kernels.pair`)."""
    from pedkit.scoring.kernels.pair import align_pairs

    rows = np.empty(len(a.ids) + len(b.ids), dtype=np.uint16), np.empty(len(a.ids) + len(b.ids), dtype=np.uint16)
    starts = np.empty(len(a.offsets) - 1, dtype=np.int64)
    align_pairs(*a, *b, key, gap_key, *rows, starts)
    return Columns(rows, starts, a.offsets[1:] + b.offsets[1:])


def distances(a: Sequences, b: Sequences, cost: NDArray[np.int64], gap: int) -> NDArray[np.int64]:
    """Return the least edit cost of each utterance, shape (utterances,)."""
    from pedkit.scoring.kernels.pair import edit_costs

    out = np.empty(len(a.offsets) - 1, dtype=np.int64)
    edit_costs(*a, *b, cost, gap, out)
    return out


def classes(columns: Columns, table: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Return the number of columns of each class, shape (utterances, ``costs.CLASSES``)."""
    from pedkit.scoring.kernels.pair import count_classes

    out = np.zeros((len(columns.starts), cost_tables.CLASSES), dtype=np.int64)
    count_classes(*columns.rows, columns.starts, columns.ends, table, out)
    return out


def score_batch(
    encoded: Encoded, tables: CostTables, symbols: list[str | None], settings: ScoringSettings
) -> ScoredBatch:
    """Score an encoded batch.

    Raises:
        AssertionError: A checksum is violated, which no input may bring about.
    """
    counts = np.zeros((len(encoded.items), len(FIELDS)), dtype=np.int64)
    reference = encoded.reference
    unusable = reference.count(tables.unusable)
    if unusable.any():
        reference = reference.without(tables.unusable)
    pairs = align(reference, encoded.predicted, tables.unit, COST_UNIT)
    soft_pairs = align(reference, encoded.predicted, tables.soft, FEATURE_UNITS * SOFT_COST_UNIT)
    _put(
        counts,
        utterances=1,
        empty_predictions=encoded.predicted.lengths == 0,
        g2p_references=int(settings.per_reference == "canonical"),
        reference_phones=reference.lengths,
        unusable_phones=unusable,
        feature_distance=distances(reference, encoded.predicted, tables.feature, FEATURE_UNITS),
        feature_unknown=_marked(reference, encoded, tables.feature_unknown),
        soft_unknown=_marked(reference, encoded, tables.soft_unknown),
        without_realized=[item.realized is None for item in encoded.items],
        without_canonical=[item.canonical is None for item in encoded.items],
    )
    _put_errors(counts, classes(pairs, tables.unit_classes), classes(soft_pairs, tables.soft_classes), settings)
    grid, codes = _detect(counts, encoded, tables, settings)
    return ScoredBatch(encoded, symbols, reference, tables, pairs, soft_pairs, grid, codes, counts)


def _put(counts: NDArray[np.int64], **values: object) -> None:
    for field, value in values.items():
        counts[:, INDEX[field]] = value


def _marked(reference: Sequences, encoded: Encoded, marks: NDArray[np.uint8]) -> NDArray[np.int64] | int:
    return reference.count(marks) + encoded.predicted.count(marks) if marks.any() else 0


def _put_errors(
    counts: NDArray[np.int64], unit: NDArray[np.int64], soft: NDArray[np.int64], settings: ScoringSettings
) -> None:
    errors = soft[:, [cost_tables.SUBSTITUTION, cost_tables.DELETION, cost_tables.INSERTION]]
    forgiven = soft[:, [cost_tables.TIER1, cost_tables.TIER2]]
    _put(
        counts,
        substitutions=unit[:, cost_tables.SUBSTITUTION],
        deletions=unit[:, cost_tables.DELETION],
        insertions=unit[:, cost_tables.INSERTION],
        soft_substitutions=errors[:, 0],
        soft_deletions=errors[:, 1],
        soft_insertions=errors[:, 2],
        soft_tier1=forgiven[:, 0],
        soft_tier2=forgiven[:, 1],
        soft_distance=errors.sum(axis=1) * FEATURE_UNITS
        + forgiven.sum(axis=1) * int(settings.soft_cost * FEATURE_UNITS),
    )


def _detect(
    counts: NDArray[np.int64], encoded: Encoded, tables: CostTables, settings: ScoringSettings
) -> tuple[Columns, NDArray[np.uint8]]:
    from pedkit.scoring.kernels.grid import place_predicted
    from pedkit.scoring.kernels.outcome import classify_columns

    canonical, realized, predicted = encoded.canonical, encoded.realized, encoded.judged_predicted
    reference_grid = align(canonical, realized, tables.unit, COST_UNIT)
    size = len(canonical.ids) + len(realized.ids) + len(predicted.ids)
    rows = tuple(np.empty(size, dtype=np.uint16) for _ in range(3))
    starts = np.empty(len(counts), dtype=np.int64)
    place_predicted(
        *reference_grid.rows, reference_grid.starts, reference_grid.ends, *predicted,
        tables.mismatch, tables.penalty, tables.unusable, settings.u_aware, *rows, starts,
    )  # fmt: skip
    grid = Columns(rows, starts, reference_grid.ends + predicted.offsets[1:])
    codes = np.empty(size, dtype=np.uint8)
    outcomes = np.zeros((len(counts), len(OUTCOME_FIELDS)), dtype=np.int64)
    flagged_equal = np.zeros(len(counts), dtype=np.int64)
    classify_columns(
        *rows, grid.starts, grid.ends, canonical.offsets, encoded.flags,
        tables.mismatch, tables.unusable, codes, outcomes, flagged_equal,
    )  # fmt: skip
    _put(
        counts,
        mdd_utterances=encoded.judged,
        canonical_predicted_distance=distances(canonical, predicted, tables.mismatch, 1),
        canonical_realized_distance=distances(canonical, realized, tables.mismatch, 1),
        flagged_equal=flagged_equal,
    )
    _put_outcomes(counts, "", outcomes)
    _put_outcomes(counts, "kaldi3_", _kaldi3(encoded, tables))
    _check(counts, encoded)
    return grid, codes


def _kaldi3(encoded: Encoded, tables: CostTables) -> NDArray[np.int64]:
    from pedkit.scoring.kernels.outcome import count_kaldi3

    canonical, realized, predicted = encoded.canonical, encoded.realized, encoded.judged_predicted
    cu = align(canonical, realized, tables.kaldi, COST_UNIT)
    up = align(realized, predicted, tables.kaldi, COST_UNIT)
    cp = align(canonical, predicted, tables.kaldi, COST_UNIT)
    out = np.zeros((len(encoded.items), len(OUTCOME_FIELDS)), dtype=np.int64)
    count_kaldi3(
        *cu.rows, cu.starts, cu.ends, *up.rows, up.starts, *cp.rows, cp.starts, tables.mismatch, out
    )  # fmt: skip
    return out


def _put_outcomes(counts: NDArray[np.int64], prefix: str, outcomes: NDArray[np.int64]) -> None:
    first = INDEX[prefix + OUTCOME_FIELDS[0]]
    counts[:, first : first + len(OUTCOME_FIELDS)] = outcomes


def _check(counts: NDArray[np.int64], encoded: Encoded) -> None:
    """Assert TR + FR = d(C, P) and TR + FA = d(C, U) + flagged equal columns for each utterance."""

    def total(*outcomes: str) -> NDArray[np.int64]:
        columns = [i for name, i in INDEX.items() if name[:2] in outcomes and name in OUTCOME_FIELDS]
        return np.asarray(counts[:, columns].sum(axis=1))

    rejected, faulty = total("CD", "DE", "DU", "FR"), total("CD", "DE", "DU", "FA")
    expected = counts[:, INDEX["canonical_realized_distance"]] + counts[:, INDEX["flagged_equal"]]
    wrong = (rejected != counts[:, INDEX["canonical_predicted_distance"]]) | (faulty != expected)
    if wrong.any():
        item = encoded.items[int(np.flatnonzero(wrong)[0])]
        raise AssertionError(f"internal error: the grid of utterance '{item.id}' violates a checksum: {item!r}")
