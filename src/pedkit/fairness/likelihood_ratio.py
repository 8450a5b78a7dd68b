"""`NestedModels`: does an attribute explain errors beyond the rest of a model? Chi-squared or bootstrap."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from pedkit.fairness.poisson_fit import PoissonFit, fit_terms
from pedkit.fairness.terms import Term, design

Floats = npt.NDArray[np.float64]
Codes = npt.NDArray[np.int64]

_ENOUGH = 50  # statistics at least as large as the observed one
_MOST_ERRORS = 30.0  # logarithm; a wild estimate of the variance must not pass what can be drawn


@dataclass(frozen=True, slots=True)
class LikelihoodRatio:
    """Twice the difference of the log-likelihoods of two nested models.

    Attributes:
        statistic: At least 0; ``None`` where there is no test.
        df: Number of coefficients that the larger model has more.
        p: From the chi-squared distribution; ``None`` where there is no test.
        reason: Why there is none.
    """

    statistic: float | None
    df: int
    p: float | None
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class BootstrapP:
    """A p value from refits to data drawn from the smaller model.

    Attributes:
        p: ``(exceeding + 1) / (resamples - failed + 1)``, or ``exceeding / (resamples - failed)`` where drawing
            stopped early; ``None`` where more than one refit in ten failed.
        resamples: Number of data sets drawn.
        exceeding: How many of them gave a statistic at least as large as the observed one.
        failed: How many could not be fitted.
    """

    p: float | None
    resamples: int
    exceeding: int
    failed: int


@dataclass(frozen=True, slots=True)
class NestedModels:
    """Two models of the same rows: ``errors ~ base [+ tested] + offset(log exposure) + random intercepts``.

    Attributes:
        errors: Shape ``(rows,)``.
        base: Terms of both models.
        tested: The term of the larger model alone.
        clusters: Clustering -> number of the cluster of each row.
        exposure: Shape ``(rows,)``; all 1 for models without offset.
        quadrature: Points of the quadrature; 1 is the Laplace approximation.
    """

    errors: Floats
    base: Sequence[Term]
    tested: Term
    clusters: Mapping[str, Codes]
    exposure: Floats
    quadrature: int = 1

    def fit(self, *, full: bool) -> PoissonFit:
        """Fit the larger model, or the smaller one."""
        terms = [*self.base, self.tested] if full else list(self.base)
        return fit_terms(self.errors, terms, self.clusters, exposure=self.exposure, quadrature=self.quadrature)

    def condensed(self) -> NestedModels:
        """Return the same models with the rows summed that differ in nothing but errors and exposure.

        Independent Poisson counts of one speaker under one design add up to a Poisson count, so likelihood ratios
        stay what they are. What is left of a plain comparison of groups is one row a speaker.
        """
        _, matrix = design([*self.base, self.tested], len(self.errors))
        keys = np.column_stack([matrix, *self.clusters.values()])
        _, first, place = np.unique(keys, axis=0, return_index=True, return_inverse=True)
        return NestedModels(
            errors=np.bincount(place.ravel(), self.errors).astype(np.float64),
            base=[term.rows(first) for term in self.base],
            tested=self.tested.rows(first),
            clusters={name: codes[first] for name, codes in self.clusters.items()},
            exposure=np.bincount(place.ravel(), self.exposure).astype(np.float64),
            quadrature=self.quadrature,
        )


def likelihood_ratio(full: PoissonFit, reduced: PoissonFit) -> LikelihoodRatio:
    """Compare two nested fits with the chi-squared distribution."""
    from scipy.special import chdtrc

    df = full.rank - reduced.rank
    if df == 0:
        return LikelihoodRatio(None, 0, None, "the attribute cannot be told apart from the covariates")
    if not (full.converged and reduced.converged):
        return LikelihoodRatio(None, df, None, "a fit did not converge")
    statistic = max(0.0, 2 * (full.loglik - reduced.loglik))
    return LikelihoodRatio(statistic, df, float(chdtrc(df, statistic)))


def bootstrap_p(
    models: NestedModels, *, statistic: float, resamples: int = 999, rng: np.random.Generator
) -> BootstrapP:
    """Return a p value for few speakers, for whom the chi-squared distribution gives too small ones.

    Errors are drawn from the fitted smaller model, with new random intercepts each time, and both models are
    fitted to them (Davison and Hinkley 1997, Bootstrap Methods and their Application, section 4.2.3). Drawing
    stops once 50 statistics were at least as large as the observed one: the p value is then valid and plainly not
    small (Besag and Clifford 1991, Biometrika 78:301-304).

    Args:
        models: The two models.
        statistic: The observed `LikelihoodRatio.statistic`.
        resamples: Most data sets drawn.
        rng: Source of the draws.
    """
    small = models.condensed()
    null = small.fit(full=False)
    if not null.converged:
        return BootstrapP(None, resamples, 0, resamples)
    mean = np.log(small.exposure) + _linear_predictor(small, null)
    exceeding = failed = drawn = 0
    while drawn < resamples and exceeding < _ENOUGH:
        drawn += 1
        effects = sum(_drawn(rng, codes, null.sigmas.get(name, 0.0)) for name, codes in small.clusters.items())
        errors = rng.poisson(np.exp(np.minimum(mean + effects, _MOST_ERRORS))).astype(np.float64)
        found = _statistic(replace(small, errors=errors))
        if found is None:
            failed += 1
        else:
            exceeding += found >= statistic - 1e-9
    return BootstrapP(_p_value(drawn, exceeding, failed), drawn, exceeding, failed)


def _p_value(drawn: int, exceeding: int, failed: int) -> float | None:
    if failed > drawn / 10:
        return None
    usable = drawn - failed
    return exceeding / usable if exceeding == _ENOUGH else (exceeding + 1) / (usable + 1)


def _statistic(models: NestedModels) -> float | None:
    if not models.errors.any():
        return 0.0
    return likelihood_ratio(models.fit(full=True), models.fit(full=False)).statistic


def _linear_predictor(models: NestedModels, fit: PoissonFit) -> Floats:
    """Return the fixed part of each row on the log scale; minus infinity where the estimated rate is 0."""
    names, matrix = design(models.base, len(models.errors))
    values = np.array(
        [fit.coefficients[name].value if name in fit.estimated else 0.0 for name in names], np.float64
    )
    return np.where(fit.separated, -np.inf, matrix @ values)


def _drawn(rng: np.random.Generator, codes: Codes, sigma: float) -> Floats:
    return rng.normal(0.0, sigma, int(codes.max()) + 1)[codes]
