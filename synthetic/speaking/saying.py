"""What a worker process does with one item: say it, compare, process the sound, write the file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from pedkit.data.utterance import Audio
from pedkit.errors import PedkitError
from synthetic.design import DesignItem
from synthetic.engines import Speech, SpeechEngine
from synthetic.output.folder import OutputFolder
from synthetic.post_processing import PostProcessing


@dataclass(frozen=True, slots=True)
class Spoken:
    """An item that was said as asked; its audio is written."""

    audio: Audio


@dataclass(frozen=True, slots=True)
class Refused:
    """An item that has no audio, refused at speaking.

    Attributes:
        error: ``other_phones`` where the engine said something else than it was asked to, else what went wrong:
            ``engine_error``, ``engine_stopped``, ``no_sound``.
        reason: The same in one sentence.
        spoken: What the engine said, where it said something else.
    """

    error: str
    reason: str
    spoken: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Sayer:
    """What a process needs to say items. Called in the process, it builds the engines and returns what says them.

    Attributes:
        engines: For each name of an engine, what builds it.
        processing: What becomes of the samples.
        folder: Where the audio goes.
    """

    engines: Mapping[str, Callable[[], SpeechEngine]]
    processing: PostProcessing
    folder: OutputFolder

    def __call__(self) -> Callable[[DesignItem], Spoken | Refused]:
        """Build the engines.

        Raises:
            PedkitError: One is not installed.
        """
        engines = {name: build() for name, build in self.engines.items()}

        def say(item: DesignItem) -> Spoken | Refused:
            try:
                speech = engines[item.engine].say(item.request)
            except Exception as error:  # engines are programs of others: whatever one raises concerns its item
                return Refused("engine_error", _sentence(error))
            return self._kept(item, speech)

        return say

    def _kept(self, item: DesignItem, speech: Speech) -> Spoken | Refused:
        if speech.phones is not None and speech.phones != item.realized:
            reason = f"the engine said '{' '.join(speech.phones)}'"
            return Refused("other_phones", reason, speech.phones)
        if not np.any(speech.samples):
            return Refused("no_sound", "the engine made no sound")
        if not np.all(np.isfinite(speech.samples)):
            return Refused("engine_error", "the engine made samples that are not finite")
        samples = self.processing(speech.samples, speech.sample_rate, item.id)
        return Spoken(self.folder.write_audio(item.id, samples, self.processing.sample_rate))


def _sentence(error: Exception) -> str:
    text = " ".join(str(error).split())
    return text if isinstance(error, PedkitError) else f"{type(error).__name__}: {text}"
