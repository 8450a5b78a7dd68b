from __future__ import annotations

import json

import pytest
import torch

from pedkit.data.manifest import file_hash
from pedkit.errors import PedkitError
from pedkit.models import PhoneVocabulary, random_encoder
from pedkit.recognizers.run import load_run


class _Harmful:
    def __reduce__(self):
        return (open, ("harmed", "w"))


@pytest.fixture
def run(tmp_path):
    """A run folder as ``train.py`` leaves it, with a vocabulary of three phones."""
    torch.manual_seed(0)
    vocabulary = PhoneVocabulary(["AA", "T", "S"], "cmu39")
    encoder = random_encoder(
        vocabulary, hidden_size=16, num_hidden_layers=1, num_attention_heads=2, intermediate_size=32,
        num_conv_pos_embeddings=16, num_conv_pos_embedding_groups=2,
    )  # fmt: skip
    vocabulary.save(tmp_path / "vocabulary.json")
    (tmp_path / "encoder.json").write_text(json.dumps(encoder.to_dict()), encoding="utf-8")
    (tmp_path / "checkpoints").mkdir()
    state = {f"encoder.{name}": value for name, value in encoder.state_dict().items()}
    torch.save({"state_dict": state}, tmp_path / "checkpoints" / "kept.ckpt")
    record = {"name": "demo", "config_hash": "c1", "kept": {"checkpoint": "checkpoints/kept.ckpt"}}
    (tmp_path / "run.json").write_text(json.dumps(record), encoding="utf-8")
    return tmp_path, encoder


def test_the_folder_alone_brings_the_model_back(run):
    folder, encoder = run
    loaded = load_run(folder)
    assert (loaded.name, loaded.config_hash) == ("demo", "c1")
    assert loaded.revision == file_hash(folder / "checkpoints" / "kept.ckpt")
    for name, value in encoder.state_dict().items():
        assert torch.equal(loaded.encoder.state_dict()[name], value)


def test_the_phones_are_those_it_was_trained_on(run):
    # YuanGongND/gopt #15: never rebuilt from the data at hand.
    assert load_run(run[0]).vocabulary == PhoneVocabulary(["AA", "T", "S"], "cmu39")


def test_another_checkpoint_can_be_asked_for(run):
    folder, encoder = run
    state = {f"encoder.{name}": value * 2 for name, value in encoder.state_dict().items()}
    torch.save({"state_dict": state, "global_step": 7}, folder / "checkpoints" / "last.ckpt")
    last = load_run(folder, "checkpoints/last.ckpt")
    assert (last.kept, last.updates, load_run(folder).kept) == (False, 7, True)
    weight = last.encoder.model.lm_head.weight
    assert torch.equal(weight, encoder.model.lm_head.weight * 2)
    with pytest.raises(PedkitError, match=r"none\.ckpt: no such checkpoint"):
        load_run(folder, "checkpoints/none.ckpt")


def test_nothing_in_a_checkpoint_is_executed(run, monkeypatch):
    folder, _ = run
    monkeypatch.chdir(folder)
    torch.save({"state_dict": _Harmful()}, folder / "checkpoints" / "kept.ckpt")
    with pytest.raises(PedkitError, match=r"kept\.ckpt: this is no checkpoint of pedkit"):
        load_run(folder)
    assert not (folder / "harmed").exists()


def test_a_broken_file_is_named(run):
    folder, _ = run
    (folder / "checkpoints" / "kept.ckpt").write_bytes(b"half")
    with pytest.raises(PedkitError, match=r"kept\.ckpt: this is no checkpoint of pedkit"):
        load_run(folder)


def test_a_folder_without_a_run_or_without_a_checkpoint_is_named(run, tmp_path):
    folder, _ = run
    with pytest.raises(PedkitError, match=r"run\.json: no such file, so this is not a run folder"):
        load_run(tmp_path / "elsewhere")
    (folder / "run.json").write_text(json.dumps({"name": "demo", "kept": None}), encoding="utf-8")
    with pytest.raises(PedkitError, match=r"this run has kept no checkpoint yet \(let the training continue\)"):
        load_run(folder)
    failed = {"name": "demo", "kept": None, "status": "failed", "reason": "there is no GPU"}
    (folder / "run.json").write_text(json.dumps(failed), encoding="utf-8")
    with pytest.raises(PedkitError, match="this run has kept no checkpoint: there is no GPU"):
        load_run(folder)
