"""`faas`: the fairness-adjusted score of the ASR-FairBench leaderboard, as published and with an offset."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from pedkit.errors import PedkitError
from pedkit.fairness.faas_category import FaasCategory, FaasGroup, gap
from pedkit.fairness.faas_result import Faas
from pedkit.fairness.likelihood_ratio import LikelihoodRatio, likelihood_ratio
from pedkit.fairness.model_rows import ModelRows, model_rows
from pedkit.fairness.observation import Observation
from pedkit.fairness.poisson_fit import Coefficient, PoissonFit, fit_terms
from pedkit.fairness.ratio import worst_to_best
from pedkit.fairness.sample import Attribute, attribute_name
from pedkit.fairness.terms import INTERCEPT, Term, column

FORMS = ("published", "offset")

_ROUNDING = 1e-9  # of rates that a fit found; the best and the worst of equal groups must not be noise

LOG_LENGTH = "log(denominator + 1)"
"""The covariate that the published form has in place of an offset."""


def faas(
    observations: Iterable[Observation],
    *,
    metric: str = "per",
    categories: Sequence[Attribute],
    form: Literal["published", "offset"] = "published",
    weights: Mapping[str, float] | None = None,
    pool_corpora: bool = False,
) -> Faas:
    """Compute FAAS with every number on the way to it.

    Rai, Rahangdale, Anand and Mukherjee 2025, ASR-FAIRBENCH, Interspeech, arXiv 2505.11572; the formulas are those
    of its web page (github.com/SatyamR196/ASR-FairBench). Of one Poisson model with all categories and a random
    intercept a speaker:

    - predicted rate of a group = exp(intercept + its coefficient + slope X) / (exp(X) - 1) with X the mean of
      log(denominator + 1); exp(intercept + its coefficient) in the offset form
    - raw score of a group = 100 (1 - (rate - lowest) / (highest - lowest)), 100 where all rates are equal
    - category score = mean of the raw scores, weighted by the groups' shares of utterances
    - adjusted score = category score, times p / 0.05 where p < 0.05; p from the likelihood ratio of the model with
      this category alone against the one with none
    - overall score = mean of the adjusted scores; FAAS = 10 log10(overall score / mean error rate of utterances)

    Args:
        observations: The utterances of one system. All models are fitted to those that have every category.
        metric: Whose sums are modelled, a rate of errors; ``wer`` is the published one.
        categories: The attributes.
        form: ``published``: log(denominator + 1) is a covariate with a slope of its own. ``offset``:
            log(denominator) has slope 1, as in a model of rates.
        weights: Name of a category -> weight in the overall score; 1 each where ``None``, as published.
        pool_corpora: True fits several corpora together.

    Raises:
        PedkitError: The extra ``glmm`` is not installed, the observations cannot be modelled
            (`pedkit.fairness.model_rows.model_rows`), or a setting does not fit.
    """
    names = [attribute_name(category) for category in categories]
    shares = _weights(names, weights)
    if form not in FORMS:
        raise PedkitError(f"expected form to be one of {', '.join(FORMS)}, but got {form!r}")
    rows = model_rows(observations, metric=metric, attributes=categories, pool_corpora=pool_corpora)
    mean_log = float(np.log(rows.exposure + 1).mean())
    if not rows.errors.any():
        return Faas(metric, form, rows, mean_log, shares, reason="no error was counted")
    if rows.n_speakers == 1:
        return Faas(metric, form, rows, mean_log, shares, reason="there is one speaker")
    base, exposure = _lengths(rows, form)
    terms = [_term(rows, name) for name in names]
    full = fit_terms(rows.errors, [*base, *terms], rows.clusters, exposure=exposure)
    null = fit_terms(rows.errors, base, rows.clusters, exposure=exposure)
    model = _Model(rows, full, base, mean_log)
    found = []
    for term in terms:
        alone = fit_terms(rows.errors, [*base, term], rows.clusters, exposure=exposure)
        found.append(model.category(term, likelihood_ratio(alone, null)))
    return Faas(metric, form, rows, mean_log, shares, tuple(found), full, null)


def _weights(names: Sequence[str], weights: Mapping[str, float] | None) -> dict[str, float]:
    if not names or len(set(names)) < len(names):
        raise PedkitError(f"expected categories, each once, but got {', '.join(names) or 'none'}")
    if weights is None:
        return dict.fromkeys(names, 1.0)
    if set(weights) != set(names) or not all(0 <= one < math.inf for one in weights.values()):
        raise PedkitError(f"expected a weight, 0 or more, for each of {', '.join(names)}, but got {dict(weights)}")
    if not any(weights.values()):
        raise PedkitError("expected a weight above 0 for at least one category, but got none")
    return {name: float(weights[name]) for name in names}


def _lengths(rows: ModelRows, form: str) -> tuple[list[Term], npt.NDArray[np.float64]]:
    """Return how the reference length enters: as a term, or as the exposure."""
    if form == "offset":
        return [], rows.exposure
    return [Term.numeric(LOG_LENGTH, np.log(rows.exposure + 1))], np.ones(len(rows))


def _term(rows: ModelRows, name: str) -> Term:
    groups = rows.groups(name)
    reference = next((group.value for group in groups if group.errors), groups[0].value)
    return Term.categorical(name, rows.values[name], reference)


@dataclass(frozen=True, slots=True)
class _Model:
    """The model with all categories, and what predicted rates are made of."""

    rows: ModelRows
    full: PoissonFit
    base: Sequence[Term]
    mean_log: float

    def category(self, term: Term, test: LikelihoodRatio) -> FaasCategory:
        totals = self.rows.groups(term.name)
        coefficients = {one.value: self._coefficient(term, one.value) for one in totals}
        weights = {one.value: self._weights(term, one.value) for one in totals}
        rates = {value: self._rate(coefficients[value], weights[value]) for value in weights}
        raw = _raw_scores(rates)
        groups = tuple(
            FaasGroup(
                totals=one,
                proportion=one.n_utterances / len(self.rows),
                coefficient=coefficients[one.value],
                predicted_rate=rates[one.value],
                raw_score=raw[one.value],
            )
            for one in totals
        )
        extremes = worst_to_best(self.full, term.name, coefficients)
        between = None if extremes is None else gap(self.full, extremes, rates, weights)
        return FaasCategory(term.name, groups, test, extremes, between, self._why_no_score(groups, test))

    def _coefficient(self, term: Term, value: str) -> Coefficient:
        if value == term.reference:
            return Coefficient(0.0, None, "the reference")
        return self.full.coefficients[column(term.name, value)]

    def _weights(self, term: Term, value: str) -> dict[str, float]:
        """Return column -> weight of a predicted log rate, the other categories at their reference groups.

        Where all references are equally long the intercept holds what their length does.
        """
        estimated = self.full.estimated
        weights = {INTERCEPT: 1.0} | {one.name: self.mean_log for one in self.base if one.name in estimated}
        return weights if value == term.reference else weights | {column(term.name, value): 1.0}

    def _rate(self, coefficient: Coefficient, weights: Mapping[str, float]) -> float | None:
        if coefficient.value == -math.inf:
            return 0.0
        found = self.full.linear(weights)
        if found is None:
            return None
        return math.exp(found[0]) / (math.expm1(self.mean_log) if self.base else 1.0)

    def _why_no_score(self, groups: Sequence[FaasGroup], ratio: LikelihoodRatio) -> str | None:
        if len(groups) == 1:
            return f"it has one group: {groups[0].totals.value}"
        if not self.full.converged:
            return "the fit of the model with all categories did not converge"
        absent = [group for group in groups if group.predicted_rate is None]
        if absent:
            return f"the rate of '{absent[0].totals.value}' has no estimate: {absent[0].coefficient.reason}"
        return ratio.reason


def _raw_scores(rates: Mapping[str, float | None]) -> dict[str, float | None]:
    known = [rate for rate in rates.values() if rate is not None]
    if len(known) < len(rates):
        return dict.fromkeys(rates)
    low, high = min(known), max(known)
    if high - low <= _ROUNDING * high:
        return dict.fromkeys(rates, 100.0)
    return {value: 100 * (1 - (rate - low) / (high - low)) for value, rate in rates.items() if rate is not None}
