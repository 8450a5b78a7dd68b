"""Hubs store weights in 16 bits; they are trained and heard with in 32, whatever the file has."""

from __future__ import annotations

import json

import pytest
import torch
from transformers import AutoModelForCTC, WhisperConfig, WhisperForConditionalGeneration

from pedkit.models import pretrained_encoder
from pedkit.models.families import encoder_from_dict

# Passed on by transformers' WavLM to torch's own attention.
pytestmark = pytest.mark.filterwarnings("ignore:Support for mismatched key_padding_mask and attn_mask:UserWarning")

CLIP, LENGTH = torch.linspace(-0.5, 0.5, 8000)[None], torch.tensor([8000])


def _formats(encoder):
    return {weight.dtype for weight in (*encoder.parameters(), *encoder.buffers()) if weight.is_floating_point()}


@pytest.fixture
def stored(tmp_path, tiny, family):
    """A folder with the weights of a family in 16 bits."""
    model = tiny(family).model.to(torch.bfloat16 if family == "wav2vec2" else torch.float16)
    model.save_pretrained(tmp_path)
    assert json.loads((tmp_path / "config.json").read_text())["dtype"] in ("bfloat16", "float16")
    return str(tmp_path), model


@torch.no_grad()
def test_sixteen_bits_become_thirty_two(stored, vocabulary):
    folder, model = stored
    encoder = pretrained_encoder(vocabulary, name=folder)
    assert _formats(encoder) == {torch.float32}
    assert encoder(CLIP, LENGTH).logits.dtype == torch.float32
    number = 0
    for name, weight in model.named_parameters():
        if not name.startswith("lm_head"):
            torch.testing.assert_close(encoder.model.get_parameter(name), weight.float(), rtol=0, atol=0)
            number += 1
    assert number > 10


@torch.no_grad()
def test_a_run_folder_that_names_sixteen_bits_is_built_in_thirty_two(tiny, family, vocabulary):
    described = tiny(family).to_dict()
    described["config"]["dtype"] = "float16"  # as encoder.json had it where the hub's weights were such
    encoder = encoder_from_dict(described, vocabulary)
    assert _formats(encoder) == {torch.float32}
    assert str(encoder.to_dict()["config"]["dtype"]) == "float32"


def test_a_whole_whisper_in_half_precision(tmp_path, vocabulary):
    config = WhisperConfig(
        vocab_size=60, d_model=16, encoder_layers=1, encoder_attention_heads=2, encoder_ffn_dim=16,
        decoder_layers=1, decoder_attention_heads=2, decoder_ffn_dim=16, max_source_positions=150,
        pad_token_id=0, bos_token_id=1, eos_token_id=2, decoder_start_token_id=3, begin_suppress_tokens=None,
    )  # fmt: skip
    WhisperForConditionalGeneration(config).half().save_pretrained(tmp_path)
    encoder = pretrained_encoder(vocabulary, name=str(tmp_path))
    assert _formats(encoder) == {torch.float32}
    assert encoder.to_dict()["config"]["dtype"] == "float32"


def test_the_folder_is_stored_as_it_was_loaded(tiny, tmp_path, vocabulary):
    """What pedkit writes is float32, so that nothing is rounded on the way out."""
    tiny("wav2vec2").model.half().save_pretrained(tmp_path / "half")
    encoder = pretrained_encoder(vocabulary, name=str(tmp_path / "half"))
    encoder.model.save_pretrained(tmp_path / "out")
    assert next(AutoModelForCTC.from_pretrained(tmp_path / "out").parameters()).dtype == torch.float32
