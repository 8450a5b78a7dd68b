"""The six commands of docs/training.md run in order, from manifests to an evaluated export, with few updates."""

from __future__ import annotations

import csv
import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "training.md").read_text(encoding="utf-8")
(BLOCK,) = re.findall(r"```sh\n(python -m synthetic .*?)```", TEXT, flags=re.DOTALL)
COMMANDS = BLOCK.splitlines()
FEW = ["trainer.limit_train_batches=2", "trainer.max_epochs=1", "model.warmup_steps=1"]
PROGRAMS = {
    "python": sys.executable,
    "pedkit": str(Path(sys.executable).with_name("pedkit")),
    "train.py": str(ROOT / "train.py"),
    "evaluate.py": str(ROOT / "evaluate.py"),
}


def _run(line: str, folder: Path, *more: str) -> subprocess.CompletedProcess[str]:
    words = [word for word in shlex.split(line) if not word.startswith("trainer.max_epochs=")]
    command = [PROGRAMS.get(word, word) for word in [*words, *more]]
    from_clone = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(command, cwd=folder, env=from_clone, capture_output=True, text=True, check=False)


def test_the_path_has_the_six_commands_that_are_explained():
    assert [line.split()[0] for line in COMMANDS] == ["python", "python", "python", "python", "pedkit", "python"]
    explained = re.findall(r"^\d\. \*\*(.*?)\.\*\*", TEXT, flags=re.MULTILINE)
    assert explained == ["Manifests", "Dry run", "Sweep", "Resume", "Export", "Evaluate"]


@pytest.mark.slow
@pytest.mark.espeak
def test_manifests_become_a_swept_resumed_exported_and_evaluated_model(tmp_path):
    pytest.importorskip("espeakng_loader", reason="needs the extra 'tts'")
    (tmp_path / "data").symlink_to(ROOT / "data")
    for line in COMMANDS:
        trains = "train.py" in line and "resume=" not in line
        done = _run(line, tmp_path, *(FEW if trains else ["synthetic=short"] if "synthetic." in line else ()))
        assert done.returncode == 0, f"{line}\n{done.stdout}\n{done.stderr}"
        if "dry_run" in line:
            assert "160 clips" in done.stdout
            assert not (tmp_path / "runs" / "first" / "train").exists()
    first = tmp_path / "runs" / "first"
    with (first / "sweep" / "sweep.csv").open(encoding="utf-8", newline="") as stream:
        assert [(row["job"], row["status"]) for row in csv.DictReader(stream)] == [
            ("0", "finished"),
            ("1", "finished"),
        ]
    record = json.loads((first / "test" / "run.json").read_text())
    assert record["data"][0]["seen"] is None
    assert (first / "test" / "report.html").is_file()

    refused = _run(COMMANDS[-1].replace("test_seen", "dev"), tmp_path)
    assert refused.returncode == 1
    assert "served to choose the checkpoint of this model" in refused.stderr
