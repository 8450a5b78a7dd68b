"""Saying the items of a design: in threads, each item once, whatever stops the run."""

from __future__ import annotations

import os
from collections.abc import Iterable
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait

from pedkit.data.utterance import Audio
from pedkit.errors import PedkitError
from synthetic.design import DesignItem
from synthetic.engines import SpeechEngine
from synthetic.output.folder import OutputFolder
from synthetic.post_processing import PostProcessing


def speak_items(
    items: Iterable[DesignItem],
    engine: SpeechEngine,
    processing: PostProcessing,
    folder: OutputFolder,
    workers: int | None = None,
) -> dict[str, Audio | None]:
    """Say the items and write their audio.

    Threads are enough: engine, resampler and encoder run outside Python's lock. Python gives Ctrl-C to the main
    thread alone, so no engine is ever interrupted in the middle of a word.

    Args:
        items: What to say.
        engine: Who says it.
        processing: What becomes of the samples.
        folder: Where the audio goes.
        workers: Number of threads, one a processor where ``None``. The result does not depend on it.

    Returns:
        The audio of each item by id; ``None`` where the engine said something else than it was asked to.

    Raises:
        PedkitError: The engine or the folder failed; the audio of other items stays.
    """
    if workers is not None and workers < 1:
        raise PedkitError(f"expected one worker or more, but got {workers}")

    def say(item: DesignItem) -> Audio | None:
        try:
            speech = engine.say(item.request)
            if speech.phones is not None and speech.phones != item.realized:
                return None
            samples = processing(speech.samples, speech.sample_rate)
            return folder.write_audio(item.id, samples, processing.sample_rate)
        except PedkitError as error:
            raise error.at(utterance=item.id) from None

    items = list(items)
    with ThreadPoolExecutor(workers or os.cpu_count()) as pool:
        futures = [pool.submit(say, item) for item in items]
        try:
            wait(futures, return_when=FIRST_EXCEPTION)
            return {item.id: future.result() for item, future in zip(items, futures, strict=True)}
        finally:
            pool.shutdown(cancel_futures=True)
