"""The presets with pretrained encoders, on stand-ins: tiny models of the real classes in folders of their own."""

from __future__ import annotations

import json
import shutil

import pytest
import torch
from transformers import (
    Wav2Vec2BertConfig,
    Wav2Vec2BertForCTC,
    Wav2Vec2Config,
    Wav2Vec2ForCTC,
    WhisperConfig,
    WhisperForConditionalGeneration,
)

from pedkit.data.audio import load_audio
from pedkit.data.manifest import iter_manifest
from pedkit.errors import PedkitError
from pedkit.recognizers import Clip, CtcRecognizer
from pedkit.training import read_run, train

ABSENT = {"lm_head.weight", "lm_head.bias", "wav2vec2.masked_spec_embed"}  # a new head, and masking is off
WIDTH = {"hidden_size": 32, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 64}
CONVOLUTIONS = {"conv_dim": [16] * 7, "num_conv_pos_embeddings": 16, "num_conv_pos_embedding_groups": 2}


def _wav2vec2(norm):
    stable = norm == "layer"
    return Wav2Vec2ForCTC(
        Wav2Vec2Config(**WIDTH, **CONVOLUTIONS, feat_extract_norm=norm, do_stable_layer_norm=stable, vocab_size=12)
    )


MAKERS = {
    "layer": lambda: _wav2vec2("layer"),
    "group": lambda: _wav2vec2("group"),
    "bert": lambda: Wav2Vec2BertForCTC(Wav2Vec2BertConfig(**WIDTH, vocab_size=12)),
    "whisper": lambda: WhisperForConditionalGeneration(
        WhisperConfig(
            d_model=32, encoder_layers=1, encoder_attention_heads=2, encoder_ffn_dim=64, decoder_layers=1,
            decoder_attention_heads=2, decoder_ffn_dim=64,
        )
    ),
}  # fmt: skip


@pytest.fixture
def stand_in(tmp_path):
    def make(kind):
        torch.manual_seed(0)
        MAKERS[kind]().save_pretrained(tmp_path / "hub")
        (tmp_path / "hub" / "preprocessor_config.json").write_text(json.dumps({"do_normalize": True}))
        return tmp_path / "hub"

    return make


@pytest.mark.parametrize(
    ("kind", "overrides"),
    [
        ("layer", ["model=pretrained"]),
        ("group", ["model=pretrained"]),
        ("bert", ["model=pretrained", "model.freeze_feature_encoder=false"]),
        ("layer", ["model=pretrained", "model.encoder.lora={r: 2, alpha: 4}"]),
        ("whisper", ["model=whisper", "model.warmup_steps=3"]),
    ],
)
def test_a_pretrained_encoder_is_trained_and_comes_back_without_the_hub(
    kind, overrides, stand_in, config, tmp_path
):
    hub = stand_in(kind)
    per = train(config(f"model.encoder.name={hub}", *overrides, tiny=False))
    assert per == read_run(tmp_path / "run")["kept"]["dev_per"]
    shutil.rmtree(hub)
    recognizer = CtcRecognizer.from_run(tmp_path / "run")
    assert recognizer.batch_size == (1 if kind == "group" else 16)
    manifest = read_run(tmp_path / "run")["data"][1]["path"]
    clips = [Clip(u, load_audio(u.audio)) for u in iter_manifest(manifest)]
    assert {p.status for p in recognizer.transcribe(clips)} <= {"ok", "empty"}


def test_what_is_frozen_stays_and_the_rest_moves(stand_in, config, tmp_path):
    hub = stand_in("layer")
    train(config(f"model.encoder.name={hub}", "model=pretrained", tiny=False))
    before = Wav2Vec2ForCTC.from_pretrained(hub).state_dict()
    after = torch.load(tmp_path / "run" / "checkpoints" / "last.ckpt", weights_only=True)["state_dict"]
    moved = {
        name for name, value in before.items()
        if name not in ABSENT and not torch.equal(value, after[f"encoder.model.{name}"])
    }  # fmt: skip
    assert not [name for name in moved if ".feature_extractor." in name]
    assert "wav2vec2.feature_projection.projection.weight" in moved
    assert "wav2vec2.encoder.layers.0.attention.q_proj.weight" in moved


def test_with_lora_only_updates_and_head_move(stand_in, config, tmp_path):
    hub = stand_in("layer")
    lora = "model.encoder.lora={r: 2, alpha: 4}"
    train(config(f"model.encoder.name={hub}", "model=pretrained", lora, tiny=False))
    before = Wav2Vec2ForCTC.from_pretrained(hub).state_dict()
    after = torch.load(tmp_path / "run" / "checkpoints" / "last.ckpt", weights_only=True)["state_dict"]
    base = {name.replace(".base_layer", "").removeprefix("encoder.model."): value for name, value in after.items()}
    assert all(torch.equal(base[name], value) for name, value in before.items() if name not in ABSENT)
    updates = [value for name, value in after.items() if "lora_B" in name]
    assert updates
    assert all(value.any() for value in updates)  # zeros at first
    assert after["encoder.model.lm_head.bias"].any()  # zeros at first


def test_a_model_that_is_not_there_is_one_sentence_and_a_failed_run(config, tmp_path):
    with pytest.raises(PedkitError, match=r"the model .*nowhere cannot be loaded"):
        train(config(f"model.encoder.name={tmp_path / 'nowhere'}", "model=pretrained", tiny=False))
    assert read_run(tmp_path / "run")["status"] == "failed"
