"""`Faas`: the score with everything that led to it, and beside it what it cannot tell."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pedkit.fairness.faas_category import FaasCategory
from pedkit.fairness.model_rows import ModelRows
from pedkit.fairness.poisson_fit import PoissonFit, finite

NOTES = (
    "FAAS can be compared between systems on the same utterances only: its penalty is a p value, so it falls"
    " without bound as the test set grows.",
    "The best group of a category gets 100 and the worst 0 whatever lies between them: a gap of 1 % and one of"
    " 300 % look alike. The ratios and gaps beside the score keep their meaning.",
    "A perfectly fair system does not get 100: with two groups of equal size it gets 50.",
    "A category's score is weighted by utterances, so harm to a small group hardly lowers it.",
)
"""What the score cannot tell, whatever the data."""


@dataclass(frozen=True, slots=True)
class Faas:
    """The score with every number that led to it.

    Attributes:
        metric: Whose sums were modelled.
        form: ``published`` or ``offset``.
        rows: What the models were fitted to, and what was left out.
        mean_log_length: Mean of log(denominator + 1).
        weights: Category -> weight in the overall score.
        categories: The categories in the order asked for.
        full: The model with all of them.
        null: The model with none.
        reason: Why there is no score at all.
    """

    metric: str
    form: str
    rows: ModelRows
    mean_log_length: float
    weights: Mapping[str, float]
    categories: tuple[FaasCategory, ...] = ()
    full: PoissonFit | None = None
    null: PoissonFit | None = None
    reason: str | None = None

    @property
    def overall_score(self) -> float | None:
        """Weighted mean of the adjusted scores of the categories that have one, from 0 to 100."""
        scored = [(self.weights[one.name], one.adjusted_score) for one in self.categories]
        known = [(weight, score) for weight, score in scored if score is not None]
        total = sum(weight for weight, _ in known)
        return sum(weight * score for weight, score in known) / total if total else None

    @property
    def mean_utterance_error_rate(self) -> float:
        """Mean of the utterances' error rates, as a fraction: the WER of the formula."""
        return float((self.rows.errors / self.rows.exposure).mean())

    @property
    def corpus_error_rate(self) -> float:
        """Sum of all errors over the sum of all denominators."""
        return float(self.rows.errors.sum() / self.rows.exposure.sum())

    @property
    def value(self) -> float | None:
        """FAAS; minus infinity where the overall score is 0, ``None`` where there is none."""
        return _faas(self.overall_score, self.mean_utterance_error_rate)

    @property
    def value_of_corpus_rate(self) -> float | None:
        """The same with `corpus_error_rate`."""
        return _faas(self.overall_score, self.corpus_error_rate)

    def __str__(self) -> str:
        return "undefined" if self.value is None else f"{self.value:.2f}"

    def to_json(self) -> dict[str, Any]:
        """Return everything as plain data; what is undefined or infinite is ``None`` with a reason."""
        return {
            "metric": self.metric,
            "form": self.form,
            "faas": finite(self.value),
            "faas_corpus_rate": finite(self.value_of_corpus_rate),
            "faas_reason": self._why_undefined(),
            "overall_score": self.overall_score,
            "mean_utterance_error_rate": self.mean_utterance_error_rate,
            "corpus_error_rate": self.corpus_error_rate,
            "mean_log_length": self.mean_log_length,
            "weights": dict(self.weights),
            "n_utterances": len(self.rows),
            "n_speakers": self.rows.n_speakers,
            "left_out": dict(self.rows.left_out),
            "sigma": None if self.full is None else self.full.sigmas_json().get("speaker"),
            "loglik_full": None if self.full is None else finite(self.full.loglik),
            "loglik_null": None if self.null is None else finite(self.null.loglik),
            "coefficients": self._coefficients_json(),
            "categories": {one.name: one.to_json() for one in self.categories},
            "warnings": [warning for one in self.categories for warning in one.warnings],
            "notes": list(NOTES),
        }

    def _coefficients_json(self) -> dict[str, Any]:
        if self.full is None:
            return {}
        return self.full.coefficients_json()

    def _why_undefined(self) -> str | None:
        if self.reason is not None:
            return self.reason
        if self.overall_score is None:
            return "no category has a score"
        return "minus infinity: the overall score is 0" if self.overall_score == 0 else None


def _faas(overall: float | None, rate: float) -> float | None:
    if overall is None or rate == 0:
        return None
    return 10 * math.log10(overall / rate) if overall else -math.inf
