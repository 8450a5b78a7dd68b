"""Bootstrap replicates of rates, with speakers as the unit that is resampled."""

from __future__ import annotations

import hashlib
from dataclasses import fields

import numpy as np
from numpy.typing import NDArray

from pedkit.errors import PedkitError
from pedkit.fairness.bootstrap import Bootstrap
from pedkit.hints import conform

Floats = NDArray[np.float64]

_BLOCK = 2_000_000
"""Entries of a count matrix in memory together."""


def derived_seed(seed: int, *names: str) -> int:
    """Return the seed of one use from a base seed and names, so that no group changes another's draws.

    Raises:
        PedkitError: The base seed is no whole number of 0 or more.
    """
    if conform(seed, int, "seed") < 0:
        raise PedkitError(f"expected seed to be 0 or more, but got {seed}")
    digest = hashlib.sha256("\x1f".join((str(seed), *names)).encode()).digest()
    return int.from_bytes(digest[:8], "big")


def bootstrap_columns(
    numerators: Floats, denominators: Floats, *, resamples: int, seed: int
) -> tuple[Bootstrap, NDArray[np.int_]]:
    """Return `bootstrap_ratios` of every column over its own speakers, those with anything in one of its two sums.

    So the replicates speak of the same speakers as the quotient of the sums: one who said none of the reference
    phones, yet of whom phones were heard, adds errors to it. Columns with the same speakers share the resampled
    speakers.

    Returns:
        The statistics, and the number of speakers of each column. All is NaN in a column without any, or whose
        denominators are all 0.
    """
    valid = ((numerators != 0) | (denominators > 0)) & (denominators.sum(axis=0) > 0)
    columns = valid.shape[1]
    if valid.sum(axis=0).max(initial=0) < 2:
        return _without_draws(numerators, denominators, valid, resamples), valid.sum(axis=0)
    out = Bootstrap(*(np.full((columns, *shape), np.nan) for shape in [()] * 5 + [(resamples,)] * 2))
    for pattern in np.unique(valid, axis=1).T:
        if not pattern.any():
            continue
        index = np.flatnonzero((valid == pattern[:, None]).all(axis=0))
        cells = np.ix_(pattern, index)
        part = bootstrap_ratios(
            numerators[cells], denominators[cells], resamples=resamples, rng=np.random.default_rng(seed)
        )
        for item in fields(Bootstrap):
            getattr(out, item.name)[index] = getattr(part, item.name)
    return out, valid.sum(axis=0)


def bootstrap_ratios(
    numerators: Floats, denominators: Floats, *, resamples: int, rng: np.random.Generator
) -> Bootstrap:
    """Resample speakers and return sum of numerators / sum of denominators of every column.

    All columns share the resampled speakers: how often each was drawn is one matrix, and every sum over the drawn
    speakers is a product with it. With denominators of 1 the statistic is the mean over speakers.

    Args:
        numerators: Shape (speakers, columns).
        denominators: Same shape; 0 or more, and above 0 for at least one speaker of each column. A replicate of
            speakers without any is infinite.
        resamples: Number of replicates.
        rng: Source of the draws.

    The variance is the linearised one of a ratio (Davison and Hinkley 1997, Bootstrap Methods and their
    Application, equation 2.38 and section 2.7.2), the usual one of a mean where denominators are 1.
    """
    n, columns = numerators.shape
    estimate = numerators.sum(axis=0) / denominators.sum(axis=0)
    errors = numerators - estimate * denominators
    influence = errors / denominators.sum(axis=0)
    squares = (influence**2).sum(axis=0)
    terms = np.concatenate([errors, denominators, errors**2, errors * denominators, denominators**2], axis=1)
    sums = np.empty((terms.shape[1], resamples))
    for start in range(0, resamples, rows := max(1, _BLOCK // n)):
        stop = min(start + rows, resamples)
        sums[:, start:stop] = terms.T @ draw_counts(n, stop - start, rng).T
    error, size, square, cross, sizes = sums.reshape(5, columns, resamples)
    judged = size > 0
    size = np.where(judged, size, 1.0)
    deviations = np.where(judged, error / size, 0.0)
    spread = square - 2 * deviations * cross + deviations**2 * sizes
    factor = n / (n - 1) if n > 1 else 0.0
    return Bootstrap(
        estimate=estimate,
        variance=squares * factor,
        scale=(squares * factor) ** 2 / max(n - 1, 1),
        squares=squares,
        cubes=(influence**3).sum(axis=0),
        deviations=np.where(judged, deviations, np.inf),
        variances=np.where(judged, np.maximum(spread, 0.0) / size**2 * factor, 0.0),
    )


def _without_draws(
    numerators: Floats, denominators: Floats, valid: NDArray[np.bool_], resamples: int
) -> Bootstrap:
    """Return the statistics of at most one speaker a column; their replicates take no memory."""
    any_speaker = valid.any(axis=0)
    errors, sizes = (np.where(valid, part, 0.0).sum(axis=0) for part in (numerators, denominators))
    estimate = np.where(any_speaker, errors / np.where(any_speaker, sizes, 1.0), np.nan)
    zero = np.where(any_speaker, 0.0, np.nan)
    replicates = np.broadcast_to(zero[:, None], (len(zero), resamples))
    return Bootstrap(estimate, zero, zero, zero, zero, replicates, replicates)


def draw_counts(n: int, resamples: int, rng: np.random.Generator) -> Floats:
    """Return how often each of ``n`` speakers was drawn in each resample, shape (resamples, n)."""
    drawn = rng.integers(0, n, size=(resamples, n))
    drawn += (np.arange(resamples) * n)[:, None]
    times: Floats = np.bincount(drawn.ravel(), minlength=resamples * n).reshape(resamples, n).astype(np.float64)
    return times
