"""The one-standard-error rule (Breiman et al. 1984, "Classification and Regression Trees", section 3.4.3)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, stdev

from pedkit.errors import PedkitError


@dataclass(frozen=True, slots=True)
class Choice:
    """What the rule chose.

    Attributes:
        means: Mean PER over the folds at each step of the grid.
        errors: Standard error of each mean.
        best: Index of the lowest mean, the earlier of equals.
        threshold: The lowest mean plus its standard error.
        chosen: Index of the earliest step whose mean is at most the threshold.
    """

    means: tuple[float, ...]
    errors: tuple[float, ...]
    best: int
    threshold: float
    chosen: int


def one_standard_error(pers: Sequence[Sequence[float]]) -> Choice:
    """Choose the earliest step that is not clearly worse than the best.

    The standard error of a mean over n folds is their standard deviation (n - 1 in the denominator) by the root of
    n, taken at the best step. Folds share training data, so it is a rule of thumb and no confidence interval.

    Args:
        pers: PER of each fold (inner) at each step of the grid (outer), in order of the steps.

    Raises:
        PedkitError: There are fewer than 2 folds, no step, or unequal numbers of folds.

    >>> one_standard_error([[0.5, 0.7], [0.3, 0.4], [0.3, 0.3]]).chosen
    2
    """
    sizes = {len(row) for row in pers}
    if len(sizes) != 1 or min(sizes) < 2:
        raise PedkitError(f"expected the PER of at least 2 folds at each step, but got {sorted(sizes)} folds")
    means = tuple(fmean(row) for row in pers)
    errors = tuple(stdev(row) / math.sqrt(len(row)) for row in pers)
    best = min(range(len(means)), key=lambda index: (means[index], index))
    threshold = means[best] + errors[best]
    chosen = next(index for index, mean in enumerate(means) if mean <= threshold)
    return Choice(means, errors, best, threshold, chosen)
