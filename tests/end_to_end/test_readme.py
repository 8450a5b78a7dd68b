"""Every command and snippet of the README runs, on a miniature TIMIT and with `debug=fast`."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.data.mini_timit import write_timit
from tests.models.language.tiny_audio_models import save_tiny

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```(\w+)\n(.*?)```", README, flags=re.DOTALL)
SHORT = ["model.max_new_tokens=8"]  # a random model never ends an answer
COMMANDS = [line for language, block in BLOCKS if language == "sh" for line in block.splitlines() if line.strip()]


@pytest.fixture(scope="module")
def clone(tmp_path_factory):
    """A folder in which the README's commands can be given."""
    folder = tmp_path_factory.mktemp("clone")
    write_timit(folder / "TIMIT")
    save_tiny("qwen2_5_omni_thinker", folder / "omni")
    (folder / "manifest.jsonl").write_text(
        json.dumps(
            {
                "id": "u1",
                "inventory": "cmu39",
                "canonical": "TH IH NG K",
                "realized": "S IH NG K",
                "groups": {"gender": "female"},
            }
        )
        + "\n"
    )
    (folder / "theirs.jsonl").write_text(json.dumps({"id": "u1", "phones": "S IH NG K"}) + "\n")
    return folder


def test_the_readme_shows_commands_and_python():
    assert {language for language, _ in BLOCKS} == {"sh", "python"}


def test_make_knows_the_verbs_that_are_shown():
    verbs = [line.split()[1] for line in COMMANDS if line.startswith("make ")]
    assert verbs == ["demo", "test"]
    for verb in verbs:
        subprocess.run(["make", "--dry-run", verb], cwd=ROOT, check=True, capture_output=True)


def test_the_other_commands_run_in_order(clone):
    programs = {
        "python": [sys.executable],
        "pedkit": [str(Path(sys.executable).with_name("pedkit"))],
        "train.py": [str(ROOT / "train.py")],
        "evaluate.py": [str(ROOT / "evaluate.py")],
    }
    for line in COMMANDS:
        if line.startswith("make "):
            continue
        words = shlex.split(line.replace("/data/TIMIT", str(clone / "TIMIT")))
        command = [part for word in words for part in programs.get(word, [word])]
        if "train.py" in line:
            command.append("debug=fast")
        if "experiment=timit_qwen2_5_omni" in line:
            command += ["trainer=cpu", "model.source.name=omni", "model.source.dtype=float32", *SHORT]
        command = [re.sub(r"^(.*run_dir=runs/\w+)/train$", r"\1/debug", word) for word in command]
        command = [word.replace("device=cuda", "device=cpu") for word in command]
        done = subprocess.run(command, cwd=clone, capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"{line}\n{done.stdout}\n{done.stderr}"
    scores = json.loads((clone / "runs/theirs/scores.json").read_text())
    assert scores["systems"]["theirs"]["per"]["value"] == 0.0
    assert scores["systems"]["theirs"]["mdd"]["counts"]["CD"] == 1
    tested = json.loads((clone / "runs/timit/test/scores.json").read_text())
    assert tested["systems"]["timit"]["per"]["denominator"] > 0


def test_the_python_snippet_prints_what_it_says(capsys):
    (snippet,) = (block for language, block in BLOCKS if language == "python")
    exec(compile(snippet, "README.md", "exec"), {})
    assert [float(line) for line in capsys.readouterr().out.split()] == [0.25, 1, 1 / 3]
