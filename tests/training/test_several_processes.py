"""Two processes on a CPU (gloo) hear what one hears, and score the same."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from omegaconf import OmegaConf

from pedkit.training import read_run, train

PROGRAM = Path(__file__).with_name("listening.py")
PRESETS = {
    "ddp": ("trainer=ddp", "trainer.accelerator=cpu", "trainer.precision=32-true"),
    "fsdp": ("trainer=fsdp", "trainer.accelerator=cpu", "trainer.precision=32-true"),
}


def _heard(path):
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return [[ids for kind, ids in lines if kind == wanted] for wanted in ("train", "dev")]


@pytest.mark.parametrize("preset", ["ddp", pytest.param("fsdp", marks=pytest.mark.slow)])
def test_two_processes_hear_and_score_what_one_does(preset, config, tmp_path):
    """Traps 6, 7 and 8: dev clips scored twice, every process on all train clips, an order that stays.

    With a learning rate of 0 both score the same weights. A dev set of 4 clips is one batch for one process and is
    halved for two: one without any would leave the evaluation out, and the other would wait for it.
    """
    still = ("model.learning_rate=0.0", "model.encoder.hidden_dropout=0.0")
    train(config(*still, output_dir=tmp_path / "one"))
    cfg = config(*still, *PRESETS[preset], output_dir=tmp_path / "two")
    OmegaConf.save(cfg, tmp_path / "config.yaml")
    done = subprocess.run(
        [sys.executable, str(PROGRAM), str(tmp_path / "config.yaml"), str(tmp_path / "heard")],
        env={**os.environ, "OMP_NUM_THREADS": "1"}, capture_output=True, text=True, check=False, timeout=500,
    )  # fmt: skip
    assert (done.returncode, "Traceback" in done.stderr) == (0, False), done.stderr
    one, two = read_run(tmp_path / "one"), read_run(tmp_path / "two")
    assert two["kept"] == one["kept"]
    assert one["kept"]["reference_phones"] == 20

    shares = [_heard(tmp_path / f"heard.{rank}") for rank in (0, 1)]
    batches = [share[0] for share in shares]
    assert len(batches[0]) == len(batches[1]) == 4  # two epochs
    for epoch in (slice(2), slice(2, 4)):
        heard = sorted(u for share in batches for batch in share[epoch] for u in batch)
        assert heard == sorted(f"train{i}" for i in range(20))
    assert batches[0][:2] != batches[0][2:]
    dev = sorted(u for share in shares for batch in share[1] for u in batch)
    assert dev == sorted([*(f"dev{i}" for i in range(4)), *(f"other{i}" for i in range(4))] * 2)

    paths = [tmp_path / name / one["kept"]["checkpoint"] for name in ("one", "two")]
    weights = [torch.load(path, weights_only=True)["state_dict"] for path in paths]
    assert weights[0].keys() == weights[1].keys()
    for name, value in weights[0].items():
        assert torch.equal(value, weights[1][name]), name
