"""`PhoneDataModule`: manifests to batches for Lightning, on one machine or many, from the start or resumed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from pytorch_lightning import LightningDataModule
from torch.utils.data import DataLoader

from pedkit.data.augment import Augment
from pedkit.data.dataset import PhoneDataset, PhoneSample
from pedkit.data.loader import ResumableLoader
from pedkit.data.located import located
from pedkit.data.manifest import file_hash
from pedkit.data.manifest_part import ManifestPart
from pedkit.data.recording_parts import RecordingParts
from pedkit.data.sampler import BucketBatchSampler, EvalBatchSampler
from pedkit.data.utterance import Utterance
from pedkit.errors import PedkitError
from pedkit.garbage import without_garbage_collection

Part = str | Path | Mapping[str, Any] | ManifestPart


class PhoneDataModule(LightningDataModule):
    """Train and dev batches (`AudioBatch`) from manifests; train manifests are mixed, dev manifests stay apart.

    Use it with ``Trainer(use_distributed_sampler=False)``: its samplers share the batches out themselves.

    Args:
        train: Manifests to learn from; each a path or a mapping of the arguments of `ManifestPart`.
        dev: Name -> manifest, in the same forms (``repeat`` has no meaning there).
        inventory: The model's inventory; targets are projected onto it.
        target: ``realized`` or ``canonical``: what the model learns to hear (see `TargetPolicy`). Dev sets have
            the same.
        unusable: ``drop_symbol`` or ``drop_utterance`` for ``<unk>`` and ``err`` in train; dev sets always keep
            the utterance and drop the symbol, as scoring does.
        sample_rate: Hz of the batches.
        batch_seconds: Most padded seconds in a train batch (clips times the longest).
        max_batch_size: Most clips in a train batch.
        sorted_epochs: So many epochs at the beginning go from the shortest train batch to the longest.
        dev_batch_seconds: The same for dev; ``batch_seconds`` where ``None``.
        dev_max_batch_size: The same for dev; 1 for models whose output depends on padding.
        min_seconds: Shorter train clips are left out, counted and named; dev clips never are.
        max_seconds: Longer train clips are left out, counted and named; ``None`` = no limit.
        bad_audio: ``stop`` or ``skip`` for train files that cannot be read; for dev they always stop.
        cache_seconds: Decoded audio kept in memory by each data set, in seconds of speech.
        augment: Change of each train clip at each reading.
        num_workers: Loader processes; 0 reads in the main process.
        overfit_clips: For looking into a fault: only the first so many train clips are learnt, and each dev set is
            replaced by them.
        seed: Seed of the order of train batches.

    Attributes:
        dev_names: Names of the dev sets, in the order of the loaders.
        data_hashes: Manifest path as given -> sha256 of the file.
        train_set: The train data, after ``setup``.
        dev_sets: The dev data by name, after ``setup``.

    Raises:
        PedkitError: An argument is of another form or out of range.
    """

    def __init__(
        self,
        train: Sequence[Part],
        dev: Mapping[str, Part],
        *,
        inventory: str = "cmu39",
        target: str = "realized",
        unusable: str = "drop_symbol",
        sample_rate: int = 16000,
        batch_seconds: float = 60.0,
        max_batch_size: int | None = None,
        sorted_epochs: int = 0,
        dev_batch_seconds: float | None = None,
        dev_max_batch_size: int | None = None,
        min_seconds: float = 0.1,
        max_seconds: float | None = 30.0,
        bad_audio: str = "stop",
        cache_seconds: float = 3600.0,
        augment: Augment | None = None,
        num_workers: int = 0,
        overfit_clips: int | None = None,
        seed: int = 0,
    ) -> None:
        super().__init__()
        if isinstance(train, str | Path | Mapping):
            raise PedkitError(f"expected 'train' to be a list of manifests, but got {train!r}")
        if not train:
            raise PedkitError("expected at least one train manifest, but the list is empty")
        if num_workers < 0:
            raise PedkitError(f"expected 'num_workers' to be 0 or more, but got {num_workers}")
        self._train = [ManifestPart.of(part) for part in train]
        self._dev = {name: ManifestPart.of(part) for name, part in dev.items()}
        self._data: dict[str, Any] = {
            "inventory": inventory, "target": target, "sample_rate": sample_rate, "cache_seconds": cache_seconds,
        }  # fmt: skip
        self._train_data: dict[str, Any] = {
            "unusable": unusable, "min_seconds": min_seconds, "max_seconds": max_seconds,
            "bad_audio": bad_audio, "augment": augment,
        }  # fmt: skip
        self._train_batches: dict[str, Any] = {
            "batch_seconds": batch_seconds, "max_batch_size": max_batch_size, "sorted_epochs": sorted_epochs,
            "seed": seed,
        }  # fmt: skip
        self._dev_batches: dict[str, Any] = {
            "batch_seconds": batch_seconds if dev_batch_seconds is None else dev_batch_seconds,
            "max_batch_size": dev_max_batch_size,
        }
        if overfit_clips is not None and overfit_clips < 1:
            raise PedkitError(f"expected 'overfit_clips' to be 1 or more, but got {overfit_clips}")
        self._num_workers, self._overfit_clips = num_workers, overfit_clips
        self._repeats: npt.NDArray[np.float64] = np.zeros(0)
        # Lightning: a process may have no dev batch at all where there are fewer batches than processes.
        self.allow_zero_length_dataloader_with_multiple_devices = True
        self.dev_names = tuple(self._dev)
        self.data_hashes: dict[str, str] = {}
        self.train_set: PhoneDataset
        self.dev_sets: dict[str, PhoneDataset]

    def setup(self, stage: str | None = None) -> None:  # noqa: ARG002 (Lightning's signature)
        """Read the manifests; only the first call does anything.

        Raises:
            PedkitError: A manifest or a recording cannot be used, train and dev share a recording, or no train
                clip with a phone is left.
        """
        if self.data_hashes:
            return
        with without_garbage_collection():
            self._read()

    def _read(self) -> None:
        parts = [(part, part.read()) for part in self._train]
        dev = {name: part.read() for name, part in self._dev.items()}
        if self._overfit_clips is None:
            _check_disjoint([utterance for _, read in parts for utterance in read], dev)
        else:
            parts = [(part, read[: self._overfit_clips]) for part, read in parts[:1]]
            dev = dict.fromkeys(dev, parts[0][1])
        train = (utterance for _, read in parts for utterance in read)
        self.train_set = PhoneDataset(train, name="train", **self._data, **self._train_data)
        _check_teaches(self.train_set)
        repeats = np.repeat([part.repeat for part, _ in parts], [len(read) for _, read in parts])
        self._repeats = repeats[self.train_set.kept]
        self.dev_sets = {
            name: PhoneDataset(read, name=f"dev '{name}'", **self._data) for name, read in dev.items()
        }
        self.data_hashes = {p.manifest: file_hash(p.manifest) for p in (*self._train, *self._dev.values())}

    def located(self, error: PedkitError) -> PedkitError:
        """Return an error of an utterance with the manifest and line that hold it."""
        return located(error, [part.manifest for part in (*self._dev.values(), *self._train)])

    def train_dataloader(self) -> ResumableLoader:
        """Return this process's share of the train batches."""
        return ResumableLoader(self.train_set, self._train_sampler(), num_workers=self._num_workers)

    def val_dataloader(self) -> list[DataLoader[PhoneSample]]:
        """Return a loader a dev set, in the order of ``dev_names``; each clip comes once over all processes.

        Raises:
            PedkitError: A process would get no clip of any set; Lightning lets it leave out the evaluation, in
                which the others wait for it.
        """
        rank, world_size = self._place()
        most = max((len(data) for data in self.dev_sets.values()), default=world_size)
        if most < world_size:
            raise PedkitError(
                f"expected a dev set with at least one clip for each of {world_size} processes, but the largest "
                f"has {most}"
            )
        return [
            DataLoader(
                data,
                batch_sampler=EvalBatchSampler(
                    data.seconds, rank=rank, world_size=world_size, **self._dev_batches
                ),
                collate_fn=data.collate,
                num_workers=self._num_workers,
                persistent_workers=self._num_workers > 0,
            )
            for data in self.dev_sets.values()
        ]

    def total_train_batches(self, epochs: int) -> int:
        """Return how many train batches this process sees in so many epochs (for learning-rate schedules)."""
        return self._train_sampler().total_batches(epochs)

    def _train_sampler(self) -> BucketBatchSampler:
        rank, world_size = self._place()
        return BucketBatchSampler(
            self.train_set.seconds, repeats=self._repeats, rank=rank, world_size=world_size, **self._train_batches
        )

    def _place(self) -> tuple[int, int]:
        return (0, 1) if self.trainer is None else (self.trainer.global_rank, self.trainer.world_size)


def _check_disjoint(train: Sequence[Utterance], dev: Mapping[str, Sequence[Utterance]]) -> None:
    files = {u.audio.path for utterances in dev.values() for u in utterances if u.audio is not None}
    for name, utterances in dev.items():
        parts = RecordingParts()
        for utterance in utterances:
            parts.add(utterance, "dev")
        for utterance in train:
            if utterance.audio is not None and utterance.audio.path in files:
                parts.add(utterance, "train")
        for path, one, other in parts.shared():
            learnt, held_out = (one, other) if one.side == "train" else (other, one)
            raise PedkitError(
                f"the dev set {name!r} holds a recording of the train set: both hear the same part of {path}, "
                f"in train as {learnt.utterance!r}",
                utterance=held_out.utterance,
                hint="choose by 'split', so that each recording is in one of them",
            )


def _check_teaches(train: PhoneDataset) -> None:
    if not len(train):
        reasons = ", ".join(f"{len(names)} {reason}" for reason, names in train.left_out.items())
        raise PedkitError(
            f"no train clip is left: {reasons}",
            hint="data.min_seconds, data.max_seconds, data.bad_audio and data.unusable say what is left out",
        )
    if not any(train.targets):
        raise PedkitError(f"there is nothing to learn: none of the {len(train)} train clips has a phone")
