"""`TrainStatistics`: what the train batches of an epoch were like, logged at its end."""

from __future__ import annotations

import logging
import time
from collections.abc import Mapping
from typing import Any

import torch
from pytorch_lightning import Callback, LightningModule, Trainer

from pedkit.data.batch import AudioBatch
from pedkit.models.epoch_means import EpochMeans

log = logging.getLogger(__name__)


class TrainStatistics(Callback):
    """Logs the means that the module collects, the padded share of the samples and the speed.

    ``train_padded_share`` is the share of the samples of all batches that are padding, ``train_unreadable`` the
    number of utterances whose recordings could not be read, ``train_utterances_per_second`` the utterances of all
    processes over the time of the train batches; of a resumed epoch, those since the resume.

    Give it before callbacks that read these values: Lightning calls them in order.

    Args:
        means: Where the module sums what it sees.
    """

    def __init__(self, means: EpochMeans) -> None:
        self._means = means
        self._unreadable: set[str] = set()

    def on_train_start(self, trainer: Trainer, pl_module: LightningModule) -> None:
        """Start the clock, of an epoch that is resumed as well."""
        del trainer, pl_module
        self._clips, self._started, self._ended = 0, time.perf_counter(), 0.0

    def on_train_epoch_start(self, trainer: Trainer, pl_module: LightningModule) -> None:
        """Start from zero; Lightning leaves this out for an epoch that is resumed."""
        self._means.reset()
        self.on_train_start(trainer, pl_module)

    def on_train_batch_end(
        self, trainer: Trainer, pl_module: LightningModule, outputs: Any, batch: AudioBatch, batch_idx: int
    ) -> None:
        """Add a batch."""
        del trainer, pl_module, outputs, batch_idx
        samples = batch.waveforms.numel()
        if samples:
            self._means.add("train_padded_share", 1 - int(batch.lengths.sum()) / samples, samples)
        self._means.count("train_unreadable", [name for name, _ in batch.unreadable])
        for name, fault in batch.unreadable:
            if name not in self._unreadable:
                self._unreadable.add(name)
                log.warning("left out of its batch: %s", fault)
        self._clips += len(batch)
        self._ended = time.perf_counter()

    def on_train_epoch_end(self, trainer: Trainer, pl_module: LightningModule) -> None:
        """Log them, before the checkpoint of this epoch is written: a resumed run does not see it again."""
        speed = torch.tensor(self._clips / max(self._ended - self._started, 1e-9), device=pl_module.device)
        values = self._means.compute()
        values["train_utterances_per_second"] = float(trainer.strategy.reduce(speed, reduce_op="sum"))
        for name, value in values.items():
            pl_module.log(name, value, prog_bar=name == "train_loss", logger=False)
        for logger in trainer.loggers:
            logger.log_metrics({**values, "epoch": trainer.current_epoch}, step=trainer.global_step - 1)

    def state_dict(self) -> dict[str, Any]:
        """Return the sums of the epoch so far."""
        return self._means.state_dict()

    def load_state_dict(self, state_dict: Mapping[str, Any]) -> None:
        """Take over the sums of an interrupted epoch."""
        self._means.load_state_dict(state_dict)
