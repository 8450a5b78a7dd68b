"""Audio language models with LoRA: loading, inputs with answer-only labels, greedy generation, adapters."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pedkit.models.language.families import FAMILIES, Family, family_of
    from pedkit.models.language.generation import Generated
    from pedkit.models.language.loading import base_of, load_audio_language_model
    from pedkit.models.language.lora import LoraSettings
    from pedkit.models.language.loss import AnswerLoss
    from pedkit.models.language.model import AudioLanguageModel
    from pedkit.models.language.source import LanguageModelSource

_LAZY = {
    "FAMILIES": "families",
    "AnswerLoss": "loss",
    "AudioLanguageModel": "model",
    "Family": "families",
    "Generated": "generation",
    "LoraSettings": "lora",
    "base_of": "loading",
    "family_of": "families",
    "LanguageModelSource": "source",
    "load_audio_language_model": "loading",
}

__all__ = [
    "FAMILIES",
    "AnswerLoss",
    "AudioLanguageModel",
    "Family",
    "Generated",
    "LanguageModelSource",
    "LoraSettings",
    "base_of",
    "family_of",
    "load_audio_language_model",
]


def __getattr__(name: str) -> Any:
    if name in _LAZY:
        return getattr(importlib.import_module(f"pedkit.models.language.{_LAZY[name]}"), name)
    raise AttributeError(f"module 'pedkit.models.language' has no attribute {name!r}")
