"""How far two reviewers agree, beyond what chance would give."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pedkit.scoring import Rate
from synthetic.review.verdicts import VERDICTS


@dataclass(frozen=True, slots=True)
class VerdictAgreement:
    """The recordings that two reviewers have both judged, by both verdicts.

    Attributes:
        counts: (verdict of the first, verdict of the second) -> number of recordings.
    """

    counts: Mapping[tuple[str, str], int]

    @classmethod
    def of(cls, first: Mapping[str, str], second: Mapping[str, str]) -> VerdictAgreement:
        """Compare verdicts by id; what only one has judged is left out."""
        return cls(Counter((first[name], second[name]) for name in first if name in second))

    @property
    def items(self) -> int:
        """Number of recordings that both have judged."""
        return sum(self.counts.values())

    @property
    def observed(self) -> Rate:
        """Share of recordings with the same verdict."""
        return Rate.of(self._same, self.items, undefined="there is no recording that both have judged")

    @property
    def kappa(self) -> Rate:
        """Cohen's kappa (Cohen 1960), (po - pe) / (1 - pe), over accept, reject and unsure, with integers.

        With n recordings, S of them with the same verdict, and E the sum over verdicts of the product of both
        reviewers' counts: kappa = (n S - E) / (n^2 - E).
        """
        n = self.items
        expected = sum(self._of(verdict, 0) * self._of(verdict, 1) for verdict in VERDICTS)
        undefined = "both give one and the same verdict everywhere" if n else "there is nothing both have judged"
        return Rate.of(n * self._same - expected, n * n - expected, undefined=undefined)

    @property
    def _same(self) -> int:
        return sum(count for (one, other), count in self.counts.items() if one == other)

    def _of(self, verdict: str, reviewer: int) -> int:
        return sum(count for verdicts, count in self.counts.items() if verdicts[reviewer] == verdict)

    def to_json(self) -> dict[str, Any]:
        """Return counts (rows: the first reviewer), share and kappa."""
        table = {one: {other: self.counts.get((one, other), 0) for other in VERDICTS} for one in VERDICTS}
        return {"counts": table, "observed": self.observed.to_json(), "kappa": self.kappa.to_json()}
