"""Scores of a word: the grid columns that belong to a stretch of canonical phones.

Slot k holds the insertions between canonical phones k - 1 and k. With ``boundary="both"`` a word over canonical
``[start, end)`` owns its columns and the slots start to end, both included (PEDBench, Table 10: "insertions at
both boundaries of the target word"), so neighbouring words share a slot. With ``boundary="left"`` it owns the
slots start to end - 1, the last word also the last slot, so the words of an utterance add up to the utterance.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pedkit.errors import PedkitError
from pedkit.scoring.alignment import Alignment
from pedkit.scoring.fields import OUTCOME_FIELDS
from pedkit.scoring.mdd import DETECTION_RATES, MddCounts
from pedkit.scoring.rate import Rate

BOUNDARIES = ("both", "left")


@dataclass(frozen=True, slots=True)
class Span:
    """Outcomes inside one word.

    Attributes:
        counts: Columns of the word by outcome.
    """

    counts: MddCounts

    @property
    def faulty(self) -> bool:
        """True where the speaker made an error in the word."""
        return self.counts.FA + self.counts.TR > 0

    @property
    def flagged(self) -> bool:
        """True where the system heard something else than the canonical phones."""
        return self.counts.FR + self.counts.TR > 0


@dataclass(frozen=True, slots=True)
class WordDecisions:
    """Words by decision; they add up.

    Attributes:
        TA: Correct words that were accepted.
        FR: Correct words that were flagged.
        FA: Faulty words that were accepted.
        TR: Faulty words that were flagged.
    """

    TA: int = 0
    FR: int = 0
    FA: int = 0
    TR: int = 0

    @classmethod
    def of(cls, span: Span) -> WordDecisions:
        """Return the decision on one word."""
        decision = {(False, False): "TA", (False, True): "FR", (True, False): "FA", (True, True): "TR"}
        return cls(**{decision[span.faulty, span.flagged]: 1})

    def __add__(self, other: WordDecisions) -> WordDecisions:
        return WordDecisions(self.TA + other.TA, self.FR + other.FR, self.FA + other.FA, self.TR + other.TR)

    def rates(self) -> dict[str, Rate]:
        """Return ``frr far precision recall f1 detection_accuracy`` over words."""
        return {name: rate(self) for name, rate in DETECTION_RATES.items()}


def span(alignment: Alignment, start: int, end: int, *, boundary: str = "both", profile: str = "full") -> Span:
    """Return the outcomes inside the word over canonical ``[start, end)``.

    Args:
        alignment: Alignment of the utterance.
        start: First canonical phone of the word.
        end: One past its last.
        boundary: ``both`` or ``left``: which insertions belong to the word.
        profile: ``full``, ``no_spurious`` or ``canonical_only``; ``kaldi3`` has no grid.

    Raises:
        PedkitError: The utterance has no realized or no canonical phones, the span is outside the canonical
            phones, or there is no such rule.
    """
    if boundary not in BOUNDARIES:
        raise PedkitError(f"expected 'boundary' to be one of {', '.join(BOUNDARIES)}, but got {boundary!r}")
    if profile == "kaldi3":
        raise PedkitError("the profile 'kaldi3' has no grid and so no words", hint="use 'full'")
    if not alignment.judged:
        raise PedkitError("expected canonical and realized phones for word scores", utterance=alignment.id)
    kept = _inside(alignment.canonical_marks, start, end, boundary, alignment.id)
    found = np.bincount(alignment.codes[kept], minlength=len(OUTCOME_FIELDS))
    return Span(MddCounts.of(dict(zip(OUTCOME_FIELDS, found.tolist(), strict=True)), profile))


def _inside(canonical: NDArray[np.bool_], start: int, end: int, boundary: str, name: str) -> NDArray[np.bool_]:
    # Canonical phones before each column: its own index where it holds one, else its slot.
    before: NDArray[np.int64] = np.cumsum(canonical) - canonical
    phones = int(canonical.sum())
    if not 0 <= start <= end <= phones:
        raise PedkitError(
            f"expected a span inside the {phones} canonical phones, but got [{start}, {end})", utterance=name
        )
    word = canonical & (before >= start) & (before < end)
    last_slot = end if boundary == "both" or start < end == phones else end - 1
    return word | (~canonical & (before >= start) & (before <= last_slot))
