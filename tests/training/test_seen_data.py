"""What trained or chose a model is no test set for it, whatever its name is and wherever the model went."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from hydra import compose, initialize_config_dir

from pedkit.errors import PedkitError
from pedkit.evaluation.evaluate import evaluate
from pedkit.export import export_run
from pedkit.training import read_run, train

ROOT = Path(__file__).parents[2]
SIZES = "{hidden_size: 16, num_hidden_layers: 1, num_attention_heads: 2, intermediate_size: 32}"


def _evaluate(out, *overrides):
    with initialize_config_dir(str(ROOT / "conf"), version_base="1.3"):
        return evaluate(compose("evaluate", [f"output_dir={out}", "report=true", "references=[]", *overrides]))


@pytest.fixture(scope="module")
def trained(tones, tmp_path_factory):
    """A finished run and its export: train.jsonl trained the model, dev.jsonl chose it."""
    folder = tmp_path_factory.mktemp("seen")
    with initialize_config_dir(str(ROOT / "conf"), version_base="1.3"):
        cfg = compose(
            "train",
            [
                "experiment=manifests", "name=tones", "recipe='ours, on tones'", f"output_dir={folder / 'run'}",
                f"data.train=[{tones / 'train.jsonl'}]", f"data.dev={{near: {tones / 'dev.jsonl'}}}",
                f"model.encoder={SIZES}", "model.warmup_steps=1", "trainer.max_epochs=1",
            ],
        )  # fmt: skip
    train(cfg)
    export_run(folder / "run", folder / "model")
    return folder


@pytest.fixture(params=["run", "model"])
def recognizer(request, trained):
    """The same model as a run folder and as what ``pedkit export`` made of it."""
    if request.param == "run":
        return ["recognizer=run", f"recognizer.run_dir={trained / 'run'}"]
    return ["recognizer=pretrained", f"recognizer.name={trained / 'model'}", "recognizer.inventory=cmu39"]


@pytest.mark.parametrize(("name", "job"), [("train", "to train"), ("dev", "to choose the checkpoint of")])
def test_a_copy_under_another_name_is_refused(recognizer, name, job, tones, tmp_path):
    copy = shutil.copy(tones / f"{name}.jsonl", tones / f"unheard_{name}.jsonl")
    with pytest.raises(PedkitError, match=f"the test set 'unheard_{name}' served {job} this model"):
        _evaluate(tmp_path / "out", f"manifest={copy}", *recognizer)
    assert not (tmp_path / "out").exists()


def test_a_seen_recording_in_another_manifest_is_refused(recognizer, tones, tmp_path):
    """A list of other lines, even in another folder and with other ids, of which one recording was learnt from."""
    other = [json.loads(line) for line in (tones / "other.jsonl").read_text(encoding="utf-8").splitlines()]
    seen = json.loads((tones / "train.jsonl").read_text(encoding="utf-8").splitlines()[3])
    lines = [*other, {**seen, "id": "renamed"}]
    for line in lines:
        line["audio"]["path"] = str(tones / "." / line["audio"]["path"])
    path = tmp_path / "mixed.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    with pytest.raises(
        PedkitError, match="1 of the 5 recordings of the test set 'mixed' served to train this model"
    ):
        _evaluate(tmp_path / "out", f"manifest={path}", *recognizer)


def test_other_data_is_heard_and_seen_data_is_stamped(recognizer, tones, tmp_path):
    _evaluate(tmp_path / "new", f"manifest={tones / 'other.jsonl'}", *recognizer)
    assert json.loads((tmp_path / "new" / "run.json").read_text())["data"][0]["seen"] is None
    _evaluate(tmp_path / "old", f"manifest={tones / 'train.jsonl'}", "allow_seen=true", *recognizer)
    stamp = "Seen data: this set served to train this model."
    assert json.loads((tmp_path / "old" / "run.json").read_text())["data"][0]["seen"].startswith(stamp)
    assert stamp in (tmp_path / "old" / "report.html").read_text(encoding="utf-8")
    new = (tmp_path / "new" / "report.html").read_text(encoding="utf-8")
    assert stamp not in new
    assert ("ours, on tones" in new) == (recognizer[0] == "recognizer=run")  # whose recipe it is


def test_a_training_that_begins_with_a_model_has_seen_its_data(trained, config, tones, tmp_path):
    data = [f"data.train=[{tones / 'other.jsonl'}]", "~data.dev.far", "trainer.max_epochs=1"]
    begun = ["model=pretrained", f"model.encoder.name={trained / 'model'}", "model.freeze_feature_encoder=false"]
    train(config(*data, *begun, tiny=False))
    entries = read_run(tmp_path / "run")["data"]
    assert [(one["role"], one["name"]) for one in entries] == [
        ("train", None), ("dev", "near"), ("train", "before"), ("dev", "before"),
    ]  # fmt: skip
    run = ["recognizer=run", f"recognizer.run_dir={tmp_path / 'run'}"]
    with pytest.raises(PedkitError, match="the test set 'train' served to train this model"):
        _evaluate(tmp_path / "out", f"manifest={tones / 'train.jsonl'}", *run)
