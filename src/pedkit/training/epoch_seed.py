"""`EpochSeed`: the randomness of an epoch follows from (seed, epoch), so that a resumed run repeats it."""

from __future__ import annotations

import random

import numpy as np
import torch
from pytorch_lightning import Callback, LightningModule, Trainer


class EpochSeed(Callback):
    """Seeds Python, NumPy and torch at the start of every training epoch.

    Lightning restores optimizer and counters from a checkpoint, but no random state: dropout and masking of the
    epoch after a resume would differ. Drawn anew from (seed, epoch, process), they cannot.

    Args:
        seed: Seed of the run.
    """

    def __init__(self, seed: int) -> None:
        self._seed = seed

    def on_train_epoch_start(self, trainer: Trainer, pl_module: LightningModule) -> None:
        """Seed this epoch."""
        del pl_module
        words = np.random.SeedSequence([self._seed, trainer.current_epoch, trainer.global_rank]).generate_state(3)
        random.seed(int(words[0]))
        np.random.seed(int(words[1]))
        torch.manual_seed(int(words[2]))
