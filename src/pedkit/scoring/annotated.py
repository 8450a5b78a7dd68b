"""The grid of canonical and realized phones as an annotator laid them out, in place of a computed alignment."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pedkit.errors import PedkitError
from pedkit.scoring.columns import Columns
from pedkit.scoring.encode import Encoded
from pedkit.scoring.item import Item

_DELETION, _INSERTION = ord("D"), ord("I")


def annotated_columns(encoded: Encoded) -> Columns:
    """Return the columns of canonical and realized phones that the items bring along.

    Utterances that are not judged have none.

    Raises:
        PedkitError: A judged utterance has no alignment, or one that does not fit its phones.
    """
    canonical, realized = encoded.canonical, encoded.realized
    size = len(canonical.ids) + len(realized.ids)
    rows = np.zeros(size, dtype=np.uint16), np.zeros(size, dtype=np.uint16)
    ends = canonical.offsets[1:] + realized.offsets[1:]
    starts = ends.copy()
    for k, item in enumerate(encoded.items):
        if not encoded.judged[k]:
            continue
        columns = _columns(item, int(canonical.lengths[k]), int(realized.lengths[k]))
        starts[k] = ends[k] - len(columns)
        for row, sequences, absent in ((rows[0], canonical, _INSERTION), (rows[1], realized, _DELETION)):
            here = row[starts[k] : ends[k]]
            here[columns != absent] = sequences.ids[sequences.offsets[k] : sequences.offsets[k + 1]]
    return Columns(rows, starts, ends)


def error_columns(columns: Columns, mismatch: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the number of columns whose two phones differ, shape (utterances,)."""
    total = np.zeros(len(columns.rows[0]) + 1, dtype=np.int64)
    np.cumsum(mismatch[columns.rows], out=total[1:])
    return total[columns.ends] - total[columns.starts]


def _columns(item: Item, canonical: int, realized: int) -> NDArray[np.uint8]:
    """Return the letters of an item's alignment as bytes."""
    if item.alignment is None:
        raise PedkitError(
            "reference=annotated needs the annotator's alignment, but there is none",
            utterance=item.id,
            hint="reference=computed aligns canonical and realized phones itself",
        )
    letters = item.alignment
    counts = letters.count("M") + letters.count("D"), letters.count("M") + letters.count("I")
    if counts != (canonical, realized) or len(letters) != sum(counts) - letters.count("M"):
        raise PedkitError(
            f"expected an alignment of M, D and I for {canonical} canonical and {realized} realized phones, "
            f"but got {letters!r}",
            utterance=item.id,
        )
    return np.frombuffer(letters.encode(), dtype=np.uint8)
