"""`PoissonFit`: a Poisson model with random intercepts, also where the likelihood has no finite maximum."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from pedkit.fairness.glmm_engine import fit_poisson
from pedkit.fairness.terms import Term, design, independent, separated_rows

Floats = npt.NDArray[np.float64]
Codes = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

BOUNDARY = 1e-4
"""Standard deviation of a random effect below which it counts as 0 (the tolerance of lme4's ``isSingular``)."""


@dataclass(frozen=True, slots=True)
class Coefficient:
    """A log rate ratio.

    Attributes:
        value: The estimate; minus infinity for a group without any error, ``None`` where it has none.
        se: Its standard error, ``None`` where it has none.
        reason: Why something is ``None``.
    """

    value: float | None
    se: float | None
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class PoissonFit:
    """A fitted model.

    Attributes:
        coefficients: Column -> coefficient, the intercept first.
        estimated: Columns with a finite coefficient, in order of ``covariance``.
        covariance: Shape ``(estimated, estimated)``.
        sigmas: Clustering -> standard deviation of its random intercept on the log scale.
        loglik: Log-likelihood with all constants.
        rank: Number of columns that can be told apart.
        df: Speakers minus ``rank``, the degrees of freedom of intervals. Simulated with two groups of six
            speakers, normal quantiles cover 89 % in place of 95, those of t 93 %; with 20 a group 94 and 95 %.
        converged: False where the numbers are not those of a maximum.
        separated: Rows whose rate is 0 at the maximum, shape ``(rows,)``; the others alone decide everything else.
        notes: Kinds of what the engine has to say.
    """

    coefficients: Mapping[str, Coefficient]
    estimated: tuple[str, ...]
    covariance: Floats
    sigmas: Mapping[str, float]
    loglik: float
    rank: int
    df: int
    converged: bool
    separated: Flags
    notes: tuple[str, ...]

    @property
    def at_boundary(self) -> tuple[str, ...]:
        """Clusterings whose random intercept has no variance (a singular fit)."""
        return tuple(name for name, sigma in self.sigmas.items() if sigma < BOUNDARY)

    def half_width(self, se: float) -> float | None:
        """Return half the length of a 95 % interval, ``None`` where there is none."""
        from scipy.special import stdtrit

        return se * float(stdtrit(self.df, 0.975)) if self.df >= 1 and math.isfinite(se) else None

    def linear(self, weights: Mapping[str, float]) -> tuple[float, float] | None:
        """Return a weighted sum of coefficients and its standard error; ``None`` where one is not finite."""
        used = {name: weight for name, weight in weights.items() if weight}
        if not set(used) <= set(self.estimated):
            return None
        vector = np.array([used.get(name, 0.0) for name in self.estimated])
        values = np.array([self.coefficients[name].value for name in self.estimated], dtype=np.float64)
        variance = float(vector @ self.covariance @ vector)
        return float(vector @ values), math.sqrt(max(variance, 0.0))

    def sigmas_json(self) -> dict[str, float | None]:
        """Return the standard deviations as plain data, ``None`` where the fit did not converge."""
        return {name: finite(sigma) for name, sigma in self.sigmas.items()}

    def coefficients_json(self) -> dict[str, Any]:
        """Return the coefficients as plain data; minus infinity is ``None`` with a reason."""
        return {name: asdict(one) | {"value": finite(one.value)} for name, one in self.coefficients.items()}


def finite(value: float | None) -> float | None:
    """Return a number that JSON can hold, or ``None``."""
    return value if value is not None and math.isfinite(value) else None


def fit_terms(
    errors: Floats,
    terms: Sequence[Term],
    clusters: Mapping[str, Codes],
    *,
    exposure: Floats,
    quadrature: int = 1,
) -> PoissonFit:
    """Fit ``errors ~ terms + offset(log exposure) + one random intercept a clustering``.

    Args:
        errors: Not all 0, shape ``(rows,)``.
        terms: Columns; one that depends on those before it gets no coefficient.
        clusters: Name -> number of the cluster of each row; one is ``speaker``.
        exposure: Above 0, shape ``(rows,)``; all 1 for a model without offset.
        quadrature: Points of the quadrature; 1 is the Laplace approximation.

    Raises:
        PedkitError: The extra ``glmm`` is not installed, or there is no such quadrature.
    """
    names, matrix = design(terms, len(errors))
    told_apart = independent(matrix)
    kept = ~separated_rows(matrix[:, told_apart], errors)
    columns = told_apart if kept.all() else [told_apart[k] for k in independent(matrix[kept][:, told_apart])]
    found = fit_poisson(
        errors[kept],
        matrix[kept][:, columns],
        {name: codes[kept] for name, codes in clusters.items()},
        offset=np.log(exposure[kept]),
        quadrature=quadrature,
    )
    deviations = np.sqrt(np.diag(found.covariance))
    coefficients = {name: _without_estimate(matrix[:, k], kept, k in told_apart) for k, name in enumerate(names)}
    for column, value, se in zip(columns, found.coefficients.tolist(), deviations.tolist(), strict=True):
        coefficients[names[column]] = _estimated(value, se, found.converged)
    return PoissonFit(
        coefficients=coefficients,
        estimated=tuple(names[k] for k in columns) if found.converged else (),
        covariance=found.covariance,
        sigmas=found.sigmas,
        loglik=found.loglik,
        rank=len(told_apart),
        df=len(np.unique(clusters["speaker"])) - len(told_apart),
        converged=found.converged,
        separated=~kept,
        notes=found.notes,
    )


def _estimated(value: float, se: float, converged: bool) -> Coefficient:
    if not converged:
        return Coefficient(None, None, "the fit did not converge")
    if not math.isfinite(se):
        return Coefficient(value, None, "the engine could not form a standard error")
    return Coefficient(value, se)


def _without_estimate(column: Floats, kept: Flags, told_apart: bool) -> Coefficient:
    if not told_apart:
        return Coefficient(None, None, "it cannot be told apart from the other columns of the model")
    if not column[kept].any():
        return Coefficient(-math.inf, None, "no error was counted, so the estimated rate is 0")
    return Coefficient(None, None, "the utterances with errors do not determine it (separation)")
