"""Two processes on a CPU (gloo) hear what one hears, and score the same."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
import torch
from omegaconf import OmegaConf

from pedkit.building import build
from pedkit.errors import PedkitError
from pedkit.training import read_run, train

PRESETS = {
    "ddp": ("trainer=ddp", "trainer.accelerator=cpu", "trainer.precision=32-true"),
    "fsdp": ("trainer=fsdp", "trainer.accelerator=cpu", "trainer.precision=32-true"),
}


def _start(program, cfg, file, *arguments):
    """Train with a program of this folder, which Lightning starts again for the other process."""
    OmegaConf.save(cfg, file)
    done = subprocess.run(
        [sys.executable, str(Path(__file__).with_name(program)), str(file), *arguments],
        env={**os.environ, "OMP_NUM_THREADS": "1"}, capture_output=True, text=True, check=False, timeout=500,
    )  # fmt: skip
    assert (done.returncode, "Traceback" in done.stderr) == (0, False), done.stderr


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
    _start("listening.py", cfg, tmp_path / "config.yaml", str(tmp_path / "heard"))
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


@pytest.mark.parametrize("preset", ["ddp", pytest.param("fsdp", marks=pytest.mark.slow)])
def test_a_process_without_any_readable_clip_goes_along_with_the_others(preset, config, tmp_path):
    """It has no loss, but the other one compares losses with it, gathers weights and averages gradients."""
    cfg = config(*PRESETS[preset], "data.bad_audio=skip", "data.cache_seconds=0", "model.consistency=0.2")
    _start("vanishing_recordings.py", cfg, tmp_path / "config.yaml")
    with (tmp_path / "run" / "metrics.csv").open(encoding="utf-8", newline="") as stream:
        rows = [row for row in csv.DictReader(stream) if row["dev_per"]]
    assert [0 < int(row["train_unreadable"]) < 20 for row in rows] == [True, True]
    last = torch.load(tmp_path / "run" / "checkpoints" / "last.ckpt", weights_only=True)
    assert last["global_step"] == 4
    assert all(torch.isfinite(value).all() for value in last["state_dict"].values())


def test_layers_are_not_left_out_in_one_of_several_processes(config):
    """Each would leave out others, and wait for gradients of its own."""
    module = build(OmegaConf.to_container(config("model.encoder.layerdrop=0.1").model, resolve=True), "model")
    module.trainer = SimpleNamespace(world_size=1)
    module.setup("fit")
    module.trainer = SimpleNamespace(world_size=2)
    with pytest.raises(PedkitError, match=r"model\.encoder\.layerdrop is 0\.1, but each of 2 processes"):
        module.setup("fit")
