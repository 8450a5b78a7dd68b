"""Load an audio language model from a hub or folder, with new LoRA adapters or saved ones."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pedkit.models.language.model import AudioLanguageModel


def load_audio_language_model(
    name: str | Path,
    *,
    revision: str | None = None,
    lora: Mapping[str, Any] | None = None,
    adapter: str | Path | None = None,
    quantization: str | None = None,
    attn_implementation: str | None = None,
    dtype: str = "bfloat16",
    gradient_checkpointing: bool = False,
    device: str = "cpu",
) -> AudioLanguageModel:
    """Load a model; ``lora`` (r, alpha, dropout, use_rslora, use_dora) adds new adapters, ``adapter`` saved ones."""
    raise NotImplementedError
