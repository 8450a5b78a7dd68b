"""``python train.py`` as a process: signals, exit codes, resume."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

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


def test_ctrl_c_ends_with_one_sentence_and_resume_continues(tones, tmp_path):
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

    resume = [sys.executable, "train.py", f"resume={tmp_path / 'run'}"]
    done = subprocess.run(resume, cwd=ROOT, env=_environment(), capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    lines = [line for line in done.stdout.splitlines() if line.startswith("epoch ")]
    assert int(lines[0].split()[1].split("/")[0]) >= 3  # Ctrl-C may have met the writing of the third
    assert lines[-1].startswith("epoch 60/60")
    assert "continuing from" in done.stdout
    assert read_run(tmp_path / "run")["status"] == "finished"


def test_too_many_processes_and_a_sweep_of_a_resume_are_one_sentence(tones, tmp_path):
    """With more processes than cores Lightning would start them all, and each would wait for the last."""
    many = _command(tones, tmp_path / "run", "trainer.devices=999")
    done = subprocess.run(many, cwd=ROOT, env=_environment(), capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith("error: trainer.devices is 999, but this machine has ")
    sweep = [sys.executable, "train.py", "-m", f"resume={tmp_path / 'run'}", f"paths.runs={tmp_path}", "seed=1,2"]
    done = subprocess.run(sweep, cwd=ROOT, env=_environment(), capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (
        1, "error: resume goes on with one run, not with a sweep (leave out -m)\n"
    )  # fmt: skip
