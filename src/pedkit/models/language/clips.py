"""What a clip must be before a feature extractor sees it: the extractors take nearly anything without a word."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pedkit.errors import PedkitError

SAMPLE_RATE = 16_000
"""Samples a second that all supported models expect."""

SHORTEST_SECONDS = 0.1
"""Shorter clips give 0 or 1 audio token; with 0 (below 399 samples) a model answers without having heard it."""

LOUDEST = 2.0
"""Largest sample that still counts as scaled to [-1, 1]: resampling overshoots a little, integers by thousands."""

Clip = NDArray[np.float32]
"""Samples of shape ``(samples,)`` at 16 kHz in [-1, 1]."""


def check_clips(clips: Sequence[Any], *, longest: float, names: Sequence[str] | None = None) -> None:
    """Refuse clips that a model would take and hear wrongly.

    Args:
        clips: The clips.
        longest: Longest length in seconds.
        names: Utterances that the clips belong to, for the message.

    Raises:
        PedkitError: A clip is not mono float32 in [-1, 1], or too short or too long; the utterance is named.
    """
    for number, clip in enumerate(clips):
        fault = _fault(clip, longest)
        if fault is not None:
            raise PedkitError(fault, utterance=None if names is None else names[number])


def _fault(clip: Any, longest: float) -> str | None:
    return _fault_of_form(clip) or _fault_of_length(clip, longest) or _fault_of_samples(clip)


def _fault_of_form(clip: Any) -> str | None:
    if not isinstance(clip, np.ndarray) or clip.dtype != np.float32:
        kind = clip.dtype if isinstance(clip, np.ndarray) else type(clip).__name__
        return f"expected a clip as a float32 array in [-1, 1], but got {kind}"
    if clip.ndim != 1:
        return f"expected a mono clip of shape (samples,), but got shape {clip.shape}"
    return None


def _fault_of_length(clip: Clip, longest: float) -> str | None:
    seconds = len(clip) / SAMPLE_RATE
    if seconds < SHORTEST_SECONDS:
        return f"the clip has {seconds:.3f} s, but the model hears nothing in less than {SHORTEST_SECONDS} s"
    if seconds > longest:
        return f"the clip has {seconds:.1f} s, but the model hears only the first {longest:g} s"
    return None


def _fault_of_samples(clip: Clip) -> str | None:
    loudest = float(np.abs(clip).max())
    if not np.isfinite(loudest):
        return "the clip has samples that are no numbers"
    if loudest > LOUDEST:
        return f"expected samples in [-1, 1], but the largest is {loudest:g}"
    return None
