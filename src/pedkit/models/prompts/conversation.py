"""A conversation with an audio language model, before any model's own chat template."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Literal

from pedkit.data.utterance import Utterance


class Mark(Enum):
    """What stands in a turn and is no text."""

    AUDIO = "audio"


#: The place of a recording in a turn.
AUDIO = Mark.AUDIO


@dataclass(frozen=True, slots=True)
class Turn:
    """What one side says.

    Attributes:
        role: Who speaks.
        parts: Texts and `AUDIO` marks in reading order.
    """

    role: Literal["system", "user", "assistant"]
    parts: tuple[str | Mark, ...]

    @property
    def text(self) -> str:
        """The texts of the turn, joined by nothing."""
        return "".join(part for part in self.parts if isinstance(part, str))


Conversation = tuple[Turn, ...]


@dataclass(frozen=True, slots=True)
class Example:
    """One recording with its right answer, shown to a model before the question.

    Attributes:
        utterance: The recording, with text and canonical phones where the prompt is scripted.
        answer: What the model is to be seen answering, as `Prompt.answer` writes it.
        audio_hash: Hash of the samples; part of the prompt's hash, since other recordings are another request.
    """

    utterance: Utterance
    answer: str
    audio_hash: str | None = None


def clip_utterances(utterance: Utterance, examples: Sequence[Example] = ()) -> tuple[Utterance, ...]:
    """Return whose recordings the `AUDIO` marks of a conversation stand for, in reading order."""
    return (*(example.utterance for example in examples), utterance)
