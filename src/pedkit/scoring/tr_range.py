"""How far a tie rule could move the number of true rejections."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pedkit.errors import PedkitError
from pedkit.scoring.costs import CostTables
from pedkit.scoring.encode import Encoded

MOST_PHONES = 1 << 11
"""Longest sequence that is looked through; the tables of three of them take some 130 MiB."""


def true_rejections(encoded: Encoded, tables: CostTables) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the fewest and the most true rejections of each utterance, each of shape (utterances,).

    They are taken over every grid in which canonical and realized phones differ in the fewest columns, d(C, U),
    and canonical and predicted phones too, d(C, P): what remains open before any tie rule.

    Raises:
        PedkitError: A sequence is longer than `MOST_PHONES`.
    """
    from pedkit.scoring.kernels.tr_range import true_rejection_ranges

    canonical, realized, predicted = encoded.canonical, encoded.realized, encoded.judged_predicted
    for k, item in enumerate(encoded.items):
        longest = max(int(one.lengths[k]) for one in (canonical, realized, predicted))
        if longest > MOST_PHONES:
            raise PedkitError(
                f"tr_range looks through at most {MOST_PHONES} phones, but got {longest}",
                utterance=item.id,
                hint="set tr_range=false",
            )
    fewest, most = (np.empty(len(encoded.items), dtype=np.int64) for _ in range(2))
    true_rejection_ranges(*canonical, *realized, *predicted, encoded.flags, tables.mismatch, fewest, most)
    return fewest, most
