"""Buckets of clips of like length: how many clips make a batch, and which clips an epoch draws.

The number of clips an epoch draws from a bucket is fixed, so every epoch has the same number of batches:
Lightning counts them once, cuts longer epochs off and never validates after shorter ones.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pedkit.errors import PedkitError

WIDTH = 1.1
"""A bucket's longest clip is at most this many times its shortest, unless it would not fill one batch."""

Lengths = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Bucket:
    """Clips of like length.

    Attributes:
        clips: Indices, shape ``(clips,)``.
        repeats: How often each comes in an epoch at least, shape ``(clips,)``.
        fractions: Weight with which each is drawn once more, in [0, 1), shape ``(clips,)``.
        extras: How many are drawn once more.
        batch_size: Most clips in a batch.
    """

    clips: npt.NDArray[np.int64]
    repeats: npt.NDArray[np.int64]
    fractions: Lengths
    extras: int
    batch_size: int

    def draw(self, random: np.random.Generator) -> list[tuple[int, int]]:
        """Return ``(clip, copy)`` for every clip that an epoch draws; always the same number."""
        times = self.repeats.copy()
        if self.extras:
            chance = self.fractions / self.fractions.sum()
            times[random.choice(len(times), self.extras, replace=False, p=chance)] += 1
        return [
            (clip, copy) for clip, n in zip(self.clips.tolist(), times.tolist(), strict=True) for copy in range(n)
        ]


def make_buckets(
    seconds: Lengths, repeats: float | Sequence[float] | Lengths, batch_seconds: float, max_batch_size: int
) -> list[Bucket]:
    """Sort clips by length into buckets.

    Args:
        seconds: Length of each clip, shape ``(clips,)``.
        repeats: How often a clip comes in an epoch, one number or one a clip, 0 or more.
        batch_seconds: Most padded seconds in a batch.
        max_batch_size: Most clips in a batch.

    Raises:
        PedkitError: A number of repeats is negative or not finite.
    """
    times = np.broadcast_to(np.asarray(repeats, dtype=np.float64), seconds.shape)
    if not np.isfinite(times).all() or (times < 0).any():
        raise PedkitError("expected every number of repeats to be 0 or more")
    whole = np.floor(times).astype(np.int64)
    fractions = times - whole
    buckets = []
    promised = owed = 0.0
    for clips in _runs(seconds, batch_seconds):
        promised += float(fractions[clips].sum())
        extras = min(round(promised - owed), int(np.count_nonzero(fractions[clips])))
        owed += extras  # rounding errors are carried to the next bucket, so that they do not add up
        longest = float(seconds[clips].max())
        batch_size = max(1, min(int(batch_seconds / longest) if longest else max_batch_size, max_batch_size))
        if extras or whole[clips].any():
            buckets.append(Bucket(clips, whole[clips], fractions[clips], extras, batch_size))
    return buckets


def as_lengths(seconds: Sequence[float] | Lengths) -> Lengths:
    """Return lengths as an array.

    Raises:
        PedkitError: One is negative or not finite.
    """
    lengths = np.asarray(seconds, dtype=np.float64)
    if not np.isfinite(lengths).all() or (lengths < 0).any():
        raise PedkitError("expected every clip to be 0 s or longer")
    return lengths


def batch_limits(batch_seconds: float, max_batch_size: int | None) -> tuple[float, int]:
    """Check the limits of a batch; no limit on the number of clips becomes a very large one.

    Raises:
        PedkitError: A limit is out of range.
    """
    if not batch_seconds > 0:
        raise PedkitError(f"expected 'batch_seconds' to be more than 0, but got {batch_seconds!r}")
    if max_batch_size is not None and max_batch_size < 1:
        raise PedkitError(f"expected 'max_batch_size' to be 1 or more, but got {max_batch_size!r}")
    return batch_seconds, sys.maxsize if max_batch_size is None else max_batch_size


def _runs(seconds: Lengths, batch_seconds: float) -> list[npt.NDArray[np.int64]]:
    """Cut the clips, sorted by length, into runs; a run is long enough for one batch or ends the list."""
    order = np.argsort(seconds, kind="stable")
    runs, start = [], 0
    for place in range(1, len(order)):
        length = seconds[order[place]]
        full = (place - start) * seconds[order[place - 1]] >= batch_seconds
        if full and length > WIDTH * seconds[order[start]]:
            runs.append(order[start:place])
            start = place
    return [*runs, order[start:]] if len(order) else []
