"""MMS: wav2vec2 with small adapter layers, one file of weights a language, with a head of letters each."""

from __future__ import annotations

import json

import pytest
import torch
from safetensors.torch import save_file
from transformers import Wav2Vec2Config, Wav2Vec2ForCTC

from pedkit.errors import PedkitError
from pedkit.models import pretrained_encoder
from pedkit.models.families import encoder_from_dict

ADAPTER = "wav2vec2.encoder.layers.0.adapter_layer.linear_1.weight"


def _config(**changes) -> Wav2Vec2Config:
    return Wav2Vec2Config(
        hidden_size=32, num_hidden_layers=1, num_attention_heads=2, intermediate_size=64, conv_dim=[16] * 7,
        num_conv_pos_embeddings=16, num_conv_pos_embedding_groups=2, feat_extract_norm="layer",
        do_stable_layer_norm=True, vocab_size=12, **changes,
    )  # fmt: skip


@pytest.fixture
def mms(tmp_path):
    torch.manual_seed(0)
    Wav2Vec2ForCTC(_config(adapter_attn_dim=4)).save_pretrained(tmp_path)
    for language, letters in (("deu", 31), ("swh", 27)):
        other = Wav2Vec2ForCTC(_config(adapter_attn_dim=4))
        weights = {key: torch.full_like(value, len(language)) for key, value in other._get_adapters().items()}
        weights[ADAPTER] = torch.full((4, 32), float(letters))
        weights["lm_head.weight"], weights["lm_head.bias"] = torch.zeros(letters, 32), torch.zeros(letters)
        save_file(weights, tmp_path / f"adapter.{language}.safetensors")
    return str(tmp_path)


@pytest.mark.parametrize(("language", "value"), [("deu", 31.0), ("swh", 27.0)])
def test_the_adapter_of_a_language_under_a_phone_head(mms, vocabulary, language, value):
    encoder = pretrained_encoder(vocabulary, name=mms, target_lang=language, layerdrop=0.0)
    assert torch.equal(encoder.model.get_parameter(ADAPTER), torch.full((4, 32), value))
    assert (encoder.model.lm_head.out_features, encoder.model.config.vocab_size) == (40, 40)
    assert encoder.model.lm_head.weight.std() > 0.1  # not the letters' head
    waveform, length = torch.randn(1, 8000), torch.tensor([8000])
    rebuilt = encoder_from_dict(json.loads(json.dumps(encoder.to_dict())), vocabulary).eval()
    rebuilt.load_state_dict(encoder.state_dict())
    assert torch.equal(rebuilt(waveform, length).logits, encoder(waveform, length).logits)


def test_without_a_language_the_stored_adapter_stays(mms, vocabulary):
    stored = Wav2Vec2ForCTC.from_pretrained(mms).get_parameter(ADAPTER)
    assert torch.equal(pretrained_encoder(vocabulary, name=mms).model.get_parameter(ADAPTER), stored)


def test_languages_that_cannot_be_taken(mms, vocabulary, tmp_path):
    with pytest.raises(PedkitError, match="target_lang needs head: fresh"):
        pretrained_encoder(vocabulary, name=mms, target_lang="deu", head="own")
    with pytest.raises(PedkitError, match=r"the model .* cannot be loaded: .*adapter\.xyz"):
        pretrained_encoder(vocabulary, name=mms, target_lang="xyz")
    plain = tmp_path / "plain"
    Wav2Vec2ForCTC(_config()).save_pretrained(plain)
    with pytest.raises(PedkitError, match="has no adapters of languages, so target_lang cannot be 'deu'"):
        pretrained_encoder(vocabulary, name=str(plain), target_lang="deu")
