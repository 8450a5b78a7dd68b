"""Few-shot: recordings that are shown with their right answers before the question."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from pedkit.data.audio import load_audio
from pedkit.data.manifest_part import ManifestPart
from pedkit.data.utterance import Utterance
from pedkit.errors import PedkitError
from pedkit.models.prompts import Example, Prompt
from pedkit.recognizers.hosted.sound import SAMPLE_RATE, Sound
from pedkit.recognizers.protocol import Clip, RecognizerStoppedError


@dataclass(frozen=True, slots=True)
class Shown:
    """Examples with their recordings, in order."""

    examples: tuple[Example, ...] = ()
    sounds: tuple[Sound, ...] = ()

    @classmethod
    def read(cls, given: str | Mapping[str, Any] | None, prompt: Prompt) -> Shown:
        """Read the examples.

        Args:
            given: Manifest, or the arguments of `pedkit.data.manifest_part.ManifestPart`; ``None`` for none.
            prompt: Which writes the answers.

        Raises:
            PedkitError: A recording has no audio or no realized phones, or cannot be read.
        """
        if given is None:
            return cls()
        examples, sounds = [], []
        part = ManifestPart.of(given)
        for utterance in part.read():
            if utterance.audio is None:
                raise PedkitError("has no audio, so it is no example", utterance=utterance.id, file=part.manifest)
            sound = Sound.of(Clip(utterance, load_audio(utterance.audio, SAMPLE_RATE), SAMPLE_RATE))
            examples.append(prompt.example(utterance, sound.sha256))
            sounds.append(sound)
        return cls(tuple(examples), tuple(sounds))

    @property
    def utterances(self) -> tuple[Utterance, ...]:
        """Whose recordings they are."""
        return tuple(example.utterance for example in self.examples)

    def refuse(self, utterances: Iterable[Utterance]) -> None:
        """Check that no recording under test is shown with its answer.

        Raises:
            RecognizerStoppedError: One is.
        """
        shown = {(one.id, one.corpus) for one in self.utterances}
        for one in utterances if shown else ():
            if (one.id, one.corpus) in shown:
                raise RecognizerStoppedError(
                    "the recording is under test and shown with its answer (recognizer.examples)",
                    utterance=one.id,
                    hint="take the examples from another split",
                )
