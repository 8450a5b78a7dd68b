"""`Alignment`: the columns of one utterance, and every view of them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pedkit.scoring.views import BatchViews, Column, Pair

COSTS = ("unit", "feature", "soft")


class Alignment:
    """The alignments of one utterance. Nothing is aligned twice under the same cost.

    Args:
        views: Columns of the batch it belongs to.
        index: Its position in the batch.
    """

    __slots__ = ("_index", "_views")

    def __init__(self, views: BatchViews, index: int) -> None:
        self._views, self._index = views, index

    @property
    def place(self) -> tuple[BatchViews, int]:
        """The batch and the position in it, for what is made of all utterances of a batch at once."""
        return self._views, self._index

    @property
    def id(self) -> str:
        """Name of the utterance."""
        return self._views.batch.encoded.items[self._index].id

    @property
    def judged(self) -> bool:
        """True where both canonical and realized phones are known, so that MDD is defined."""
        return bool(self._views.batch.encoded.judged[self._index])

    @property
    def columns(self) -> list[Column]:
        """Columns of the grid; where the utterance is not judged, those of reference and predicted."""
        if not self.judged:
            return self._unjudged()
        return self._views.grid.of(self._index)

    @property
    def codes(self) -> NDArray[np.uint8]:
        """Outcome of each grid column as an index into ``fields.OUTCOME_FIELDS``; empty where not judged."""
        detection, k = self._views.batch.detection, self._index
        return detection.codes[detection.grid.starts[k] : detection.grid.ends[k]]

    @property
    def canonical_marks(self) -> NDArray[np.bool_]:
        """True for each grid column that holds a canonical phone."""
        canonical: NDArray[np.bool_] = self._views.batch.detection.grid.of(self._index)[0] != 0
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
        if cost == "unit":
            return self._views.unit_pairs.of(self._index)
        if cost == "soft":
            return self._views.soft_pairs.of(self._index)
        if cost != "feature":
            raise ValueError(f"expected 'cost' to be one of {', '.join(COSTS)}, but got {cost!r}")
        return self._views.feature_pairs(self._index)

    def _unjudged(self) -> list[Column]:
        item = self._views.batch.encoded.items[self._index]
        if item.realized is None:
            return [Column(r, None, p, None, kind) for r, p, kind in self.pairs()]
        return [Column(None, r, p, None, kind) for r, p, kind in self.pairs()]
