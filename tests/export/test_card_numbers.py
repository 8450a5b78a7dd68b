"""What the model card says of the data is what the training used, wherever the export is made."""

from __future__ import annotations

import json

from test_export_folder import write_run

from pedkit.data.manifest import file_hash, write_manifest
from pedkit.data.utterance import Utterance
from pedkit.export import export_run


def _card(tmp_path, **settings):
    run = write_run(tmp_path / "run")
    home = tmp_path / "home"
    home.mkdir()
    parts = [Utterance(id=f"{n}", corpus="mine", split="train" if n < 30 else "dev") for n in range(40)]
    write_manifest(home / "all.jsonl", parts)
    of = {"path": "all.jsonl", "sha256": file_hash(home / "all.jsonl")}
    data = [
        {"role": "train", "name": None, "split": "train", **of},
        {"role": "dev", "name": "near", "split": "dev", **of},
        {"role": "train", "name": None, "split": "dev", **of},  # of a model that the training began with
    ]
    record = json.loads((run / "run.json").read_text())
    record |= {"data": data, "working_directory": str(home), "settings": settings}
    (run / "run.json").write_text(json.dumps(record))
    return (export_run(run, tmp_path / "out") / "README.md").read_text(encoding="utf-8")


def test_utterances_are_counted_as_the_training_took_them(tmp_path):
    limited = {"manifest": "all.jsonl", "split": "train", "limit": 12}
    dev = {"manifest": "all.jsonl", "split": "dev", "limit": 100}
    card = _card(tmp_path, data={"train": [limited], "dev": {"near": dev}})
    assert "| train, split train | all.jsonl | mine 12 |" in card
    assert "| dev (near), split dev | all.jsonl | mine 10 |" in card  # there are no more
    assert "| train, split dev | all.jsonl | mine 10 |" in card


def test_the_card_names_reference_and_decoder_of_the_dev_sets(tmp_path):
    card = _card(
        tmp_path,
        model={"decoder": {"_target_": "pedkit.models.BeamDecoder"}},
        callbacks={"dev_scores": {"per_reference": "canonical"}},
    )
    assert "against what should have been said (canonical phones), beam search." in card
