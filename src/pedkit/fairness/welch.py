"""Welch's t test of two groups of speakers, undefined where it must be."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from pedkit.fairness.intervals import LEVEL

Floats = NDArray[np.float64]

MIN_SPEAKERS = 2
"""Speakers that a group needs in a test."""


@dataclass(frozen=True, slots=True)
class WelchTest:
    """Two-sided test of equal means with unequal variances (Welch 1947, Biometrika 34:28-35).

    Attributes:
        difference: Mean of the first group minus mean of the second; ``None`` where one has no speaker.
        t: The statistic; this and the following are ``None`` where the test is undefined.
        df: Degrees of freedom (Welch-Satterthwaite).
        p: Two-sided p value.
        low: Lower end of the 95 % t interval of the difference.
        high: Upper end.
        reason: Why the test is undefined.
    """

    difference: float | None
    t: float | None = None
    df: float | None = None
    p: float | None = None
    low: float | None = None
    high: float | None = None
    reason: str | None = None


def welch_test(
    a: Floats, b: Floats, names: tuple[str, str] = ("the first group", "the second group")
) -> WelchTest:
    """Return Welch's test of two groups.

    Args:
        a: One value a speaker.
        b: The same of the other group; no speaker is in both.
        names: How the groups are called in ``reason``.

    As in R's ``t.test``, data are essentially constant, and the test undefined, where the standard error is at
    most 10 machine epsilons of the larger mean: rounding would be taken for a variance.
    """
    from scipy.special import stdtr, stdtrit

    if not (len(a) and len(b)):
        return WelchTest(None, reason=f"{names[0] if not len(a) else names[1]} has no speaker with a value")
    means = float(a.mean()), float(b.mean())
    difference = means[0] - means[1]
    for values, name in zip((a, b), names, strict=True):
        if len(values) < MIN_SPEAKERS:
            return WelchTest(difference, reason=f"n/a (1 speaker): {name}")
    parts = float(a.var(ddof=1)) / len(a), float(b.var(ddof=1)) / len(b)
    error = sqrt(sum(parts))
    if error <= 10 * np.finfo(float).eps * max(map(abs, means)):
        return WelchTest(difference, reason="data are essentially constant")
    df = sum(parts) ** 2 / (parts[0] ** 2 / (len(a) - 1) + parts[1] ** 2 / (len(b) - 1))
    t = difference / error
    half = float(stdtrit(df, (1 + LEVEL) / 2)) * error
    p = min(1.0, 2 * float(stdtr(df, -abs(t))))
    return WelchTest(difference, t, df, p, difference - half, difference + half)
