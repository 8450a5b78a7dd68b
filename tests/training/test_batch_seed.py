from __future__ import annotations

import random
from types import SimpleNamespace

import numpy as np
import torch

from pedkit.training.batch_seed import BatchSeed


def _draws(seed, epoch, batch=0, rank=0):
    trainer = SimpleNamespace(current_epoch=epoch, global_rank=rank)
    module = SimpleNamespace(device=torch.device("cpu"))
    BatchSeed(seed).on_train_batch_start(trainer, module, None, batch)
    return random.random(), np.random.rand(), torch.rand(1).item()


def test_a_batch_draws_the_same_whatever_came_before():
    first = _draws(1, 5, 2)
    torch.rand(100)
    assert _draws(1, 5, 2) == first


def test_epochs_batches_seeds_and_processes_differ():
    draws = [_draws(1, 5), _draws(1, 6), _draws(2, 5), _draws(1, 5, rank=1), _draws(1, 5, batch=1)]
    for column in zip(*draws, strict=True):
        assert len(set(column)) == 5
