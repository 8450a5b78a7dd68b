"""``python train.py dry_run=true``: what a training would be, before hours are spent on it."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from omegaconf import DictConfig

from pedkit.building import build
from pedkit.data.dataset import PhoneDataset
from pedkit.models.trainable import Unlearnable
from pedkit.training.accelerator import process_count
from pedkit.training.memory_estimate import MemoryEstimate, estimate_memory
from pedkit.training.planned_steps import planned_steps
from pedkit.training.ready import ready_data, ready_model, startable

_SHOWN = 5
"""So many ids are shown where a list may be long."""


@dataclass(frozen=True, slots=True)
class DataSize:
    """How much there is in a train or dev set.

    Attributes:
        name: ``train`` or the name of the dev set.
        clips: Clips that are used.
        seconds: Their audio.
        phones: Their target phones.
        left_out: Reason -> number of clips that are not used.
    """

    name: str
    clips: int
    seconds: float
    phones: int
    left_out: dict[str, int]

    @classmethod
    def of(cls, name: str, data: PhoneDataset) -> DataSize:
        """Count a data set."""
        left_out = {reason: len(ids) for reason, ids in data.left_out.items()}
        return cls(name, len(data), float(data.seconds.sum()), sum(map(len, data.targets)), left_out)

    def __str__(self) -> str:
        left_out = "".join(f"; left out, {reason}: {number}" for reason, number in self.left_out.items())
        return f"{self.clips} clips, {duration(self.seconds)} of audio, {self.phones} phones{left_out}"


@dataclass(frozen=True, slots=True)
class DryRun:
    """What a training would be.

    Attributes:
        name: Of the run.
        sets: Train and dev sets.
        epoch_seconds: Audio of an epoch, repeats included.
        unlearnable: The train clips that the model could not learn from.
        batches: Train batches of an epoch in each process.
        largest: Clips and seconds of the longest clip of the batch with the most padded seconds.
        padded_share: Share of an epoch's samples that is padding.
        updates: Optimizer updates of the whole training; of a cross-validation at most, with its folds.
        weights: Number of weights, and of those that are trained.
        memory: Estimate of one process.
        free_disk: Bytes free where the run folder will lie.
    """

    name: str
    sets: list[DataSize]
    epoch_seconds: float
    unlearnable: Unlearnable
    batches: int
    largest: tuple[int, float]
    padded_share: float
    updates: int
    weights: tuple[int, int]
    memory: MemoryEstimate
    free_disk: int

    def __str__(self) -> str:
        memory, (clips, longest) = self.memory, self.largest
        rows = [("train" if one.name == "train" else f"dev {one.name}", str(one)) for one in self.sets]
        rows += [
            (self.unlearnable.name, self._unlearnable()),
            ("epoch", f"{duration(self.epoch_seconds)} of audio in {self.batches} batches, "
                      f"{100 * self.padded_share:.1f} % padding; largest batch: {clips} clips of {longest:.2f} s"),
            ("updates", f"{self.updates}"),
            ("weights", f"{self.weights[0]:,}, trained: {self.weights[1]:,}"),
            ("memory", f"about {size(memory.total)} a process: weights {size(memory.weights)}, gradients "
                       f"{size(memory.gradients)}, optimizer {size(memory.optimizer)}, largest batch "
                       f"{size(memory.activations)}"),
            ("disk", f"about {size(2 * memory.checkpoint)} for checkpoints, {size(self.free_disk)} free"),
        ]  # fmt: skip
        width = max(len(name) for name, _ in rows)
        lines = [f"dry run of {self.name}: nothing is trained, nothing is written"]
        return "\n".join([*lines, *(f"{name:<{width}}  {text}" for name, text in rows)])

    def _unlearnable(self) -> str:
        ids = self.unlearnable.ids
        clips, number = self.sets[0].clips, len(ids)
        if not number:
            return f"none of {clips} train clips"
        names = ", ".join(ids[:_SHOWN]) + (", ..." if number > _SHOWN else "")
        return f"{number} of {clips} train clips {self.unlearnable.reason}: {names}"


def dry_run(cfg: DictConfig) -> DryRun:
    """Read the data and build the model of a configuration, and count.

    Args:
        cfg: A configuration composed from ``conf/train.yaml``.

    Raises:
        PedkitError: Whatever would stop the training before its first batch.
    """
    settings = startable(cfg)
    data = ready_data(settings)
    module = ready_model(settings, data)
    train = data.train_set
    clips = [[draw.clip for draw in batch] for batch in data.train_dataloader().batch_sampler]
    padded = [len(batch) * float(train.seconds[batch].max()) for batch in clips]
    spoken = sum(float(train.seconds[batch].sum()) for batch in clips)
    fullest = int(np.argmax(padded))
    longest = float(train.seconds[clips[fullest]].max())
    trainer = settings["trainer"]
    batches = -(-len(clips) // _processes(trainer))
    return DryRun(
        name=settings["name"],
        sets=[DataSize.of("train", train), *(DataSize.of(name, one) for name, one in data.dev_sets.items())],
        epoch_seconds=spoken,
        unlearnable=module.unlearnable(train),
        batches=batches,
        largest=(len(clips[fullest]), longest),
        padded_share=1 - spoken / sum(padded),
        updates=_updates(settings, batches),
        weights=(_number(module.parameters()), _number(p for p in module.parameters() if p.requires_grad)),
        memory=estimate_memory(
            module, module.probe(), samples=round(longest * train.sample_rate),
            clips=module.clips_at_once(len(clips[fullest])), precision=str(trainer.get("precision")),
        ),
        free_disk=shutil.disk_usage(_existing(Path(settings["output_dir"]))).free,
    )  # fmt: skip


def _updates(settings: Mapping[str, Any], batches: int) -> int:
    if settings.get("steps"):
        return int(build(settings["steps"], "steps").updates)
    trainer = settings["trainer"]
    return planned_steps(
        batches, max_epochs=trainer["max_epochs"], max_steps=trainer["max_steps"],
        accumulate=trainer["accumulate_grad_batches"], limit=trainer["limit_train_batches"],
    )  # fmt: skip


def _processes(trainer: Mapping[str, Any]) -> int:
    return process_count(trainer.get("accelerator"), trainer.get("devices")) * int(trainer.get("num_nodes") or 1)


def _number(weights: Any) -> int:
    return sum(weight.numel() for weight in weights)


def _existing(folder: Path) -> Path:
    return next(one for one in (folder.absolute(), *folder.absolute().parents) if one.exists())


def duration(seconds: float) -> str:
    """Return a length of time as people read it.

    >>> duration(7.26), duration(95), duration(11160)
    ('7.3 s', '1.6 min', '3.1 h')
    """
    if seconds < 60:
        return f"{seconds:.1f} s"
    return f"{seconds / 60:.1f} min" if seconds < 3600 else f"{seconds / 3600:.1f} h"


def size(number: int) -> str:
    """Return a number of bytes as people read it.

    >>> size(1500), size(2_500_000), size(17_900_000_000)
    ('0.0 MB', '2.5 MB', '17.9 GB')
    """
    return f"{number / 1e9:.1f} GB" if number >= 1e9 else f"{number / 1e6:.1f} MB"
