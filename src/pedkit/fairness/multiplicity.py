"""Adjustment of p values for the number of tests, and stars."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
PValues = Sequence[float | None]

STARS = ((0.001, "***"), (0.01, "**"), (0.05, "*"))
"""A p value below the first number gets the stars beside it."""


def stars(p: float | None) -> str:
    """Return the stars of a p value; an undefined one has none."""
    return next((mark for limit, mark in STARS if p is not None and p < limit), "")


def holm(p_values: PValues) -> list[float | None]:
    """Return p values adjusted by Holm (1979, Scandinavian Journal of Statistics 6:65-70).

    Undefined tests (``None``) stay undefined and are no part of the family.
    """
    return _adjusted(p_values, lambda p: np.maximum.accumulate(p * np.arange(len(p), 0, -1)))


def benjamini_hochberg(p_values: PValues) -> list[float | None]:
    """Return p values adjusted by Benjamini and Hochberg (1995, JRSS B 57:289-300); ``None`` as for `holm`."""
    return _adjusted(
        p_values, lambda p: np.minimum.accumulate((p * len(p) / np.arange(1, len(p) + 1))[::-1])[::-1]
    )


def _adjusted(p_values: PValues, rule: Callable[[Floats], Floats]) -> list[float | None]:
    defined = [place for place, p in enumerate(p_values) if p is not None]
    out: list[float | None] = [None] * len(p_values)
    ordered = sorted(defined, key=lambda place: p_values[place] or 0.0)
    adjusted = np.minimum(rule(np.array([p_values[place] for place in ordered], dtype=float)), 1.0)
    for place, p in zip(ordered, adjusted.tolist(), strict=True):
        out[place] = p
    return out
