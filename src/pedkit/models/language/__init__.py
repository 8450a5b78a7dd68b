"""Audio language models with LoRA: loading, inputs with answer-only labels, greedy generation, adapters."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pedkit.models.language.families import FAMILIES, Family, family_of
    from pedkit.models.language.loading import load_audio_language_model
    from pedkit.models.language.model import AudioLanguageModel, Generated

_LAZY = {
    "FAMILIES": "families",
    "AudioLanguageModel": "model",
    "Family": "families",
    "Generated": "model",
    "family_of": "families",
    "load_audio_language_model": "loading",
}

__all__ = [
    "FAMILIES",
    "AudioLanguageModel",
    "Family",
    "Generated",
    "family_of",
    "load_audio_language_model",
]


def __getattr__(name: str) -> Any:
    if name in _LAZY:
        return getattr(importlib.import_module(f"pedkit.models.language.{_LAZY[name]}"), name)
    raise AttributeError(f"module 'pedkit.models.language' has no attribute {name!r}")
