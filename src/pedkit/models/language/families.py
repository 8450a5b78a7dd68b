"""The audio language models that can be tuned: where their parts are and how their prompts are written."""

from __future__ import annotations

from dataclasses import dataclass

from pedkit.errors import PedkitError

LORA_TARGETS = ("q_proj", "k_proj", "v_proj", "o_proj")
"""Leaf names of the linear layers of self-attention in the text models of all families."""

LORA_EXCLUDED = r".*(?:audio_tower|visual|talker|token2wav|code2wav|multi_modal_projector).*"
"""Modules that never get adapters, as a pattern over their whole path.

The audio towers call three of their four projections as the text models do, so leaf names alone would give
Qwen2.5-Omni 208 adapted modules instead of 112; and peft 0.21 rewrites a pattern that names the text model only
into leaf names for mixtures of experts. Leaf names and this exclusion hold for every family and every layout.
"""


@dataclass(frozen=True)
class Family:
    """What differs between families of audio language models.

    Attributes:
        model_type: ``model_type`` in the configuration of the class that is loaded.
        title: Name in messages and documents.
        class_name: Class of transformers that is loaded.
        frozen_parts: Paths of the modules that hear and see; they never train and stay in evaluation mode.
        language_model: Path of the text model.
        audio_tower: Path of the audio tower.
        end_token: Text of the token that ends an answer.
        processor: Class in `pedkit.models.language.processing` that extracts features and writes prompts.
        windows: ``trimmed`` where mel features need only reach past the longest clip of a batch, ``full`` where
            every window has its full length.
        longest_seconds: Longest clip, ``None`` where the processor says it; longer ones would be cut silently.
        config_of: Aliases: ``model_type`` of configurations that hold this model as a part.
    """

    model_type: str
    title: str
    class_name: str
    frozen_parts: tuple[str, ...]
    end_token: str
    processor: str
    windows: str
    longest_seconds: float | None = None
    language_model: str = "model.language_model"
    audio_tower: str = "model.audio_tower"
    config_of: tuple[str, ...] = ()


_ALL = (
    Family(
        model_type="qwen2_5_omni_thinker",
        title="Qwen2.5-Omni (thinker)",
        # The class with the talker has no forward, and its generate needs files of voices.
        class_name="Qwen2_5OmniThinkerForConditionalGeneration",
        frozen_parts=("model.audio_tower", "model.visual"),
        end_token="<|im_end|>",
        processor="OmniAudioProcessor",
        windows="trimmed",
        config_of=("qwen2_5_omni",),
    ),
    Family(
        model_type="audioflamingo3",
        title="Audio Flamingo 3",
        class_name="AudioFlamingo3ForConditionalGeneration",
        frozen_parts=("model.audio_tower", "model.multi_modal_projector"),
        end_token="<|im_end|>",
        processor="AudioFlamingo3Processor",
        windows="full",
    ),
    Family(
        model_type="qwen2_audio",
        title="Qwen2-Audio",
        class_name="Qwen2AudioForConditionalGeneration",
        frozen_parts=("model.audio_tower", "model.multi_modal_projector"),
        end_token="<|im_end|>",
        processor="Qwen2AudioProcessor",
        windows="full",
    ),
    Family(
        model_type="voxtral",
        title="Voxtral",
        class_name="VoxtralForConditionalGeneration",
        frozen_parts=("model.audio_tower", "model.multi_modal_projector"),
        end_token="</s>",
        processor="VoxtralAudioProcessor",
        windows="full",
        longest_seconds=1800.0,
    ),
    Family(
        model_type="qwen3_omni_moe_thinker",
        title="Qwen3-Omni (thinker)",
        class_name="Qwen3OmniMoeThinkerForConditionalGeneration",
        frozen_parts=("model.audio_tower", "model.visual"),
        end_token="<|im_end|>",
        processor="Qwen3OmniAudioProcessor",
        windows="trimmed",
        longest_seconds=1800.0,
        config_of=("qwen3_omni_moe",),
    ),
)

FAMILIES: dict[str, Family] = {family.model_type: family for family in _ALL}
"""The supported families by the ``model_type`` of the class that is loaded."""

_BY_CONFIG = {name: family for family in _ALL for name in (family.model_type, *family.config_of)}


def family_of(model_type: str) -> Family:
    """Return the family of a ``model_type`` as it stands in a ``config.json``.

    Raises:
        PedkitError: No such family is supported.
    """
    if model_type not in _BY_CONFIG:
        raise PedkitError(
            f"expected an audio language model of type {', '.join(_BY_CONFIG)}, but got {model_type!r}"
        )
    return _BY_CONFIG[model_type]
