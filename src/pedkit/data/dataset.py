"""`PhoneDataset`: utterances with their samples and target phones, decoded once where memory allows."""

from __future__ import annotations

import logging
import os
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor
from torch.utils.data import Dataset, get_worker_info

from pedkit.data.audio import audio_info, load_audio
from pedkit.data.augment import Augment
from pedkit.data.batch import AudioBatch
from pedkit.data.sampler import Draw
from pedkit.data.targets import TargetPolicy
from pedkit.data.utterance import Audio, Utterance
from pedkit.errors import PedkitError

log = logging.getLogger(__name__)


class PhoneSample(NamedTuple):
    """One clip: samples of shape ``(samples,)``, its utterance, its target phones.

    ``fault`` says why there are no samples, where there are none (``bad_audio="skip"``).
    """

    samples: Tensor
    utterance: Utterance
    target: tuple[str, ...]
    fault: str | None = None


class PhoneDataset(Dataset[PhoneSample]):
    """Utterances with audio and targets; what cannot be used is left out at once, counted and named.

    Args:
        utterances: Utterances with audio.
        name: What to call the set where something is said of it.
        inventory: The model's inventory (see `TargetPolicy`).
        target: ``realized``, ``canonical`` or ``none`` (see `TargetPolicy`).
        unusable: ``drop_symbol`` or ``drop_utterance`` (see `TargetPolicy`).
        sample_rate: Hz of the samples returned.
        min_seconds: Clips that are shorter are left out.
        max_seconds: Clips that are longer are left out; ``None`` = no limit.
        bad_audio: ``stop`` = a file that cannot be read raises; ``skip`` = every file is decoded once at
            the start, and those that cannot be are left out; one that cannot be read later is left out of its
            batch, which names it in ``unreadable``.
        cache_seconds: Decoded audio kept in memory, in seconds of speech (64 kB a second at 16 kHz), shared
            out over the loader's worker processes.
        augment: Change of each clip at each reading; ``None`` for evaluation.

    Attributes:
        utterances: Those that are left.
        targets: Their target phones.
        seconds: Their lengths, shape ``(utterances,)``.
        kept: Their places among the utterances given, shape ``(utterances,)``.
        left_out: Reason -> ids of the utterances left out for it.
        dropped_symbols: How often each symbol was left out of the targets.

    Raises:
        PedkitError: An utterance has no audio or no targets, an audio file cannot be read
            (``bad_audio="stop"``), or an option has another value.
    """

    def __init__(
        self,
        utterances: Iterable[Utterance],
        *,
        name: str = "",
        inventory: str = "cmu39",
        target: str = "realized",
        unusable: str = "drop_symbol",
        sample_rate: int = 16000,
        min_seconds: float = 0.0,
        max_seconds: float | None = None,
        bad_audio: str = "stop",
        cache_seconds: float = 0.0,
        augment: Augment | None = None,
    ) -> None:
        if bad_audio not in ("stop", "skip"):
            raise PedkitError(f"expected 'bad_audio' to be stop or skip, but got {bad_audio!r}")
        self.sample_rate, self.augment, self.bad_audio = sample_rate, augment, bad_audio
        self._limits = min_seconds, np.inf if max_seconds is None else max_seconds
        self._policy = TargetPolicy(inventory=inventory, target=target, unusable=unusable)
        self._cache: dict[int, npt.NDArray[np.float32]] = {}
        self._cache_limit, self._cached = round(cache_seconds * sample_rate), 0
        self.utterances: list[Utterance] = []
        self.targets: list[tuple[str, ...]] = []
        self.left_out: dict[str, list[str]] = {}
        lengths: list[float] = []
        kept: list[int] = []
        for place, utterance in enumerate(utterances):
            seconds = self._take(utterance)
            if seconds is not None:
                kept.append(place)
                lengths.append(seconds)
        self.kept, self.seconds = np.asarray(kept, dtype=np.int64), np.asarray(lengths, dtype=np.float64)
        self._report(f"{name}: " if name else "")

    @property
    def dropped_symbols(self) -> Counter[str]:
        """How often each symbol was left out of the targets."""
        return self._policy.dropped_symbols

    def __len__(self) -> int:
        return len(self.utterances)

    def __getitem__(self, key: int | Draw) -> PhoneSample:
        draw = key if isinstance(key, Draw) else Draw(key)
        utterance = self.utterances[draw.clip]
        try:
            samples = self._samples(draw.clip)
        except PedkitError as error:
            if self.bad_audio == "stop":
                raise
            return PhoneSample(torch.empty(0), utterance, self.targets[draw.clip], str(error))
        if self.augment is not None:
            samples = self.augment(samples, utterance=utterance.id, epoch=draw.epoch, copy=draw.copy)
        return PhoneSample(torch.from_numpy(samples), utterance, self.targets[draw.clip])

    def collate(self, samples: Sequence[PhoneSample]) -> AudioBatch:
        """Pad samples to a batch (the ``collate_fn`` of a DataLoader over this data set)."""
        read = [sample for sample in samples if sample.fault is None]
        batch = AudioBatch.collate(
            [sample.samples for sample in read],
            [sample.utterance for sample in read],
            [sample.target for sample in read],
            self.sample_rate,
        )
        faults = tuple((one.utterance.id, one.fault) for one in samples if one.fault is not None)
        return replace(batch, unreadable=faults) if faults else batch

    def _take(self, utterance: Utterance) -> float | None:
        """Keep an utterance and return its length in seconds, or leave it out and return ``None``."""
        if utterance.audio is None:
            raise PedkitError("has no audio", utterance=utterance.id)
        target = self._policy(utterance)
        if target is None:
            self._leave_out(utterance, "unusable phones")
            return None
        seconds = self._length(utterance, utterance.audio)
        if seconds is None:
            self._leave_out(utterance, "unreadable")
            return None
        shortest, longest = self._limits
        if not shortest <= seconds <= longest:
            self._leave_out(utterance, "too short" if seconds < shortest else "too long")
            return None
        self.utterances.append(utterance)
        self.targets.append(target)
        return seconds

    def _length(self, utterance: Utterance, audio: Audio) -> float | None:
        try:
            if self.bad_audio == "skip":
                return len(load_audio(audio, self.sample_rate)) / self.sample_rate
            if audio.duration is not None and os.path.isfile(audio.path):  # noqa: PTH113 (a third of Path's time)
                return audio.duration  # the manifest says it: no need to open a hundred thousand files
            return audio_info(audio).seconds
        except PedkitError as error:
            if self.bad_audio == "stop":
                raise error.at(utterance=utterance.id) from None
            log.warning("%s", error.at(utterance=utterance.id))
            return None

    def _leave_out(self, utterance: Utterance, reason: str) -> None:
        self.left_out.setdefault(reason, []).append(utterance.id)

    def _report(self, of: str) -> None:
        for reason, names in self.left_out.items():
            shown = ", ".join(names[:5]) + (", ..." if len(names) > 5 else "")
            count, given = len(names), len(names) + len(self)
            log.warning("%s%d of %d utterances left out, %s: %s", of, count, given, reason, shown)
        if self.dropped_symbols:
            counts = ", ".join(f"{symbol} {count}" for symbol, count in self.dropped_symbols.most_common(10))
            log.info("%ssymbols left out of the targets: %s", of, counts)

    def _samples(self, index: int) -> npt.NDArray[np.float32]:
        if index in self._cache:
            return self._cache[index]
        utterance = self.utterances[index]
        assert utterance.audio is not None
        try:
            samples = load_audio(utterance.audio, self.sample_rate)
        except PedkitError as error:
            raise error.at(utterance=utterance.id) from None
        worker = get_worker_info()
        if self._cached + len(samples) <= self._cache_limit // (1 if worker is None else worker.num_workers):
            self._cache[index] = samples
            self._cached += len(samples)
        return samples
