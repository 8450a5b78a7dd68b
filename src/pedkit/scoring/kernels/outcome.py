"""Outcome of every grid column, and the `kaldi3` counts that do without a grid."""

# ruff: noqa: PLR0917 - compiled functions take no keyword arguments
from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pedkit.scoring.kernels.jit import kernel

# Codes index fields.OUTCOME_FIELDS: TA, then FR FA CD DE DU by three types.
_TA, _FR, _FA, _CD, _DE, _DU = 0, 1, 4, 7, 10, 13
_SUBSTITUTION, _DELETION, _INSERTION = 0, 1, 2


@kernel(
    "void(u2[::1], u2[::1], u2[::1], i8[::1], i8[::1], i8[::1], u1[::1], i8[:,::1], u1[::1],"
    " u1[::1], i8[:,::1], i8[::1])"
)
def classify_columns(
    canonical: NDArray[np.uint16],
    realized: NDArray[np.uint16],
    predicted: NDArray[np.uint16],
    starts: NDArray[np.int64],
    ends: NDArray[np.int64],
    c_offsets: NDArray[np.int64],
    flags: NDArray[np.uint8],
    mismatch: NDArray[np.int64],
    unusable: NDArray[np.uint8],
    codes: NDArray[np.uint8],
    counts: NDArray[np.int64],
    flagged_equal: NDArray[np.int64],
) -> None:
    """Write the outcome code of each column and count them.

    Args:
        canonical: First row of the columns (0 is the gap).
        realized: Second row.
        predicted: Third row.
        starts: First column of each utterance.
        ends: One past its last column.
        c_offsets: Offsets of the canonical sequences that ``flags`` belongs to.
        flags: 1 where the corpus marks a canonical phone as wrong.
        mismatch: 1 where two symbols differ, shape (symbols, symbols); the gap equals itself.
        unusable: 1 for symbols that equal nothing, shape (symbols,).
        codes: Written: index into ``fields.OUTCOME_FIELDS`` of each column.
        counts: Added to, shape (utterances, 16).
        flagged_equal: Added to: flagged columns whose realized phone is the canonical one, shape (utterances,).
    """
    for k in range(len(starts)):
        position = c_offsets[k]
        for column in range(starts[k], ends[k]):
            c, u, p = canonical[column], realized[column], predicted[column]
            starred = c != 0 and mismatch[c, u] == 0 and flags[position] != 0
            if c != 0:
                position += 1
            if starred:
                flagged_equal[k] += 1
            accepted = mismatch[c, p] == 0
            if mismatch[c, u] == 0 and not starred:
                kind = _INSERTION if c == 0 else _DELETION if p == 0 else _SUBSTITUTION
                code = _TA if accepted else _FR + kind
            else:
                kind = _INSERTION if c == 0 else _DELETION if u == 0 else _SUBSTITUTION
                if accepted:
                    code = _FA + kind
                elif starred or unusable[u] != 0:
                    code = _DU + kind
                else:
                    code = (_CD if mismatch[u, p] == 0 else _DE) + kind
            codes[column] = code
            counts[k, code] += 1


@kernel(
    "void(u2[::1], u2[::1], i8[::1], i8[::1], u2[::1], u2[::1], i8[::1], u2[::1], u2[::1], i8[::1],"
    " i8[:,::1], i8[:,::1])"
)
def count_kaldi3(
    cu_c: NDArray[np.uint16],
    cu_u: NDArray[np.uint16],
    cu_starts: NDArray[np.int64],
    cu_ends: NDArray[np.int64],
    up_u: NDArray[np.uint16],
    up_p: NDArray[np.uint16],
    up_starts: NDArray[np.int64],
    cp_c: NDArray[np.uint16],
    cp_p: NDArray[np.uint16],
    cp_starts: NDArray[np.int64],
    mismatch: NDArray[np.int64],
    counts: NDArray[np.int64],
) -> None:
    """Count outcomes from three independent pairwise alignments (profile ``kaldi3``).

    Each column of canonical-realized is judged on canonical-predicted where the phone was deleted, else on
    realized-predicted; predicted phones without such a column are never visited.

    Args:
        cu_c: Canonical row of the canonical-realized columns.
        cu_u: Realized row.
        cu_starts: First column of each utterance.
        cu_ends: One past its last column.
        up_u: Realized row of the realized-predicted columns.
        up_p: Predicted row.
        up_starts: First column of each utterance.
        cp_c: Canonical row of the canonical-predicted columns.
        cp_p: Predicted row.
        cp_starts: First column of each utterance.
        mismatch: 1 where two symbols differ, shape (symbols, symbols).
        counts: Added to, shape (utterances, 16).
    """
    for k in range(len(cu_starts)):
        up, cp = up_starts[k] - 1, cp_starts[k] - 1
        for column in range(cu_starts[k], cu_ends[k]):
            c, u = cu_c[column], cu_u[column]
            if c != 0:  # the same canonical phone in canonical-predicted
                cp += 1
                while cp_c[cp] == 0:
                    cp += 1
            if u != 0:  # the same realized phone in realized-predicted
                up += 1
                while up_u[up] == 0:
                    up += 1
            q = cp_p[cp] if u == 0 else up_p[up]
            if mismatch[c, u] == 0:
                code = _TA if mismatch[u, q] == 0 else _FR + (_DELETION if q == 0 else _SUBSTITUTION)
            else:
                kind = _INSERTION if c == 0 else _DELETION if u == 0 else _SUBSTITUTION
                diagnosed, accepted = mismatch[u, q] == 0, mismatch[c, q] == 0
                code = (_CD if diagnosed else _FA if accepted else _DE) + kind
            counts[k, code] += 1
