"""A training of two processes of which one is killed ends, and goes on as if it had not been."""

from __future__ import annotations

import csv
import os
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from omegaconf import OmegaConf

from pedkit.training import read_run

PROGRAM = Path(__file__).with_name("killed_process.py")


@pytest.mark.slow
@pytest.mark.parametrize("point", ["0.1.1", "1.1.3"])
def test_two_processes_resume_within_an_epoch_bit_for_bit(point, config, tmp_path):
    cfg = config(
        "trainer=ddp", "trainer.accelerator=cpu", "trainer.precision=32-true", "data.max_batch_size=2",
        "trainer.max_epochs=3", "callbacks.last.every_updates=1",
        "data.augment={_target_: pedkit.data.augment.Augment, seed: 1}",
    )  # fmt: skip
    OmegaConf.save(cfg, tmp_path / "config.yaml")

    def run(name, when):
        return subprocess.run(
            [sys.executable, str(PROGRAM), str(tmp_path / "config.yaml"), str(tmp_path / name), when],
            env={**os.environ, "OMP_NUM_THREADS": "1"}, capture_output=True, text=True, check=False, timeout=600,
        )  # fmt: skip

    assert run("never", "never").returncode == 0
    assert run("killed", point).returncode != 0
    assert read_run(tmp_path / "killed")["status"] != "finished"
    again = run("killed", "never")
    assert again.returncode == 0, again.stderr
    whole, resumed = (
        torch.load(tmp_path / name / "checkpoints" / "last.ckpt", weights_only=True)["state_dict"]
        for name in ("never", "killed")
    )
    assert all(torch.equal(value, resumed[name]) for name, value in whole.items())
    assert read_run(tmp_path / "killed")["kept"] == read_run(tmp_path / "never")["kept"]
    assert _metrics(tmp_path / "killed") == _metrics(tmp_path / "never")


def _metrics(run):
    with (run / "metrics.csv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    for row in rows:
        row.pop("train_utterances_per_second")
    return rows
