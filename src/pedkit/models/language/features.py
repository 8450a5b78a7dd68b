"""From clips to what an audio tower takes, with the number of audio tokens of each clip."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch

from pedkit.models.language.clips import SAMPLE_RATE, Clip
from pedkit.models.language.families import Family


@dataclass(frozen=True)
class Features:
    """Features of some clips.

    Attributes:
        tensors: Input name of the model -> tensor.
        tokens: Audio tokens of each clip.
    """

    tensors: dict[str, torch.Tensor]
    tokens: list[int]


def extract_features(family: Family, processor: Any, clips: Sequence[Clip]) -> Features:
    """Extract the features of checked clips with the family's processor.

    Args:
        family: The family.
        processor: Its processor.
        clips: Mono clips at 16 kHz.
    """
    audio: dict[str, Any] = {"sampling_rate": SAMPLE_RATE}
    if family.windows == "trimmed":
        audio |= {"padding": "max_length", "max_length": window_samples(max(len(clip) for clip in clips))}
    with torch.autocast(
        "cpu", enabled=False
    ):  # mel features are computed in float32 whatever a training's precision
        batch = processor(
            text=[processor.audio_token] * len(clips),
            audio=[*clips],
            text_kwargs={"padding": True},
            audio_kwargs=audio,
            return_tensors="pt",
        )
    tokens = (batch["input_ids"] == processor.audio_token_id).sum(-1).tolist()
    tensors = {name: value for name, value in batch.items() if "feature" in name}
    return Features(tensors, tokens)


def window_samples(longest: int) -> int:
    """Return the length of a mel window that loses nothing of a clip of ``longest`` samples.

    Left to themselves the extractors of Qwen2.5-Omni pad every clip to 300 s (15 MB and more than a second each),
    which its encoder drops again. A window of the clip's own length loses the last frame, and one that is shorter
    cuts the clip without a word; half an FFT window (200 samples) more than the longest clip is enough.
    """
    return math.ceil((longest + 400) / 160) * 160
