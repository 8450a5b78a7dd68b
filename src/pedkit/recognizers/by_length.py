"""How local models go through clips: sorted by length, in batches, each batch timed."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TypeVar

from pedkit.data.prediction import Prediction
from pedkit.errors import PedkitError
from pedkit.recognizers.protocol import Clip

Heard = TypeVar("Heard")


def transcribe_by_length(
    clips: Sequence[Clip],
    batch_size: int,
    *,
    failed: Callable[[Clip], Prediction | None],
    warm_up: Callable[[Clip], None],
    hear: Callable[[Sequence[Clip]], Sequence[Heard]],
    prediction: Callable[[Clip, Heard, float], Prediction],
) -> list[Prediction]:
    """Return one `Prediction` a clip, in order.

    Args:
        clips: What is to be heard.
        batch_size: Clips heard together.
        failed: The prediction of a clip that cannot be heard, ``None`` of any other.
        warm_up: Called with the shortest clip that can be heard: first calls allocate and compile, so they are not
            timed.
        hear: What the model makes of a batch, one thing a clip; only this is timed.
        prediction: The prediction of a clip, from what was heard and the seconds it took (the batch's, shared).
    """
    found = {i: refused for i, clip in enumerate(clips) if (refused := failed(clip)) is not None}
    order = sorted((i for i in range(len(clips)) if i not in found), key=lambda i: len(clips[i].samples))
    if order:
        warm_up(clips[order[0]])
    for start in range(0, len(order), batch_size):
        places = order[start : start + batch_size]
        started = time.perf_counter()
        heard = hear([clips[i] for i in places])
        seconds = (time.perf_counter() - started) / len(places)
        for i, one in zip(places, heard, strict=True):
            found[i] = prediction(clips[i], one, seconds)
    return [found[i] for i in range(len(clips))]


def expect_sample_rate(clip: Clip, sample_rate: int) -> None:
    """Make sure that a clip is at the model's sample rate.

    Raises:
        PedkitError: It is at another.
    """
    if clip.sample_rate != sample_rate:
        raise PedkitError(
            f"expected a clip at {sample_rate} Hz, but got {clip.sample_rate} Hz",
            utterance=clip.utterance.id,
            hint="load_audio resamples",
        )
