"""`AttributePair` and `CovariateByGroup`: how attributes and numbers of speakers go together."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from pedkit.fairness.sample import label_order

Floats = npt.NDArray[np.float64]

SEVERAL = "\0several"
"""In place of the value of a speaker who has several."""

Values = Mapping[str, str | None]
"""Speaker -> value of an attribute: ``None`` where it is missing, `SEVERAL` where there are several."""


@dataclass(frozen=True, slots=True)
class AttributePair:
    """How two attributes of speakers go together.

    Attributes:
        first: Name of the first attribute.
        second: Name of the second one.
        table: Value of the first -> value of the second -> number of speakers.
        n_speakers: Speakers with one known value of both.
        left_out: Why speakers were left out -> how many.
        chi_squared: Pearson's statistic, without continuity correction; ``None`` where there is none.
        df: Its degrees of freedom.
        p: From the chi-squared distribution.
        cramers_v: From 0 (nothing to do with each other) to 1 (one tells the other).
        cramers_v_corrected: The same less what chance alone gives (Bergsma 2013, Journal of the Korean Statistical
            Society 42:323-328).
        share_expected_below_5: Share of cells with an expected count below 5; above 0.2, ``p`` is rough.
        reason: Why there is no statistic.
    """

    first: str
    second: str
    table: Mapping[str, Mapping[str, int]]
    n_speakers: int
    left_out: Mapping[str, int]
    chi_squared: float | None = None
    df: int = 0
    p: float | None = None
    cramers_v: float | None = None
    cramers_v_corrected: float | None = None
    share_expected_below_5: float | None = None
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class CovariateByGroup:
    """How a number differs between the groups of an attribute.

    Attributes:
        covariate: Name of the number.
        attribute: Name of the attribute.
        means: Group -> mean over speakers of the speaker's mean.
        n_speakers: Group -> number of speakers.
        eta_squared: Share of the variance between speakers that lies between groups, from 0 to 1; ``None`` where
            it is undefined.
        reason: Why it is.
    """

    covariate: str
    attribute: str
    means: Mapping[str, float]
    n_speakers: Mapping[str, int]
    eta_squared: float | None
    reason: str | None = None


def attribute_pair(first: str, second: str, values: Mapping[str, Values]) -> AttributePair:
    """Compare two attributes, given the values of each by its name."""
    left_out: dict[str, int] = defaultdict(int)
    cells: dict[tuple[str, str], int] = defaultdict(int)
    for speaker, a in values[first].items():
        b = values[second][speaker]
        if a is None or b is None:
            left_out[f"no {first if a is None else second}"] += 1
        elif SEVERAL in (a, b):
            left_out[f"several values of {first if a == SEVERAL else second}"] += 1
        else:
            cells[a, b] += 1
    rows, columns = (sorted({cell[k] for cell in cells}, key=label_order) for k in (0, 1))
    table = {a: {b: cells[a, b] for b in columns} for a in rows}
    described = AttributePair(first, second, table, sum(cells.values()), dict(left_out))
    if not cells:
        return replace(described, reason="no speaker has one known value of both")
    if len(rows) < 2 or len(columns) < 2:
        return replace(
            described, reason=f"'{first if len(rows) < 2 else second}' has one value among these speakers"
        )
    counts = np.array([[cells[a, b] for b in columns] for a in rows], dtype=np.float64)
    return replace(described, **_association(counts))


def _association(counts: Floats) -> dict[str, Any]:
    from scipy.special import chdtrc

    n = float(counts.sum())
    rows, columns = counts.shape
    expected = counts.sum(axis=1, keepdims=True) * counts.sum(axis=0, keepdims=True) / n
    statistic, df = float(((counts - expected) ** 2 / expected).sum()), (rows - 1) * (columns - 1)
    spread = max(0.0, statistic / n - df / (n - 1))
    sides = [side - (side - 1) ** 2 / (n - 1) for side in (rows, columns)]
    most = min(sides) - 1
    return {
        "chi_squared": statistic,
        "df": df,
        "p": float(chdtrc(df, statistic)),
        "cramers_v": math.sqrt(statistic / n / (min(rows, columns) - 1)),
        "cramers_v_corrected": math.sqrt(spread / most) if most > 0 else None,
        "share_expected_below_5": float((expected < 5).mean()),
    }


def covariate_by_group(
    covariate: str, attribute: str, numbers: Mapping[str, float], values: Values
) -> CovariateByGroup:
    """Compare a number of speakers between groups, given speaker -> number and speaker -> value."""
    groups: dict[str, list[float]] = defaultdict(list)
    for speaker, number in numbers.items():
        value = values[speaker]
        if value is not None and value != SEVERAL:
            groups[value].append(number)
    order = sorted(groups, key=label_order)
    means = {value: math.fsum(groups[value]) / len(groups[value]) for value in order}
    sizes = {value: len(groups[value]) for value in order}
    every = [number for value in order for number in groups[value]]
    described = CovariateByGroup(covariate, attribute, means, sizes, None)
    if len(order) < 2:
        return replace(described, reason=f"'{attribute}' has fewer than two groups")
    middle = math.fsum(every) / len(every)
    total = math.fsum((number - middle) ** 2 for number in every)
    if total == 0:
        return replace(described, reason=f"'{covariate}' is the same for all speakers")
    between = math.fsum(sizes[value] * (means[value] - middle) ** 2 for value in order)
    return replace(described, eta_squared=between / total)
