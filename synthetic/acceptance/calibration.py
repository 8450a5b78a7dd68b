"""The threshold: how badly may unedited speech score before it is refused?"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from typing import Any

from pedkit.errors import PedkitError


@dataclass(frozen=True, slots=True)
class Threshold:
    """The least score of an accepted recording.

    Attributes:
        value: In nats a phone; never over 0 where it was calibrated.
        quantile: The calibrated quantile, which is the value where that is not over 0; ``None`` where the value
            was given.
        rank: Which of the unedited scores that is, counted from 1 for the lowest.
        unedited: Number of unedited recordings it was calibrated on.
    """

    value: float
    quantile: float | None = None
    rank: int | None = None
    unedited: int | None = None

    def to_json(self) -> dict[str, Any]:
        """Return the object of ``acceptance.json``."""
        return asdict(self)


def calibrated(scores: Sequence[float], share: float, place: str = "this set") -> Threshold:
    """Return the threshold that refuses at most ``share`` of unedited recordings.

    It is the k-th lowest of the n scores, with k = floor(share * (n + 1)), and at most 0; lower ones are refused.
    So at most k - 1 of these n are refused; and a further unedited recording, exchangeable with them, is refused
    with a probability of at most k / (n + 1) <= share (split conformal prediction: Papadopoulos et al. 2002; Lei
    et al. 2018, theorem 2.2). A quantile over 0 is not used: what wins the forced choice stays.

    Args:
        scores: Of unedited recordings.
        share: Over 0 and under 1.
        place: What the scores are of, for the error.

    Raises:
        PedkitError: There are too few scores for any threshold: fewer than 1 / share - 1.
    """
    exact = Fraction(str(share))
    rank = math.floor(exact * (len(scores) + 1))
    if rank == 0:
        raise PedkitError(
            f"expected at least {math.ceil(1 / exact) - 1} unedited recordings of {place} to allow {share:g} of "
            f"them to be refused, but got {len(scores)}",
            hint="give a threshold, a larger share or a larger set",
        )
    quantile = sorted(scores)[rank - 1]
    return Threshold(min(quantile, 0.0), quantile, rank, len(scores))
