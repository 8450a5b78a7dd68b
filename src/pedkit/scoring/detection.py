"""The grid of canonical, realized and predicted phones of a batch, its outcomes and its checksums."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pedkit.scoring.annotated import annotated_columns, error_columns
from pedkit.scoring.columns import Columns, align, edit_distances
from pedkit.scoring.costs import COST_UNIT, CostTables
from pedkit.scoring.encode import Encoded
from pedkit.scoring.fields import OUTCOME_FIELDS
from pedkit.scoring.symbols import Sequences

_Integers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Said:
    """What speakers did: canonical against realized phones, which no prediction changes.

    Attributes:
        columns: Their alignment, the first step of the grid.
        kaldi: The same by Kaldi's rule.
        distance: d(C, U), or the error columns of an annotated alignment, shape (utterances,).
    """

    columns: Columns
    kaldi: Columns
    distance: _Integers

    @classmethod
    def of(cls, encoded: Encoded, tables: CostTables, *, annotated: bool = False) -> Said:
        """Align a batch.

        Args:
            encoded: The batch.
            tables: Cost functions.
            annotated: Take the annotator's columns instead; ``distance`` is then their number of error columns.

        Raises:
            PedkitError: ``annotated`` is true and an utterance has no alignment that fits.
        """
        canonical, realized = encoded.canonical, encoded.realized
        kaldi = align(canonical, realized, tables.kaldi, COST_UNIT)
        if annotated:
            columns = annotated_columns(encoded)
            return cls(columns, kaldi, error_columns(columns, tables.mismatch))
        columns = align(canonical, realized, tables.unit, COST_UNIT)
        return cls(columns, kaldi, edit_distances(canonical, realized, tables.mismatch))


@dataclass(frozen=True, slots=True)
class Detection:
    """Mispronunciation detection of a batch.

    Attributes:
        grid: Canonical, realized and predicted row of each grid.
        codes: Outcome of each grid column, an index into ``fields.OUTCOME_FIELDS``.
        outcomes: Columns by outcome, int64, shape (utterances, 16).
        kaldi3: The same under the profile ``kaldi3``.
        flagged_equal: Flagged columns whose realized phone is the canonical one, shape (utterances,).
        canonical_predicted: d(C, P), shape (utterances,).
        said: Canonical against realized phones.
    """

    grid: Columns
    codes: NDArray[np.uint8]
    outcomes: _Integers
    kaldi3: _Integers
    flagged_equal: _Integers
    canonical_predicted: _Integers
    said: Said


def detect(encoded: Encoded, tables: CostTables, u_aware: bool, said: Said) -> Detection:
    """Judge a batch; utterances that are not judged count nothing.

    Args:
        encoded: The batch.
        tables: Cost functions.
        u_aware: False leaves the realized phones out of the placement of predicted ones.
        said: Canonical against realized phones.

    Raises:
        AssertionError: A checksum is violated, which no input may bring about.
    """
    canonical, predicted = encoded.canonical, encoded.judged_predicted
    least = edit_distances(canonical, predicted, tables.mismatch)
    grid = _place(said.columns, predicted, tables, u_aware, least)
    codes = np.zeros(len(grid.rows[0]), dtype=np.uint8)
    outcomes = np.zeros((len(encoded.items), len(OUTCOME_FIELDS)), dtype=np.int64)
    flagged_equal = np.zeros(len(encoded.items), dtype=np.int64)
    from pedkit.scoring.kernels.outcome import classify_columns

    classify_columns(
        grid.rows[0], grid.rows[1], grid.rows[2], grid.starts, grid.ends, canonical.offsets, encoded.flags,
        tables.mismatch, tables.unusable, codes, outcomes, flagged_equal,
    )  # fmt: skip
    detection = Detection(
        grid=grid,
        codes=codes,
        outcomes=outcomes,
        kaldi3=_kaldi3(encoded, said.kaldi, tables),
        flagged_equal=flagged_equal,
        canonical_predicted=least,
        said=said,
    )
    check(detection, encoded)
    return detection


def _place(
    reference: Columns, predicted: Sequences, tables: CostTables, u_aware: bool, least: _Integers
) -> Columns:
    from pedkit.scoring.kernels.grid import place_predicted

    size = len(reference.rows[0]) + len(predicted.ids)
    rows = np.zeros(size, np.uint16), np.zeros(size, np.uint16), np.zeros(size, np.uint16)
    starts = np.empty(len(reference.starts), dtype=np.int64)
    place_predicted(
        reference.rows[0], reference.rows[1], reference.starts, reference.ends, *predicted,
        tables.mismatch, tables.penalty, tables.unusable, u_aware, least, *rows, starts,
    )  # fmt: skip
    return Columns(rows, starts, reference.ends + predicted.offsets[1:])


def _kaldi3(encoded: Encoded, cu: Columns, tables: CostTables) -> _Integers:
    from pedkit.scoring.kernels.outcome import count_kaldi3

    up = align(encoded.realized, encoded.judged_predicted, tables.kaldi, COST_UNIT)
    cp = align(encoded.canonical, encoded.judged_predicted, tables.kaldi, COST_UNIT)
    out = np.zeros((len(encoded.items), len(OUTCOME_FIELDS)), dtype=np.int64)
    count_kaldi3(
        cu.rows[0], cu.rows[1], cu.starts, cu.ends, up.rows[0], up.rows[1], up.starts,
        cp.rows[0], cp.rows[1], cp.starts, tables.mismatch, out,
    )  # fmt: skip
    return out


_REJECTED = [i for i, name in enumerate(OUTCOME_FIELDS) if name[:2] in ("CD", "DE", "DU", "FR")]
_FAULTY = [i for i, name in enumerate(OUTCOME_FIELDS) if name[:2] in ("CD", "DE", "DU", "FA")]


def check(detection: Detection, encoded: Encoded) -> None:
    """Assert TR + FR = d(C, P) and TR + FA = d(C, U) + flagged equal columns for each utterance."""
    rejected, faulty = (detection.outcomes[:, columns].sum(axis=1) for columns in (_REJECTED, _FAULTY))
    wrong = (rejected != detection.canonical_predicted) | (
        faulty != detection.said.distance + detection.flagged_equal
    )
    if wrong.any():
        item = encoded.items[int(np.flatnonzero(wrong)[0])]
        raise AssertionError(f"internal error: the grid of utterance '{item.id}' violates a checksum: {item!r}")
