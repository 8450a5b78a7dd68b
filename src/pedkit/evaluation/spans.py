"""Scores of words inside longer utterances: the target word of an item, and every word that a manifest marks."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from pedkit.data.utterance import Utterance
from pedkit.scoring import Alignment, MddCounts, Span, WordDecisions, span


@dataclass(slots=True)
class _Sum:
    """Words under one boundary rule."""

    boundary: str
    counts: MddCounts
    words: int = 0
    decisions: WordDecisions = field(default_factory=WordDecisions)

    def add(self, word: Span) -> None:
        self.words += 1
        self.counts += word.counts
        self.decisions += WordDecisions.of(word)

    def to_json(self) -> dict[str, Any] | None:
        if not self.words:
            return None
        decided = {name: getattr(self.decisions, name) for name in ("TA", "FR", "FA", "TR")}
        rates = {name: rate.to_json() for name, rate in self.decisions.rates().items()}
        return {
            "boundary": self.boundary,
            "words": self.words,
            "mdd": self.counts.to_json(),
            "word_level": {"counts": decided, "rates": rates},
        }


class SpanSums:
    """Adds up word scores while utterances stream past.

    The target word counts insertions at both of its boundaries (PEDBench, Table 10). The words of an utterance
    count them at their left one, so that words add up to utterances.

    Args:
        profile: Columns that count; ``kaldi3``, which knows no words, falls back to ``full``.
    """

    def __init__(self, profile: str = "full") -> None:
        self._profile = "full" if profile == "kaldi3" else profile
        self._target = _Sum("both", MddCounts.of({}, self._profile))
        self._words = _Sum("left", MddCounts.of({}, self._profile))

    def add(self, utterance: Utterance, alignment: Alignment) -> None:
        """Add the target word and the words of one utterance; those that nobody annotated are left out."""
        if not alignment.judged:
            return
        if utterance.target_span is not None:
            self._target.add(span(alignment, *utterance.target_span, boundary="both", profile=self._profile))
        for word in utterance.words:
            self._words.add(span(alignment, word.start, word.end, boundary="left", profile=self._profile))

    def to_json(self) -> dict[str, Any]:
        """Return the "spans" object of ``scores.json``; a kind that the manifest does not have is ``None``."""
        return {"target": self._target.to_json(), "words": self._words.to_json()}
