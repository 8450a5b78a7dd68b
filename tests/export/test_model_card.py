from __future__ import annotations

import csv
import json

import pytest
import torch
import yaml
from safetensors.torch import load_file
from test_export_folder import write_run

from pedkit.data.manifest import file_hash, write_manifest
from pedkit.data.utterance import Utterance
from pedkit.errors import PedkitError
from pedkit.export import export_run
from pedkit.export.set_rates import rates_by_set
from pedkit.recognizers.run import load_run

COLUMNS = ("system", "id", "speaker", "reference_phones", "substitutions", "deletions", "insertions")


def write_evaluation(folder, rows, revision=None):
    (folder / "far").mkdir(parents=True)
    with (folder / "far" / "utterances.csv").open("w", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(COLUMNS)
        writer.writerows(rows)
    (folder / "far" / "predictions.jsonl").write_text(json.dumps({"id": "a", "revision": revision}) + "\n")
    return folder


def test_the_rate_is_of_sums_and_the_interval_is_over_speakers(tmp_path):
    # speaker x: 1 error in 10 phones, speaker y: 9 in 10; a bootstrap of two speakers has the ends 0.1 and 0.9
    rows = [("tiny", "a", "x", 4, 1, 0, 0), ("tiny", "b", "x", 6, 0, 0, 0), ("tiny", "c", "y", 10, 4, 3, 2)]
    [rate] = rates_by_set(write_evaluation(tmp_path, rows), "tiny", "r")
    assert (rate.name, rate.errors, rate.phones, rate.per) == ("far", 10, 20, 0.5)
    assert (rate.low, rate.high, rate.clusters, rate.unit) == (0.1, 0.9, 2, "speakers")


def test_without_speakers_utterances_are_drawn_and_one_alone_has_no_interval(tmp_path):
    [rate] = rates_by_set(write_evaluation(tmp_path / "e", [("tiny", "a", "", 4, 1, 0, 0)]), "tiny", "r")
    assert (rate.low, rate.high, rate.clusters, rate.unit) == (None, None, 1, "utterances")


def test_an_evaluation_of_other_weights_is_refused(tmp_path):
    evaluation = write_evaluation(tmp_path, [("tiny", "a", "x", 4, 1, 0, 0)], revision="other")
    with pytest.raises(PedkitError, match="of other weights"):
        rates_by_set(evaluation, "tiny", "r")


def test_the_card_says_data_licences_metrics_limits_and_commands(tmp_path):
    run = write_run(tmp_path / "run")
    manifest = tmp_path / "train.jsonl"
    write_manifest(manifest, [Utterance(id=str(n), corpus="speechocean762", split="train") for n in range(3)])
    record = json.loads((run / "run.json").read_text())
    entry = {"role": "train", "name": None, "path": str(manifest), "sha256": file_hash(manifest), "split": "train"}
    gone = {"role": "dev", "name": "real", "path": str(tmp_path / "gone.jsonl"), "sha256": "0" * 64, "split": None}
    (run / "run.json").write_text(json.dumps(record | {"data": [entry, gone]}))
    rows = [("tiny", "a", "x", 10, 1, 0, 0), ("tiny", "b", "y", 10, 4, 3, 2)]
    evaluation = write_evaluation(tmp_path / "evaluation", rows, load_run(run).revision)
    out = export_run(run, tmp_path / "out", evaluation=evaluation, licence="mit", command="pedkit export run out")
    text = (out / "README.md").read_text(encoding="utf-8")
    head = yaml.safe_load(text.split("---\n")[1])
    assert (head["license"], head["library_name"]) == ("mit", "transformers")
    assert f"| train, split train | {manifest} | speechocean762 3 | {file_hash(manifest)[:16]} |" in text
    assert f"| dev (real) | {tmp_path / 'gone.jsonl'} | not there at the export | {'0' * 16} |" in text
    assert "- speechocean762: Apache-2.0" in text
    assert "Dev PER 0.2500 (5 of 20 phones, epoch 3); it chose the checkpoint (dev set: all)" in text
    assert "| far | 0.5000 | 0.1000 to 0.9000 (2 speakers) | 10 / 20 |" in text
    assert "Not for decisions about single people" in text
    assert "Trained by `python train.py` (seed 1) with torch 2; exported by `pedkit export run out`" in text
    assert load_run(run).revision in text


@pytest.mark.parametrize(
    ("kept", "sentence"),
    [
        (
            {"step": 25, "dev_per": None},
            "The weights after 25 updates on all of the train data; no dev set was",
        ),
        (
            {"step": 24, "dev_per": 0.125, "dev_per_of": "cross-validation"},
            "a cross-validation found to be enough; mean PER of the held-out folds there 0.1250. It chose",
        ),
        ({"step": 24, "dev_per": 0.5}, "on all of the train data; dev PER 0.5000, which chose nothing."),
    ],
)
def test_a_number_of_updates_is_not_called_a_choice_on_a_dev_set(kept, sentence, tmp_path):
    run = write_run(tmp_path / "run")
    record = json.loads((run / "run.json").read_text())
    changed = {"checkpoint": "checkpoints/kept.ckpt", "epoch": 1, **kept}
    (run / "run.json").write_text(json.dumps(record | {"kept": changed}))
    assert sentence in (export_run(run, tmp_path / "out") / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("extra", "sentence"),
    [
        ({"global_step": 42}, "These weights, after 42 updates, are not those that the training kept"),
        ({}, "These weights are not those that the training kept, and no dev PER of them is known."),
    ],
)
def test_other_weights_than_the_kept_ones_do_not_get_their_per(extra, sentence, tmp_path):
    run = write_run(tmp_path / "run")
    content = torch.load(run / "checkpoints" / "kept.ckpt")
    content["state_dict"]["encoder.model.lm_head.bias"] += 1
    torch.save(content | extra, run / "checkpoints" / "last.ckpt")
    text = (export_run(run, tmp_path / "last", checkpoint="checkpoints/last.ckpt") / "README.md").read_text()
    assert sentence in text
    assert "0.2500" not in text
    assert "epoch" not in text
    same = export_run(run, tmp_path / "kept", checkpoint="./checkpoints/kept.ckpt")
    assert "Dev PER 0.2500 (5 of 20 phones, epoch 3)" in (same / "README.md").read_text()


def test_the_card_counts_what_the_folder_holds(tmp_path):
    """LoRA's own weights are no longer there once they are merged."""
    out = export_run(write_run(tmp_path / "run", "wav2vec2", lora={"r": 2, "alpha": 4}), tmp_path / "out")
    stored = load_file(out / "model.safetensors")
    number = sum(value.numel() for value in stored.values())
    assert f"A CTC phone recognizer of {number:,} weights" in (out / "README.md").read_text(encoding="utf-8")
