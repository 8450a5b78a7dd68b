"""Axes of figures that show estimates with their intervals: linear in rates and points, logarithmic in ratios."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace

from pedkit.report.svg import round_step

_RATIO_TICKS = (0.05, 0.1, 0.2, 0.25, 0.33, 0.5, 0.67, 0.8, 0.9, 1, 1.1, 1.25, 1.5, 2, 3, 4, 5, 10, 20)
_APART = 30
"""Least distance between labelled ticks, in SVG units."""


@dataclass(frozen=True, slots=True)
class Axis:
    """Values to places between ``left`` and ``right``.

    Attributes:
        low: Value at the left end.
        high: Value at the right end.
        ticks: Values to label.
        left: Place of ``low``, in SVG units.
        right: Place of ``high``.
        log: True for a logarithmic axis.
    """

    low: float
    high: float
    ticks: tuple[float, ...]
    left: float
    right: float
    log: bool = False

    @classmethod
    def linear(cls, values: Iterable[float], left: float, right: float, least: float = -math.inf) -> Axis:
        """Return an axis with round ends, from 0 where the values come near it, and never below ``least``."""
        present = [max(value, least) for value in values] or [0.0, 1.0]
        low, high = min(present), max(present)
        if 0 < low < high / 2:
            low = 0.0
        if high == low:
            low, high = max(low - 0.5, least), high + 0.5
        step = round_step((high - low) / 5)
        first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
        ticks = tuple(round(k * step, 10) for k in range(first, last + 1))
        return cls(ticks[0], ticks[-1], ticks, left, right)

    @classmethod
    def ratios(cls, values: Iterable[float], left: float, right: float) -> Axis:
        """Return a logarithmic axis around 1; values are above 0, and those beyond 1/20 and 20 lie at its ends."""
        bounds = _RATIO_TICKS[0], _RATIO_TICKS[-1]
        present = [min(max(value, bounds[0]), bounds[1]) for value in values]
        low, high = min((*present, 0.9)), max((*present, 1.1))
        first = max(tick for tick in _RATIO_TICKS if tick <= low)
        last = min(tick for tick in _RATIO_TICKS if tick >= high)
        bare = cls(first, last, (), left, right, log=True)
        shown = [1.0]
        for tick in (first, last, *(tick for tick in _RATIO_TICKS if first < tick < last)):
            if all(abs(bare.at(tick) - bare.at(other)) >= _APART for other in shown):
                shown.append(tick)
        return replace(bare, ticks=tuple(sorted(shown)))

    def at(self, value: float) -> float:
        """Return the place of a value; what lies beyond an end is drawn at it."""
        value = min(max(value, self.low), self.high)
        share = (
            math.log(value / self.low) / math.log(self.high / self.low)
            if self.log
            else (value - self.low) / (self.high - self.low)
        )
        return self.left + share * (self.right - self.left)
