"""Processors of the families: transformers' own where they work without pictures, else only their audio."""

from __future__ import annotations

from typing import Any

import torch
from transformers import AudioFlamingo3Processor, Qwen2AudioProcessor
from transformers.feature_extraction_utils import BatchFeature
from transformers.models.qwen2_5_omni.processing_qwen2_5_omni import Qwen2_5OmniProcessor
from transformers.models.qwen3_omni_moe.processing_qwen3_omni_moe import Qwen3OmniMoeProcessor
from transformers.processing_utils import ProcessorMixin

__all__ = [
    "AudioFlamingo3Processor",
    "OmniAudioProcessor",
    "Qwen2AudioProcessor",
    "Qwen3OmniAudioProcessor",
    "VoxtralAudioProcessor",
]

_MEDIA = ("image", "audio", "video")
_BORDERS = ("vision_bos_token", "vision_eos_token", "audio_bos_token", "audio_eos_token")


class _AudioAndText:
    """What the processors of the Omni models do without torchvision and Pillow."""

    def __init__(self, feature_extractor: Any = None, tokenizer: Any = None, chat_template: Any = None) -> None:
        ProcessorMixin.__init__(self, feature_extractor, tokenizer, chat_template=chat_template)
        # Names of media tokens that these processors keep.
        for name in (*(f"{kind}_token{end}" for kind in _MEDIA for end in ("", "_id")), *_BORDERS):
            setattr(self, name, getattr(tokenizer, name))

    @property
    def model_input_names(self) -> list[str]:
        """Names of the tensors that the model takes."""
        parts: Any = self  # its tokenizer and feature extractor are set by transformers
        names = [*parts.tokenizer.model_input_names, *parts.feature_extractor.model_input_names]
        return list(dict.fromkeys([*names, "feature_attention_mask"]))


class OmniAudioProcessor(_AudioAndText, Qwen2_5OmniProcessor):  # type: ignore[misc]
    """`Qwen2_5OmniProcessor` for audio and text: its outputs, without its need for torchvision and Pillow."""


class Qwen3OmniAudioProcessor(_AudioAndText, Qwen3OmniMoeProcessor):  # type: ignore[misc]
    """`Qwen3OmniMoeProcessor` for audio and text, without its need for torchvision and Pillow."""


VOXTRAL_TEMPLATE = (
    "<s>"
    "{% set system = namespace(text='') %}"
    "{% for message in messages %}"
    "{% if message['role'] == 'system' %}"
    "{% for part in message['content'] %}{% set system.text = system.text + part['text'] + '\\n\\n' %}{% endfor %}"
    "{% elif message['role'] == 'user' %}"
    "[INST]"
    "{% for part in message['content'] %}"
    "{% if part['type'] == 'audio' %}[BEGIN_AUDIO][AUDIO]"
    "{% else %}{{ system.text }}{% set system.text = '' %}{{ part['text'] }}{% endif %}"
    "{% endfor %}"
    "[/INST]"
    "{% else %}"
    "{% for part in message['content'] %}{{ part['text'] }}{% endfor %}</s>"
    "{% endif %}"
    "{% endfor %}"
)
"""Prompts of Voxtral as mistral-common writes them. It refuses a system turn where there is audio, so its text
comes before the user's first. Begin and end are spelled out, since a tokenizer read from ``tekken.json`` has no
names for them. Answers begin right after ``[/INST]``."""

_VOXTRAL_FRAMES_PER_TOKEN = 8
"""Mel frames (100 a second) per audio token (12.5 a second): 2 by the convolution, 4 by the reshaping."""


class VoxtralAudioProcessor(ProcessorMixin):  # type: ignore[misc]
    """Features and prompts of Voxtral without mistral-common: windows of 30 s, each of them full."""

    def __init__(self, feature_extractor: Any = None, tokenizer: Any = None, chat_template: Any = None) -> None:
        self.audio_token = "[AUDIO]"
        self.audio_token_id = tokenizer.convert_tokens_to_ids(self.audio_token)
        super().__init__(feature_extractor, tokenizer, chat_template=chat_template or VOXTRAL_TEMPLATE)

    def __call__(self, text: list[str], audio: list[Any], **_: Any) -> BatchFeature:
        """Return ``input_features`` (windows, mel bins, frames) and ``input_ids`` with repeated audio tokens."""
        extractor = self.feature_extractor
        windows = [
            extractor(
                clip,
                sampling_rate=extractor.sampling_rate,
                padding=True,
                truncation=False,
                pad_to_multiple_of=extractor.n_samples,
                return_tensors="pt",
            )["input_features"][0]
            for clip in audio
        ]
        frames = extractor.nb_max_frames
        features = [window.unflatten(1, (-1, frames)).transpose(0, 1) for window in windows]
        counts = iter(window.shape[1] // _VOXTRAL_FRAMES_PER_TOKEN for window in windows)
        pieces = [line.split(self.audio_token) for line in text]
        expanded = [
            first + "".join(self.audio_token * next(counts) + piece for piece in rest) for first, *rest in pieces
        ]
        tokens = self.tokenizer(expanded, add_special_tokens=False, padding=True, return_tensors="pt")
        return BatchFeature(
            {
                "input_ids": tokens["input_ids"],
                "attention_mask": tokens["attention_mask"],
                "input_features": torch.cat(features),
            }
        )
