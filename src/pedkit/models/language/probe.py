"""`AnswerProbe`: the loss of one made-up question, to measure what a training step takes."""

from __future__ import annotations

from typing import Any

from torch import Tensor, nn

from pedkit.data.utterance import Utterance
from pedkit.models.language.model import AudioLanguageModel
from pedkit.models.prompts import Prompt

_PHONES = ("AH",) * 40
"""An answer of a long sentence of TIMIT."""


class AnswerProbe(nn.Module):
    """Takes ``(waveforms, lengths)`` of one clip and returns the loss of an answer about it.

    Args:
        language: The model.
        prompt: What it is asked.
    """

    def __init__(self, language: AudioLanguageModel, prompt: Prompt) -> None:
        super().__init__()
        self._language, self._prompt = language, prompt
        self.model = language.model

    def train(self, mode: bool = True) -> Any:
        """Switch the text model's mode; what is frozen stays in evaluation mode."""
        super().train(mode)
        if mode:
            self._language.train_mode()
        return self

    def forward(self, waveforms: Tensor, lengths: Tensor) -> Tensor:
        """Return the summed loss, shape ``()``."""
        utterance = Utterance(id="made up", text="a", canonical=_PHONES, inventory="cmu39")
        clip = waveforms[0, : int(lengths[0])].numpy()
        inputs = self._language.training_inputs(
            [clip], [self._prompt.conversation(utterance)], [self._prompt.answer(_PHONES)]
        )
        return self._language.answer_loss(inputs).total
