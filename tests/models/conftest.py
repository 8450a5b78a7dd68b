"""Tiny encoders of the real classes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch

from pedkit.models import CtcEncoder, PhoneVocabulary, random_encoder

WIDTH = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 64}
POSITIONS = {"num_conv_pos_embeddings": 16, "num_conv_pos_embedding_groups": 2}
WAV2VEC2 = {
    **WIDTH, **POSITIONS, "conv_dim": [16] * 7, "feat_extract_norm": "layer",
    "mask_time_prob": 0.0, "layerdrop": 0.0,
}  # fmt: skip
SIZES: dict[str, dict[str, Any]] = {
    "pedkit-log-mel-wav2vec2": {**WIDTH, **POSITIONS},
    "pedkit-whisper-ctc": {
        "d_model": 32, "encoder_layers": 2, "encoder_attention_heads": 2, "encoder_ffn_dim": 64,
    },
    "wav2vec2": {**WAV2VEC2, "do_stable_layer_norm": True},
    "hubert": WAV2VEC2,
    "wavlm": WAV2VEC2,
    "unispeech-sat": WAV2VEC2,
    "wav2vec2-bert": WIDTH,
}  # fmt: skip


@pytest.fixture(scope="session")
def vocabulary() -> PhoneVocabulary:
    return PhoneVocabulary.of_inventory("cmu39")


@pytest.fixture
def tiny(vocabulary: PhoneVocabulary) -> Callable[..., CtcEncoder]:
    def make(model_type: str = "pedkit-log-mel-wav2vec2", **changes: Any) -> CtcEncoder:
        torch.manual_seed(0)
        return random_encoder(vocabulary, model_type=model_type, **{**SIZES[model_type], **changes}).eval()

    return make


@pytest.fixture(params=list(SIZES))
def family(request: pytest.FixtureRequest) -> str:
    return str(request.param)
