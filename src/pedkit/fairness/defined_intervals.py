"""Intervals of groups by a rule, undefined with the reason where a group has none."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pedkit.fairness.bootstrap import CONSTANT, Bootstrap
from pedkit.fairness.intervals import Interval, chosen_method, intervals

Floats = NDArray[np.float64]

ONE_SPEAKER = "one speaker"
SAME_VALUE = "all speakers have the same value"
NO_VALUE = "no speaker with a value"


def defined_intervals(
    boot: Bootstrap, sizes: NDArray[np.int_], ci: str, scale: Floats, why: str | None = None
) -> list[Interval]:
    """Return the interval of every column by a rule, undefined with the reason where there is none.

    Args:
        boot: Statistics, one a column.
        sizes: Speakers behind each column.
        ci: A rule of `intervals.CI_RULES`.
        scale: Size of the rates of each column, next to which a rounding error is none of their spread.
        why: Why none is defined; ``None`` where that is to be found out.
    """
    reasons = [why or _why_undefined(boot, column, int(n), scale) for column, n in enumerate(sizes)]
    defined = np.flatnonzero([reason is None for reason in reasons])
    methods = [chosen_method(ci, int(n)) for n in sizes[defined]]
    found = dict(zip(defined.tolist(), intervals(boot.columns(defined), methods), strict=True))
    return [found.get(column) or Interval.undefined(reason or "") for column, reason in enumerate(reasons)]


def _why_undefined(boot: Bootstrap, column: int, n: int, scale: Floats) -> str | None:
    if n < 2:
        return ONE_SPEAKER if n else NO_VALUE
    return SAME_VALUE if np.sqrt(boot.squares[column]) <= CONSTANT * scale[column] else None
