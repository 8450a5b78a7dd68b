"""Audio Flamingo 3 in miniature, by the commands of the manual: train, evaluate, export, evaluate again."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from hydra import compose, initialize_config_dir

from pedkit.errors import PedkitError
from pedkit.evaluation.evaluate import evaluate
from pedkit.export import export_run
from pedkit.training import read_run
from tests.training.language.listening_models import tuned_base, write_template, write_tones

ROOT = Path(__file__).parents[2]
RUN = "recognizer.run_dir=runs/mine/train"
ZERO = ("recognizer=language", "recognizer.dtype=float32", "recognizer.name=base", "prompt=unscripted",
        "prompt.name=short.json")  # fmt: skip


@pytest.fixture(scope="module")
def clone(tmp_path_factory):
    """A folder in which a model was trained and evaluated by commands."""
    folder = tmp_path_factory.mktemp("clone")
    write_tones(folder, "train", 4, swapped=True)
    write_tones(folder, "dev", 1, swapped=True, seed=1000)
    write_tones(folder, "test", 1, swapped=True, seed=2000)
    tuned_base("audioflamingo3", folder / "base", write_template(folder))
    _command(
        folder, "train.py", "experiment=audio_language", "name=mine", "data.train=[train.jsonl]",
        "data.dev={dev: dev.jsonl}", "prompt.name=short.json", "model=audio_flamingo3", "model.source.name=base",
        "model.source.dtype=float32", "trainer=cpu", "data.max_batch_size=8", "model.learning_rate=1e-2",
        "model.max_new_tokens=24",
    )  # fmt: skip
    _command(folder, "evaluate.py", "manifest=test.jsonl", RUN, "output_dir=tested")
    return folder


def _command(folder, program, *arguments):
    done = subprocess.run(
        [sys.executable, str(ROOT / program), *arguments], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def _evaluate(*overrides):
    with initialize_config_dir(str(ROOT / "conf"), version_base="1.3"):
        cfg = compose("evaluate", list(overrides))
    return evaluate(cfg)


def _per(folder, system):
    scores = json.loads((folder / "scores.json").read_text(encoding="utf-8"))
    return scores["systems"][system]["per"]["value"]


def _answers(folder):
    lines = (folder / "predictions.jsonl").read_text(encoding="utf-8").splitlines()
    return {line["id"]: (line["raw"], line["prompt_hash"]) for line in map(json.loads, lines)}


@pytest.mark.slow
def test_it_learns_the_new_names_and_says_what_it_was_asked(clone):
    record = read_run(clone / "runs" / "mine" / "train")
    assert record["kept"]["dev_per"] <= 0.2
    assert _per(clone / "tested", "mine") <= 0.2
    assert {digest for _, digest in _answers(clone / "tested").values()} == {record["prompt_hash"]}
    assert "short v1 unscripted" in (clone / "tested" / "report.html").read_text(encoding="utf-8")


@pytest.mark.slow
def test_another_prompt_and_seen_data_are_refused_unless_asked_for(clone, monkeypatch):
    monkeypatch.chdir(clone)
    other = ("manifest=test.jsonl", RUN, "output_dir=other", "prompt=scripted", "prompt.name=short.json")
    with pytest.raises(PedkitError, match="trained with another prompt than 'short v1 scripted'"):
        _evaluate(*other)
    _evaluate(*other, "recognizer.force_prompt=true")
    page = (clone / "other" / "report.html").read_text(encoding="utf-8")
    assert "not the one it was trained with" in page
    assert "asked with another prompt than the one that it was trained with" in page  # at the top
    with pytest.raises(PedkitError, match="served to choose the checkpoint of this model"):
        _evaluate("manifest=dev.jsonl", RUN, "output_dir=seen")


@pytest.mark.slow
def test_exported_adapters_give_the_same_answers(clone, monkeypatch):
    monkeypatch.chdir(clone)
    export_run("runs/mine/train", "adapter")
    language = ("recognizer=language", "recognizer.dtype=float32", "recognizer.adapter=adapter")
    _evaluate("manifest=test.jsonl", *language, "output_dir=again")
    assert _answers(clone / "again") == _answers(clone / "tested")
    with pytest.raises(PedkitError, match="served to train this model"):
        _evaluate("manifest=train.jsonl", *language, "output_dir=seen")


@pytest.mark.slow
def test_the_untuned_model_with_and_without_examples(clone, monkeypatch):
    monkeypatch.chdir(clone)
    _evaluate("manifest=test.jsonl", *ZERO, "output_dir=zero")
    assert _per(clone / "zero", "base, zero-shot") > 0.5  # it knows the old names
    shown = "recognizer.examples={manifest: train.jsonl, limit: 2}"
    few = _evaluate("manifest=test.jsonl", *ZERO, shown, "output_dir=few")
    assert next(iter(few["test"].systems)) == "base, 2-shot"
    with pytest.raises(PedkitError, match="served as examples in the prompt of this model"):
        _evaluate("manifest=train.jsonl", *ZERO, shown, "output_dir=seen")
