"""Clips in, answers out: the same for the dev sets of a training and for recognizers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch

from pedkit.data.utterance import Utterance
from pedkit.models.answers import Answer, parse_answer
from pedkit.models.language.clips import Clip
from pedkit.models.language.model import AudioLanguageModel
from pedkit.models.prompts import Example, Prompt

MAX_NEW_TOKENS = 512
"""Most tokens of an answer, as in PEDBench."""


@dataclass(frozen=True, slots=True)
class HeardAnswer:
    """What a model answered about one clip.

    Attributes:
        text: The answer as it was written.
        answer: What it says.
        cut_off: Whether it had no end within the limit.
    """

    text: str
    answer: Answer
    cut_off: bool

    @property
    def phones(self) -> tuple[str, ...]:
        """The phones."""
        return self.answer.phones

    @property
    def inventory(self) -> str:
        """Their inventory."""
        return self.answer.inventory

    def shares(self) -> dict[str, tuple[float, float]]:
        """Return what share of one answer was unparsable, recovered or cut off: 0 or 1, of weight 1."""
        found = {
            "dev_unparsable_share": self.answer.status == "unparsable",
            "dev_recovered_share": self.answer.recovered,
            "dev_cut_off_share": self.cut_off,
        }
        return {name: (float(value), 1.0) for name, value in found.items()}


def hear_answers(
    language: AudioLanguageModel,
    prompt: Prompt,
    clips: Sequence[Clip],
    utterances: Sequence[Utterance],
    *,
    examples: Sequence[tuple[Example, Clip]] = (),
    max_new_tokens: int = MAX_NEW_TOKENS,
    constraint: Any | None = None,
) -> list[HeardAnswer]:
    """Ask a model about each clip, greedily, all in one batch.

    Args:
        language: The model.
        prompt: What it is asked.
        clips: Samples of each utterance.
        utterances: The utterances; a scripted prompt tells their text and canonical phones.
        examples: Answered recordings that are shown before each question.
        max_new_tokens: Most tokens of an answer.
        constraint: A logits processor that rules out tokens, such as `AnswerConstraint`.

    Raises:
        PedkitError: A clip or an utterance cannot be asked about; it is named.
    """
    shown = [example for example, _ in examples]
    conversations = [prompt.conversation(utterance, shown) for utterance in utterances]
    flat = [one for clip in clips for one in (*(recording for _, recording in examples), clip)]
    inputs = language.generation_inputs(flat, conversations, names=[utterance.id for utterance in utterances])
    with torch.autocast(language.device.type, enabled=False):  # the weights have their number formats already
        found = language.generate(
            inputs, max_new_tokens=max_new_tokens, logits_processor=None if constraint is None else [constraint]
        )
    return [
        HeardAnswer(text, parse_answer(text, cut_off=cut_off, key=prompt.template.key), cut_off)
        for text, cut_off in zip(found.texts, found.cut_off, strict=True)
    ]
