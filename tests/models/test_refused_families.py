"""What is said of families that are refused, measured on tiny models of the real classes."""

from __future__ import annotations

import pytest
import torch
from transformers import AutoConfig, AutoModelForCTC

from pedkit.errors import PedkitError
from pedkit.models import random_encoder
from pedkit.models.families import REFUSED

WIDTH = {"hidden_size": 32, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 64}
POSITIONS = {"num_conv_pos_embeddings": 16, "num_conv_pos_embedding_groups": 2}


def _model(model_type, **fields):
    torch.manual_seed(0)
    return AutoModelForCTC.from_config(
        AutoConfig.for_model(model_type, vocab_size=11, pad_token_id=0, **fields)
    ).eval()


@torch.no_grad()
def _frames(model, energies: int) -> int:
    features = torch.randn(1, energies, model.config.encoder_config.num_mel_bins)
    mask = torch.ones(1, energies, dtype=torch.bool)
    return model(input_features=features, attention_mask=mask).logits.shape[1]


def test_parakeet_has_too_few_frames():
    encoder = {**WIDTH, "num_mel_bins": 80, "subsampling_conv_channels": 16}
    assert _frames(_model("parakeet_ctc", encoder_config=encoder), 400) == 50  # 4 s, a log-mel frame every 10 ms


def test_lasr_fails_on_short_clips():
    encoder = {
        **WIDTH,
        "num_mel_bins": 128,
        "subsampling_conv_channels": 16,
        "num_key_value_heads": 2,
        "conv_kernel_size": 31,
    }
    model = _model("lasr_ctc", encoder_config=encoder)
    assert _frames(model, 20) >= 1
    with pytest.raises(RuntimeError, match="Kernel size"):
        _frames(model, 10)


@torch.no_grad()
@pytest.mark.parametrize("model_type", ["data2vec-audio", "wav2vec2-conformer"])
def test_logits_that_depend_on_padding(model_type):
    model = _model(
        model_type, **WIDTH, **POSITIONS, conv_dim=[16] * 7, feat_extract_norm="layer", layerdrop=0.0,
        mask_time_prob=0.0,
    )  # fmt: skip
    mask = (torch.arange(16000) < torch.tensor([[16000], [8000]])).long()
    waveforms = torch.randn(2, 16000, generator=torch.Generator().manual_seed(1)) * mask
    alone = model(waveforms[1:, :8000]).logits[0]
    batch = model(waveforms, attention_mask=mask).logits[1, : len(alone)]
    assert (batch - alone).abs().max() > 0.1 * alone.abs().max()


@pytest.mark.parametrize("model_type", REFUSED)
def test_each_is_refused_with_its_reason(vocabulary, model_type):
    with pytest.raises(PedkitError) as caught:
        random_encoder(vocabulary, model_type=model_type)
    assert f"encoders of type {model_type!r} {REFUSED[model_type]}" in str(caught.value)
    assert "use one of wav2vec2, hubert, wavlm" in str(caught.value)
