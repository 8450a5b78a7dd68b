"""`LanguageModelSource`: where an audio language model comes from, as a configuration and a run folder say it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from pedkit.models.language.loading import load_audio_language_model
from pedkit.models.language.model import AudioLanguageModel


@dataclass(frozen=True, slots=True, kw_only=True)
class LanguageModelSource:
    """A base model with the adapters that are to be trained.

    Attributes:
        name: Hub id or folder.
        revision: Commit or tag on the hub.
        lora: Fields of `pedkit.models.language.lora.LoraSettings` for new adapters.
        adapter: Folder of a saved adapter to go on with; then ``lora`` is ``None``.
        quantization: ``4bit`` for QLoRA (extra ``qlora``).
        attn_implementation: ``sdpa``, ``flash_attention_2``, ``eager``; ``None`` for transformers' choice.
        dtype: Number format of the frozen weights: ``bfloat16`` or ``float32``.
        gradient_checkpointing: Recompute the text model's layers in the backward pass.
        tower_cache: Folder that keeps outputs of the frozen audio tower; ``None`` computes them each time.
    """

    name: str
    revision: str | None = None
    lora: dict[str, Any] | None = None
    adapter: str | None = None
    quantization: str | None = None
    attn_implementation: str | None = None
    dtype: str = "bfloat16"
    gradient_checkpointing: bool = False
    tower_cache: str | None = None

    def load(self, device: str = "cpu") -> AudioLanguageModel:
        """Load the model.

        Raises:
            PedkitError: See `load_audio_language_model`.
        """
        return load_audio_language_model(**asdict(self), device=device)

    def of(self, model: AudioLanguageModel) -> LanguageModelSource:
        """Return the source of exactly this model's base and adapter settings, for those who only listen to it."""
        lora = None if model.lora is None else model.lora.to_dict()
        return replace(
            self, revision=model.revision, lora=lora, adapter=None, gradient_checkpointing=False, tower_cache=None
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the attributes."""
        return asdict(self)

    @classmethod
    def from_dict(cls, content: Mapping[str, Any]) -> LanguageModelSource:
        """Return the source that `to_dict` described."""
        return cls(**content)
