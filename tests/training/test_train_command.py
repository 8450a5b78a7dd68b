"""``python train.py`` as a process: signals, exit codes, several processes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from pedkit.training import read_run

ROOT = Path(__file__).parents[2]
SIZES = {
    "hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 32,
    "num_conv_pos_embeddings": 16, "num_conv_pos_embedding_groups": 2,
}  # fmt: skip


def _command(tones: Path, run: Path, *overrides: str) -> list[str]:
    return [
        sys.executable, "train.py", "experiment=manifests", "name=tones", f"data.train=[{tones / 'train.jsonl'}]",
        f"data.dev={{near: {tones / 'dev.jsonl'}, far: {tones / 'other.jsonl'}}}", "data.augment=null",
        "model.warmup_steps=1", f"output_dir={run}", *[f"model.encoder.{k}={v}" for k, v in SIZES.items()],
        *overrides,
    ]  # fmt: skip


def _environment() -> dict[str, str]:
    return {**os.environ, "OMP_NUM_THREADS": "1"}


def test_ctrl_c_ends_with_one_sentence_and_the_same_command_continues(tones, tmp_path):
    command = _command(tones, tmp_path / "run", "trainer.max_epochs=60")
    process = subprocess.Popen(
        command, cwd=ROOT, env=_environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    for line in process.stdout:
        if line.startswith("epoch 3/60"):
            process.send_signal(signal.SIGINT)
            break
    _, errors = process.communicate(timeout=120)
    assert process.returncode == 130
    assert errors.strip() == (
        "error: stopped by Ctrl-C; files already made stay, and the same command continues from them"
    )
    record = read_run(tmp_path / "run")
    assert (record["status"], record["reason"]) == ("failed", "stopped by Ctrl-C")

    done = subprocess.run(command, cwd=ROOT, env=_environment(), capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    lines = [line for line in done.stdout.splitlines() if line.startswith("epoch ")]
    assert int(lines[0].split()[1].split("/")[0]) >= 3  # Ctrl-C may have met the writing of the third
    assert lines[-1].startswith("epoch 60/60")
    assert "continuing from" in done.stdout
    assert read_run(tmp_path / "run")["status"] == "finished"


@pytest.mark.slow
def test_two_processes_give_the_dev_per_of_one(tones, tmp_path):
    # pytorch-lightning #2398: with a learning rate of 0 both score the same weights; 9 dev words on 2 processes.
    still = ("trainer.max_epochs=1", "model.learning_rate=0.0", "model.encoder.hidden_dropout=0.0")
    two = ("trainer.devices=2", "+trainer.strategy=ddp", "data.dev_max_batch_size=1")
    kept = []
    for name, overrides in (("one", still), ("two", (*still, *two))):
        command = _command(tones, tmp_path / name, *overrides)
        done = subprocess.run(command, cwd=ROOT, env=_environment(), capture_output=True, text=True, check=False)
        assert (done.returncode, "Traceback" in done.stderr, "error:" in done.stderr) == (0, False, False), (
            done.stderr
        )
        kept.append(read_run(tmp_path / name)["kept"])
    assert kept[0] == kept[1]
    assert kept[0]["reference_phones"] == 20


@pytest.mark.slow
def test_a_killed_run_continues_to_the_same_end(tones, tmp_path):
    end = []
    for name in ("whole", "killed"):
        command = _command(tones, tmp_path / name, "trainer.max_epochs=8")
        if name == "killed":
            process = subprocess.Popen(command, cwd=ROOT, env=_environment(), stdout=subprocess.PIPE, text=True)
            for line in process.stdout:
                if line.startswith("epoch 4/8"):
                    time.sleep(0.05)
                    process.kill()
                    break
            process.communicate(timeout=120)
        subprocess.run(command, cwd=ROOT, env=_environment(), capture_output=True, text=True, check=True)
        table = (tmp_path / name / "metrics.csv").read_text(encoding="utf-8")
        end.append((read_run(tmp_path / name)["kept"], table))
    assert end[0] == end[1]
