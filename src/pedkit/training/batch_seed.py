"""`BatchSeed`: the randomness of a batch follows from (seed, epoch, batch), so that a resumed run repeats it."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import torch
from pytorch_lightning import Callback, LightningModule, Trainer


class BatchSeed(Callback):
    """Seeds Python, NumPy and torch before every training batch.

    Lightning restores optimizer and counters from a checkpoint, but no random state: dropout and masking after a
    resume would differ. Drawn anew from (seed, epoch, batch, process), they cannot, wherever the run was stopped,
    and no checkpoint has to hold the random states of all processes.

    Args:
        seed: Seed of the run.
    """

    def __init__(self, seed: int) -> None:
        self._seed = seed

    def on_train_batch_start(
        self, trainer: Trainer, pl_module: LightningModule, batch: Any, batch_idx: int
    ) -> None:
        """Seed this batch."""
        del batch
        place = [self._seed, trainer.current_epoch, batch_idx, trainer.global_rank]
        words = np.random.SeedSequence(place).generate_state(3)
        random.seed(int(words[0]))
        np.random.seed(int(words[1]))
        # torch.manual_seed would seed devices that nobody uses, too: 1.6 ms a batch on a machine without any.
        torch.default_generator.manual_seed(int(words[2]))
        if pl_module.device.type != "cpu":
            getattr(torch, pl_module.device.type).manual_seed(int(words[2]))
