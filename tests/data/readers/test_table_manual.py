"""The worked example of docs/corpora/table.md, done as it says there."""

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import soundfile

from pedkit.data.manifest import read_manifest
from pedkit.data.prepare import prepare
from tests.data.readers.clips import noise

MANUAL = Path(__file__).parents[3] / "docs" / "corpora" / "table.md"
BLOCKS = re.findall(r"```(\w+)\n(.*?)```", MANUAL.read_text(encoding="utf-8"), flags=re.DOTALL)


def block(kind, number=0):
    return [text for name, text in BLOCKS if name == kind][number]


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "mycorpus" / "wav").mkdir(parents=True)
    (tmp_path / "mycorpus" / "metadata.csv").write_text(block("csv"), encoding="utf-8")
    (tmp_path / "mycorpus.json").write_text(block("json"), encoding="utf-8")
    for name in ("001", "002", "003", "004"):
        soundfile.write(tmp_path / "mycorpus" / "wav" / f"{name}.wav", noise(name, 0.5), 16000)
    return tmp_path


def test_the_commands_do_what_the_manual_prints(folder):
    pedkit = str(Path(sys.executable).with_name("pedkit"))
    for command in block("sh").splitlines():
        done = subprocess.run(
            [pedkit, *shlex.split(command)[1:]], cwd=folder, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
        if " prepare " in command:
            assert block("text").strip() in done.stdout
    with (folder / "mycorpus" / "manifest.jsonl").open(encoding="utf-8") as lines:
        assert json.loads(next(lines)) == json.loads(block("json", 1))


def test_what_is_missing_is_missing(folder):
    prepare("table", folder / "mycorpus", folder / "m.jsonl", preset=str(folder / "mycorpus.json"))
    utterances = {utterance.id: utterance for utterance in read_manifest(folder / "m.jsonl")}
    assert utterances["002"].realized == ("TH", "IH", "N")
    assert utterances["003"].groups == {"gender": "male", "l1": "dutch"}
    assert utterances["003"].groups_raw == {"sex": "m", "years": "NA", "mother_tongue": "Dutch"}
    assert (utterances["003"].split, utterances["003"].realized) == ("dev", ("S", "IH", "T"))
    assert utterances["004"].realized is None
    assert utterances["004"].groups == {"gender": "female", "age": 31, "age_group": "adult"}
    assert utterances["004"].extra == {}
