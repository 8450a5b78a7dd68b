"""A training that is killed at any moment ends as if it had not been."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from omegaconf import OmegaConf

from pedkit.training import read_run

PROGRAM = Path(__file__).with_name("killed_training.py")
# 3 epochs of 5 batches; a checkpoint after each update, and two at the end of an epoch that is a new best.
POINTS = ("batch:0.0", "batch:1.2", "half:5", "half:6", "written:5", "log:1")
ACCUMULATED = ("batch:1.3", "half:2")


@pytest.fixture
def kill(config, tmp_path):
    """Train with a kill at each of the points and one without; return the folder."""

    def run(points, *overrides):
        cfg = config(
            "data.max_batch_size=4", "trainer.max_epochs=3", "callbacks.last.every_updates=1",
            "trainer.log_every_n_steps=1", "data.augment={_target_: pedkit.data.augment.Augment, seed: 1}",
            *overrides,
        )  # fmt: skip
        OmegaConf.save(cfg, tmp_path / "config.yaml")
        done = subprocess.run(
            [sys.executable, str(PROGRAM), str(tmp_path / "config.yaml"), str(tmp_path), *points],
            env={**os.environ, "OMP_NUM_THREADS": "1"}, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
        return tmp_path

    return run


def _heard(path):
    return [tuple(map(str, json.loads(line))) for line in path.read_text(encoding="utf-8").splitlines()]


def _check_equal(folder, point):
    whole, run = folder / "never", folder / point
    last = [torch.load(one / "checkpoints" / "last.ckpt", weights_only=True) for one in (whole, run)]
    for one, two in zip(_tensors(last[0]), _tensors(last[1]), strict=True):
        assert torch.equal(one, two), point  # weights and the optimizer's averages
    assert read_run(run)["kept"] == read_run(whole)["kept"], point
    files = [sorted(file.name for file in (one / "checkpoints").iterdir()) for one in (whole, run)]
    assert files[0] == files[1], point  # no half-written file, no superseded one
    assert _metrics(run) == _metrics(whole), point


def _tensors(checkpoint):
    moments = checkpoint["optimizer_states"][0]["state"].values()
    return [
        *checkpoint["state_dict"].values(),
        *(one[key] for one in moments for key in ("exp_avg", "exp_avg_sq")),
    ]


def _metrics(run):
    with (run / "metrics.csv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    for row in rows:
        row.pop("train_utterances_per_second")
    return rows


def test_weights_scores_files_and_batches_are_those_of_an_uninterrupted_run(kill):
    """Trap 9 of resuming inside an epoch, and checkpoints that a kill meets half-written."""
    folder = kill(POINTS)
    whole = _heard(folder / "never.last")
    assert len(whole) == 15
    for point in POINTS:
        _check_equal(folder, point)
        first, rest = _heard(folder / f"{point}.first"), _heard(folder / f"{point}.last")
        assert rest == whole[len(whole) - len(rest) :], point
        assert first == whole[: len(first)], point
        assert len(rest) <= len(whole) - len(first) + 1, point  # at most the batch after the last checkpoint again
    assert (
        len(_heard(folder / "half:5.last")) == 11
    )  # the fifth file is the best of epoch 1; last.ckpt has batch 4


def test_gradients_that_wait_for_an_update_are_in_no_checkpoint(kill):
    """Windows of 2, 2 and 1 batches: a checkpoint inside one would lose what it gathered."""
    folder = kill(ACCUMULATED, "trainer.accumulate_grad_batches=2")
    for point in ACCUMULATED:
        _check_equal(folder, point)
    assert _heard(folder / "batch:1.3.last")[0][:2] == ("1", "2")  # the window of batches 2 and 3 from its start
