"""A report says whose recipe a run followed, and what its command changed of it."""

from __future__ import annotations

import json

import pytest

from pedkit.evaluation.seen import recipe_of

RECIPE = "PEDBench, Qwen2.5-Omni trained on TIMIT"


@pytest.mark.parametrize(
    ("overrides", "said"),
    [
        ("prompt=scripted name=mine output_dir=there logger=wandb", RECIPE),
        ("model.source.lora.r=8 name=small", f"{RECIPE}; started with model.source.lora.r=8"),
        (
            "'data.dev={dev: d.jsonl}' +trainer.max_epochs=2 debug=fast",
            f"{RECIPE}; started with data.dev={{dev: d.jsonl}} +trainer.max_epochs=2 debug=fast",
        ),
    ],
)
def test_what_the_command_changed_stands_behind_the_recipe(tmp_path, overrides, said):
    command = f"python train.py experiment=timit_qwen2_5_omni {overrides}"
    run = {"settings": {"recipe": RECIPE}, "command": command}
    (tmp_path / "run.json").write_text(json.dumps(run), encoding="utf-8")
    assert recipe_of(tmp_path) == {"recipe": said}


def test_a_run_without_a_recipe_claims_none(tmp_path):
    run = {"settings": {"recipe": None}, "command": "python train.py model=ctc"}
    (tmp_path / "run.json").write_text(json.dumps(run), encoding="utf-8")
    assert recipe_of(tmp_path) == recipe_of(None) == {}
