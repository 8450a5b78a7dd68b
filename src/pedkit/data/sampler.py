"""Batches of clips of like length: seeded, resumable, shared out over processes without loss or doubling."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import blake2b
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from torch.utils.data import Sampler

from pedkit.data.buckets import Bucket, as_lengths, batch_limits, make_buckets
from pedkit.errors import PedkitError


class Draw(NamedTuple):
    """One clip of a batch: its index in the data set, epoch, and which copy of it within the epoch."""

    clip: int
    epoch: int = 0
    copy: int = 0


class BucketBatchSampler(Sampler[list[Draw]]):
    """Training batches: every clip once an epoch (or as often as ``repeats`` says), lengths alike in a batch.

    Clips are sorted by length into buckets; an epoch shuffles each bucket, cuts it into equal batches and
    shuffles the batches (or sorts them, in the first ``sorted_epochs``). All follows from ``(seed, epoch)`` alone,
    and every epoch has the same number of batches.

    Every process computes all batches and takes every ``world_size``-th, so shares are disjoint. Where the
    number does not divide evenly, the fullest batches are halved until it does: each process gets equally many
    batches, and no clip comes twice. Only where all batches hold one clip do fewer than ``world_size`` clips,
    drawn anew each epoch, sit out.

    Args:
        seconds: Length of each clip, shape ``(clips,)``.
        batch_seconds: Most padded seconds in a batch (clips times the longest). A longer clip stands alone.
        max_batch_size: Most clips in a batch.
        repeats: How often a clip comes in an epoch, one number or one a clip. Of clips with 2.25 all come
            twice and about a quarter of them, drawn anew each epoch, a third time.
        sorted_epochs: So many epochs at the beginning go from the shortest batch to the longest (SortaGrad, Amodei
            et al. 2016): a model that still hears blanks alone finds the phones of words sooner than of sentences.
        seed: Seed of the order.
        rank: Index of this process.
        world_size: Number of processes.

    Attributes:
        epoch: The epoch whose batches the next iteration gives.
        skipped: How many batches the last iteration left out because of `resume`.
        fingerprint: Hash of lengths and repeats: equal where the batches of every epoch are.
        sampler: The sampler itself: Lightning calls ``set_epoch`` only on ``batch_sampler.sampler``.

    Raises:
        PedkitError: A number is out of range, or there are fewer clips than processes.
    """

    def __init__(
        self,
        seconds: Sequence[float] | npt.NDArray[np.float64],
        *,
        batch_seconds: float,
        max_batch_size: int | None = None,
        repeats: float | Sequence[float] | npt.NDArray[np.float64] = 1.0,
        sorted_epochs: int = 0,
        seed: int = 0,
        rank: int = 0,
        world_size: int = 1,
    ) -> None:
        self.seed, self.epoch, self.skipped = seed, 0, 0
        self.sampler = self
        self._rank, self._world_size = _place(rank, world_size)
        if sorted_epochs < 0:
            raise PedkitError(f"expected 'sorted_epochs' to be 0 or more, but got {sorted_epochs}")
        self._sorted_epochs, self._seconds = sorted_epochs, as_lengths(seconds)
        self._buckets = make_buckets(self._seconds, repeats, *batch_limits(batch_seconds, max_batch_size))
        times = np.broadcast_to(np.asarray(repeats, dtype=np.float64), self._seconds.shape)
        self.fingerprint = blake2b(np.stack([self._seconds, times]).tobytes(), digest_size=8).hexdigest()
        self._resume_at: tuple[int, int] | None = None
        self._length = len(self._batches(0)) // world_size
        if not self._length:
            raise PedkitError(
                f"expected at least one clip for each of {world_size} processes, but got {len(seconds)}"
            )

    def set_epoch(self, epoch: int) -> None:
        """Choose the epoch whose batches the next iteration gives."""
        self.epoch = epoch

    def resume(self, epoch: int, batches: int) -> None:
        """Leave out the first ``batches`` batches of this process when ``epoch`` is next begun, and only then.

        ``len`` counts them still, as Lightning expects.
        """
        self._resume_at = epoch, batches

    def __len__(self) -> int:
        return self._length

    def __iter__(self) -> Iterator[list[Draw]]:
        resume_at, self._resume_at = self._resume_at, None
        self.skipped = resume_at[1] if resume_at is not None and resume_at[0] == self.epoch else 0
        share = self._batches(self.epoch)[self._rank :: self._world_size]
        return iter(share[self.skipped : self._length])

    def total_batches(self, epochs: int) -> int:
        """Return the number of batches of this process in so many whole epochs."""
        return epochs * self._length

    def _batches(self, epoch: int) -> list[list[Draw]]:
        random = np.random.default_rng([self.seed, epoch])
        batches = [batch for bucket in self._buckets for batch in _cut(bucket, epoch, random)]
        _split_evenly(batches, self._world_size)
        if epoch < self._sorted_epochs:
            return sorted(batches, key=lambda batch: max(self._seconds[draw.clip] for draw in batch))
        return [batches[i] for i in random.permutation(len(batches))]


class EvalBatchSampler(Sampler[list[Draw]]):
    """Batches for evaluation: each clip exactly once over all processes, no padding to equal shares.

    Clips are sorted by length and packed; the order never changes. Processes may get unequal numbers of
    batches, so nothing may be reduced over processes before the end of the epoch. Each gets one at least, unless
    there are fewer clips than processes.

    Args:
        seconds: Length of each clip, shape ``(clips,)``.
        batch_seconds: Most padded seconds in a batch. A longer clip stands alone.
        max_batch_size: Most clips in a batch (1 for models whose output depends on the padding).
        rank: Index of this process.
        world_size: Number of processes.

    Raises:
        PedkitError: A number is out of range.
    """

    def __init__(
        self,
        seconds: Sequence[float] | npt.NDArray[np.float64],
        *,
        batch_seconds: float,
        max_batch_size: int | None = None,
        rank: int = 0,
        world_size: int = 1,
    ) -> None:
        lengths = as_lengths(seconds)
        most_seconds, most_clips = batch_limits(batch_seconds, max_batch_size)
        rank, world_size = _place(rank, world_size)
        batches: list[list[Draw]] = []
        for index in np.argsort(lengths, kind="stable").tolist():
            # Sorted, so the clip at hand is the longest of its batch.
            fits = batches and len(batches[-1]) < most_clips
            if fits and lengths[index] * (len(batches[-1]) + 1) <= most_seconds:
                batches[-1].append(Draw(index))
            else:
                batches.append([Draw(index)])
        while len(batches) < world_size and _halve_fullest(batches):
            pass  # a process without any batch would not take part in the scores, and the others wait for it
        self._share = batches[rank::world_size]

    def __len__(self) -> int:
        return len(self._share)

    def __iter__(self) -> Iterator[list[Draw]]:
        return iter(self._share)


def _cut(bucket: Bucket, epoch: int, random: np.random.Generator) -> Iterator[list[Draw]]:
    copies = bucket.draw(random)
    for part in np.array_split(random.permutation(len(copies)), -(-len(copies) // bucket.batch_size)):
        yield [Draw(copies[i][0], epoch, copies[i][1]) for i in part.tolist()]


def _split_evenly(batches: list[list[Draw]], world_size: int) -> None:
    """Halve the fullest batches until their number is a multiple of ``world_size`` or all hold one clip."""
    while len(batches) % world_size and _halve_fullest(batches):
        pass


def _halve_fullest(batches: list[list[Draw]]) -> bool:
    """Halve the fullest batch; return false where there is none of two clips."""
    fullest = max(range(len(batches)), key=lambda i: len(batches[i]), default=0)
    if not batches or len(batches[fullest]) < 2:
        return False
    batch = batches[fullest]
    batches[fullest] = batch[: len(batch) // 2]
    batches.append(batch[len(batch) // 2 :])
    return True


def _place(rank: int, world_size: int) -> tuple[int, int]:
    if not 0 <= rank < world_size:
        raise PedkitError(f"expected a rank between 0 and {world_size - 1}, but got {rank!r}")
    return rank, world_size
