"""How many speakers it takes to see a gap of a given size, and how small a gap given speakers can show."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from math import ceil, inf, sqrt
from typing import Any

from pedkit.errors import PedkitError
from pedkit.fairness.studentized_range import scale_nodes

POWER = 0.8
"""Wanted chance of finding a gap that is there."""

ALPHA = 0.05
MOST_SPEAKERS = 10_000_000
MOST_POWER = 0.999999


def power_of_welch(
    gap: float, sd: tuple[float, float], speakers: tuple[int, int], *, alpha: float = ALPHA
) -> float:
    """Return the chance that Welch's two-sided test finds a gap, for normal values (noncentral t).

    Args:
        gap: True difference of the two means, in the unit of the metric.
        sd: Standard deviation between the speakers of each group.
        speakers: Speakers in each group, at least 2.
        alpha: Level of the test; divide it by the number of tests of the family (Bonferroni).
    """
    error, df = _error(sd, speakers)
    return _Power(df, alpha).of(abs(gap) / error)


def _error(sd: tuple[float, float], speakers: tuple[int, int]) -> tuple[float, float]:
    """Return the standard error of a difference of means and its degrees of freedom."""
    parts = sd[0] ** 2 / speakers[0], sd[1] ** 2 / speakers[1]
    df = sum(parts) ** 2 / (parts[0] ** 2 / (speakers[0] - 1) + parts[1] ** 2 / (speakers[1] - 1))
    return sqrt(sum(parts)), df


class _Power:
    """Power of a two-sided t test, by the same sum over the standard deviation as the studentised range.

    scipy's noncentral t is NaN for few degrees of freedom and small levels.
    """

    def __init__(self, df: float, alpha: float) -> None:
        from scipy.special import stdtrit

        scale, self._weights = scale_nodes(df)
        self._limits = float(stdtrit(df, 1 - alpha / 2)) * scale

    def of(self, center: float) -> float:
        """Return the power at a true difference of ``center`` standard errors."""
        from scipy.special import ndtr

        return float(self._weights @ (ndtr(center - self._limits) + ndtr(-center - self._limits)))


@dataclass(frozen=True, slots=True, kw_only=True)
class NeedRow:
    """Speakers that a pair of groups needs for a gap to be seen, by the spread measured now.

    Attributes:
        attribute: Name of the attribute.
        corpus: The corpus.
        metric: The metric.
        row: One group.
        column: The other.
        gap: The gap to be seen.
        n_row: Speakers of ``row`` now.
        n_column: Speakers of ``column`` now.
        needed: Speakers of each group for 80 % power, at 5 % over the tests of the family; ``None`` where
            undefined.
        reason: Why it is undefined.
    """

    attribute: str
    corpus: str
    metric: str
    row: str
    column: str
    gap: float
    n_row: int
    n_column: int
    needed: int | None
    reason: str | None = None

    def to_json(self) -> dict[str, Any]:
        """Return the row as plain data."""
        return asdict(self)


def speakers_needed(
    gap: float, sd: tuple[float, float], *, ratio: float = 1.0, power: float = POWER, alpha: float = ALPHA
) -> tuple[int, int]:
    """Return how many speakers each group needs so that Welch's test finds a gap.

    Args:
        gap: Difference of the two means that one wants to see, not 0.
        sd: Standard deviation between the speakers of each group; at least one above 0.
        ratio: Speakers of the second group per speaker of the first.
        power: Wanted chance of finding the gap.
        alpha: Level of the test, see `power_of_welch`.

    Raises:
        PedkitError: A number is out of its range, or more than 10 million speakers are needed.

    Example:
        >>> speakers_needed(0.03, (0.06, 0.06))  # a gap of 3 points, half a standard deviation
        (64, 64)
    """
    if not (0 < abs(gap) < inf and max(sd) > 0 and 0 < ratio < inf):
        raise PedkitError(
            "expected a gap other than 0, a standard deviation above 0 and a ratio above 0,"
            f" but got gap={gap}, sd={sd}, ratio={ratio}"
        )
    _check(sd, alpha, power)

    def sizes(first: int) -> tuple[int, int]:
        return max(2, first), max(2, ceil(first * ratio))

    def enough(first: int) -> bool:
        return power_of_welch(gap, sd, sizes(first), alpha=alpha) >= power

    high = 2
    while not enough(high):
        high *= 2
        if high > MOST_SPEAKERS:
            raise PedkitError(f"a gap of {gap} would take more than {MOST_SPEAKERS:,} speakers a group")
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return sizes(high)


def _check(sd: tuple[float, float], alpha: float, power: float) -> None:
    if not (all(0 <= one < inf for one in sd) and 0 < alpha < power <= MOST_POWER):
        raise PedkitError(
            f"expected standard deviations of 0 or more and 0 < alpha < power <= {MOST_POWER},"
            f" but got sd={sd}, alpha={alpha}, power={power}"
        )


def detectable_gap(
    sd: tuple[float, float], speakers: tuple[int, int], *, power: float = POWER, alpha: float = ALPHA
) -> float | None:
    """Return the smallest gap that Welch's test finds with the given power; ``None`` where it is undefined.

    It is undefined where a group has fewer than two speakers or no group's speakers differ.

    Raises:
        PedkitError: A number is out of its range.
    """
    from scipy.optimize import brentq

    _check(sd, alpha, power)
    if min(speakers) < 2 or max(sd) <= 0:
        return None
    error, df = _error(sd, speakers)
    found, high = _Power(df, alpha), 1.0
    while found.of(high) < power:
        high *= 2
    return error * float(brentq(lambda center: found.of(center) - power, 0.0, high))
