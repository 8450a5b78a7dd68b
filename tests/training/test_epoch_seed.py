from __future__ import annotations

import random
from types import SimpleNamespace

import numpy as np
import torch

from pedkit.training.epoch_seed import EpochSeed


def _draws(seed, epoch, rank=0):
    EpochSeed(seed).on_train_epoch_start(SimpleNamespace(current_epoch=epoch, global_rank=rank), None)
    return random.random(), np.random.rand(), torch.rand(1).item()


def test_an_epoch_draws_the_same_whatever_came_before():
    first = _draws(1, 5)
    torch.rand(100)
    assert _draws(1, 5) == first


def test_epochs_seeds_and_processes_differ():
    draws = [_draws(1, 5), _draws(1, 6), _draws(2, 5), _draws(1, 5, rank=1)]
    for column in zip(*draws, strict=True):
        assert len(set(column)) == 4
