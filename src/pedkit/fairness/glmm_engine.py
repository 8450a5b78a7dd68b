"""The one place that knows the package ``glmm`` (LGPL, extra ``glmm``): a Poisson model with random intercepts."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from types import ModuleType

import numpy as np
import numpy.typing as npt

from pedkit.errors import PedkitError

Floats = npt.NDArray[np.float64]
Codes = npt.NDArray[np.int64]

MAX_QUADRATURE = 25
"""Most points of the adaptive Gauss-Hermite quadrature that the engine offers."""


@dataclass(frozen=True, slots=True)
class EngineFit:
    """What the engine found.

    Attributes:
        coefficients: Log rate ratios, shape ``(columns,)``; the first is the intercept.
        covariance: Of the coefficients, from the full Hessian, shape ``(columns, columns)``.
        sigmas: Clustering -> standard deviation of its random intercept on the log scale.
        loglik: Log-likelihood with all constants, so that it compares with a plain Poisson GLM.
        converged: False where the numbers are not those of a maximum.
        notes: Kinds of what else the engine has to say (``ill_conditioned``, ``hessian_se_fallback``, ...).
    """

    coefficients: Floats
    covariance: Floats
    sigmas: Mapping[str, float]
    loglik: float
    converged: bool
    notes: tuple[str, ...]


def fit_poisson(
    counts: Floats,
    design: Floats,
    clusters: Mapping[str, Codes],
    *,
    offset: Floats,
    quadrature: int = 1,
) -> EngineFit:
    """Fit ``counts ~ Poisson(exp(offset + design @ coefficients + one random intercept a clustering))``.

    Args:
        counts: Shape ``(rows,)``.
        design: Shape ``(rows, columns)`` of full column rank; the first column is all ones.
        clusters: Name -> number of the cluster of each row, shape ``(rows,)``. A clustering with a single cluster
            has no variance and is left out.
        offset: Shape ``(rows,)``.
        quadrature: Points of the adaptive Gauss-Hermite quadrature, odd; 1 is the Laplace approximation.

    Raises:
        PedkitError: The extra is not installed, or quadrature is asked for with several clusterings.
    """
    engine = _engine()
    used = {name: codes for name, codes in clusters.items() if codes.min() != codes.max()}
    check_quadrature(quadrature, len(used))
    # The engine reads a formula in which names cannot be quoted, so every column gets a name of our own.
    columns: dict[str, Floats | Codes] = {"y": counts}
    columns |= {f"x{k}": design[:, k] for k in range(1, design.shape[1])}
    columns |= {f"cluster{k}": codes for k, codes in enumerate(used.values())}
    terms = [name for name in columns if name.startswith("x")]
    terms += [f"(1 | cluster{k})" for k in range(len(used))]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", engine.DiagnosticWarning)
        fit = engine.fit(
            columns,
            f"y ~ {' + '.join(['1', *terms])}",
            "poisson",
            offset=offset,
            nagq=quadrature if used else 1,
            anova_test="Wald",  # the default fits a further model for each term
        )
    variances = [float(packed[0]) for packed in fit.varcorr] or [float("nan")] * len(used)
    return EngineFit(
        coefficients=np.asarray(fit.beta, dtype=np.float64),
        covariance=np.asarray(fit.vcov, dtype=np.float64),
        sigmas=dict(zip(used, np.sqrt(variances).tolist(), strict=True)),
        loglik=float(fit.loglik),
        converged=bool(fit.converged and np.isfinite(fit.loglik)),
        notes=tuple(note["kind"] for note in fit.warnings if note["kind"] not in _SAID),
    )


def check_quadrature(quadrature: int, clusterings: int) -> None:
    """Raise a `PedkitError` where the engine has no such quadrature."""
    if quadrature not in range(1, MAX_QUADRATURE + 1, 2):
        raise PedkitError(f"expected quadrature to be odd, from 1 to {MAX_QUADRATURE}, but got {quadrature!r}")
    if quadrature > 1 and clusterings > 1:
        raise PedkitError(
            f"quadrature={quadrature} works with one random effect, but the model has {clusterings}",
            hint="quadrature=1, or no random effect of the prompt",
        )


_SAID = frozenset({"singular", "non_integer_response"})
"""Notes that `pedkit.fairness` makes itself."""


def _engine() -> ModuleType:
    try:
        import glmm
    except ImportError:
        raise PedkitError(
            "mixed models need the package 'glmm', which is not installed",
            hint="pip install 'pedkit[glmm]' brings it",
        ) from None
    engine: ModuleType = glmm
    return engine
