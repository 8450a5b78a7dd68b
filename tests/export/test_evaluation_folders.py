"""`pedkit export --evaluation` takes every folder that `evaluate.py` writes, and tells seen data from new."""

from __future__ import annotations

import json

import pytest

from pedkit.errors import PedkitError
from pedkit.export.set_rates import rates_by_set

TABLE = """system,id,speaker,reference_phones,substitutions,deletions,insertions
tiny,a,x,6,1,0,0
tiny,b,y,4,0,1,1
"""


def _write(folder, name="", **stamps):
    (folder / name).mkdir(parents=True, exist_ok=True)
    (folder / name / "utterances.csv").write_text(TABLE, encoding="utf-8")
    data = [{"name": key, "seen": sentence} for key, sentence in stamps.items()]
    (folder / "run.json").write_text(json.dumps({"data": data}), encoding="utf-8")
    return folder


def test_the_folder_of_one_test_set_is_named_like_the_folder(tmp_path, monkeypatch):
    """`evaluate.py manifest=... output_dir=runs/first/test` of docs/training.md has no folder a set."""
    folder = _write(tmp_path / "test", manifest=None)
    monkeypatch.chdir(folder)
    for evaluation in (folder, "."):
        [rate] = rates_by_set(evaluation, "tiny", "r")
        assert (rate.name, rate.errors, rate.phones, rate.clusters) == ("test", 3, 10, 2)


def test_data_that_trained_or_chose_the_model_are_called_seen(tmp_path):
    seen = "Seen data: this set served to choose the checkpoint of this model."
    [alone] = rates_by_set(_write(tmp_path / "dev", manifest=seen), "tiny", "r")
    assert alone.name == "dev (seen data)"
    several = _write(_write(tmp_path / "all", "near"), "far", near=seen, far=None)
    assert [rate.name for rate in rates_by_set(several, "tiny", "r")] == ["far", "near (seen data)"]


def test_a_folder_without_an_evaluation_is_named(tmp_path):
    with pytest.raises(PedkitError, match=r"holds no evaluation \(no utterances.csv"):
        rates_by_set(tmp_path, "tiny", "r")
