"""Agreement of two annotations: the second one scored as if it were a system."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pedkit.scoring.mdd import MddCounts
from pedkit.scoring.rate import Rate


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far two annotators agree on which grid columns are errors, and on what was said there.

    Score the second annotation as ``predicted`` against the first as ``realized``. Above the F1 of those counts a
    system's gain may be noise of the annotation.

    Attributes:
        counts: Outcomes of the second annotation against the first.
    """

    counts: MddCounts

    @property
    def observed(self) -> Rate:
        """Share of columns that both call an error or both call correct: (TA + TR) / (TA + FR + FA + TR)."""
        return self.counts.rates()["detection_accuracy"]

    @property
    def kappa(self) -> Rate:
        """Cohen's kappa of the two decisions (Cohen 1960), (po - pe) / (1 - pe), written with integers.

        With n columns and E = (TA + FR)(TA + FA) + (FA + TR)(FR + TR): kappa = (n (TA + TR) - E) / (n^2 - E).
        """
        m = self.counts
        columns = m.TA + m.FR + m.FA + m.TR
        chance = (m.TA + m.FR) * (m.TA + m.FA) + (m.FA + m.TR) * (m.FR + m.TR)
        return Rate.of(
            columns * (m.TA + m.TR) - chance,
            columns * columns - chance,
            undefined="both annotators give one and the same answer everywhere",
        )

    @property
    def f1(self) -> Rate:
        """F1 of the errors: 2 TR / (2 TR + FR + FA)."""
        return self.counts.rates()["f1"]

    @property
    def diagnosis(self) -> Rate:
        """Share of errors found by both on which both heard the same phone: CD / (CD + DE)."""
        return self.counts.rates()["diagnosis_accuracy"]

    def to_json(self) -> dict[str, Any]:
        """Return the "agreement" object of ``scores.json``."""
        names = ("observed", "kappa", "f1", "diagnosis")
        return {"profile": self.counts.profile} | {name: getattr(self, name).to_json() for name in names}
