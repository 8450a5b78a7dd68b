"""`rate_model`: errors by group as a Poisson model with a random intercept a speaker."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Literal

import numpy as np

from pedkit.errors import PedkitError
from pedkit.fairness.glmm_engine import check_quadrature
from pedkit.fairness.likelihood_ratio import LikelihoodRatio, NestedModels, bootstrap_p, likelihood_ratio
from pedkit.fairness.mixed_model_result import RateModel
from pedkit.fairness.model_rows import ModelRows, model_rows
from pedkit.fairness.observation import Observation
from pedkit.fairness.resampling import derived_seed
from pedkit.fairness.sample import Attribute, attribute_name
from pedkit.fairness.terms import Term
from pedkit.hints import conform

TESTS = ("auto", "chi-squared", "bootstrap")
"""Where the p value of a model comes from."""


def rate_model(
    observations: Iterable[Observation],
    *,
    metric: str,
    attribute: Attribute,
    covariates: Sequence[str] = (),
    prompt: bool = False,
    quadrature: int = 1,
    reference: str | None = None,
    test: Literal["auto", "chi-squared", "bootstrap"] = "auto",
    resamples: int = 999,
    seed: int = 0,
    allow_fractional: bool = False,
    pool_corpora: bool = False,
) -> RateModel:
    """Fit ``errors ~ attribute + covariates + offset(log denominator) + (1 | speaker) [+ (1 | prompt)]``.

    Poisson with log link, by maximum likelihood (Liu, Veliche and Peng 2022, Model-based approach for measuring
    the fairness in ASR, ICASSP). The attribute is tested against the same model without it.

    Args:
        observations: The utterances of one system.
        metric: Whose sums are modelled, a rate of errors.
        attribute: The attribute whose groups are compared; several together are an intersection.
        covariates: What else may explain errors: names of numbers (``duration``, ``snr_db``) or of attributes.
        prompt: True adds a random intercept a prompt, for speakers who read the same texts.
        quadrature: 1 for the Laplace approximation; 25 where speakers have few errors each.
        reference: The group that the others are compared with; the first that has errors where ``None``.
        test: Where the p value comes from. ``auto``: the chi-squared distribution, and a parametric bootstrap
            below 20 speakers in two groups (`few_speakers`).
        resamples: Data sets of the bootstrap.
        seed: Of the bootstrap.
        allow_fractional: True takes error counts that are not whole numbers (a quasi-likelihood, said so).
        pool_corpora: True fits several corpora together.

    Raises:
        PedkitError: The extra ``glmm`` is not installed, the observations cannot be modelled
            (`pedkit.fairness.model_rows.model_rows`), or a setting does not fit. Data that leave a number
            undefined raise nothing: the number is ``None`` and its reason stands beside it.
    """
    name = attribute_name(attribute)
    _check(name, covariates, test, resamples)
    rows = model_rows(
        observations,
        metric=metric,
        attributes=[attribute],
        covariates=covariates,
        prompt=prompt,
        allow_fractional=allow_fractional,
        pool_corpora=pool_corpora,
    )
    chosen = _reference(rows, name, reference)
    models = NestedModels(
        errors=rows.errors,
        base=[_term(rows, covariate, _reference(rows, covariate)) for covariate in covariates],
        tested=_term(rows, name, chosen),
        clusters=rows.clusters,
        exposure=rows.exposure,
        quadrature=quadrature,
    )
    check_quadrature(quadrature, len(models.clusters))
    described = RateModel(metric, name, chosen, tuple(covariates), quadrature, seed, rows)
    reason = _why_no_model(rows, name)
    if reason is not None:
        return replace(described, test=LikelihoodRatio(None, 0, None, reason))
    full, reduced = models.fit(full=True), models.fit(full=False)
    fitted = replace(described, full=full, reduced=reduced, test=likelihood_ratio(full, reduced))
    if test == "chi-squared" or (test == "auto" and not few_speakers(rows.n_speakers, full.rank)):
        return fitted
    return _bootstrapped(fitted, models, resamples)


def _bootstrapped(fitted: RateModel, models: NestedModels, resamples: int) -> RateModel:
    statistic = fitted.test.statistic
    if statistic is None:
        return fitted
    own = derived_seed(fitted.seed, "parametric bootstrap", fitted.metric, fitted.attribute)
    rng = np.random.default_rng(own)
    return replace(fitted, bootstrap=bootstrap_p(models, statistic=statistic, resamples=resamples, rng=rng))


def few_speakers(speakers: int, coefficients: int) -> bool:
    """Return whether the chi-squared p value may lie below 0.05 in more than 9 % of fair systems.

    That is so below 10 speakers and 5 more for each coefficient: 20 for two groups, 50 for eight. With eight
    groups of five speakers it is 10 %, with fifteen of two 33 %.
    """
    return speakers < 10 + 5 * coefficients


def _check(attribute: str, covariates: Sequence[str], test: str, resamples: int) -> None:
    if test not in TESTS:
        raise PedkitError(f"expected test to be one of {', '.join(TESTS)}, but got {test!r}")
    if attribute in covariates or len(set(covariates)) < len(covariates):
        raise PedkitError(
            f"expected every term of the model once, but got {attribute} and {', '.join(covariates)}"
        )
    if conform(resamples, int, "resamples") < 19:
        raise PedkitError(f"expected at least 19 resamples, but got {resamples}", hint="999 is usual")


def _term(rows: ModelRows, name: str, reference: str | None) -> Term:
    if reference is None:
        return Term.numeric(name, rows.covariates[name])
    return Term.categorical(name, rows.values[name], reference)


def _reference(rows: ModelRows, name: str, wanted: str | None = None) -> str | None:
    """Return the value that the others are compared with: the first with errors; ``None`` for a number."""
    if name not in rows.values:
        return None
    groups = rows.groups(name)
    if wanted is None:
        return next((group.value for group in groups if group.errors), groups[0].value)
    chosen = [group for group in groups if group.value == wanted]
    if not chosen:
        raise PedkitError(
            f"'{name}' has no group '{wanted}' to compare with",
            hint=f"there are: {', '.join(group.value for group in groups)}",
        )
    if not chosen[0].errors and rows.errors.any():
        raise PedkitError(f"no error was counted in '{name}={wanted}', so no rate can be divided by its rate")
    return wanted


def _why_no_model(rows: ModelRows, name: str) -> str | None:
    """Return why there is nothing to fit, ``None`` where there is."""
    groups = rows.groups(name)
    if len(groups) == 1:
        return f"'{name}' has one group: {groups[0].value}"
    if not rows.errors.any():
        return "no error was counted"
    if rows.n_speakers == 1:
        return "there is one speaker"
    if all(group.n_speakers == 1 for group in groups):
        return "every group has one speaker, so groups cannot be told apart from speakers"
    return None
