"""An effective batch, cut into what goes through the model together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from torch import Tensor

from pedkit.data.batch import AudioBatch
from pedkit.data.utterance import Utterance
from pedkit.models.language.clips import Clip
from pedkit.models.language.model import AudioLanguageModel
from pedkit.models.prompts import Prompt


@dataclass(frozen=True, slots=True)
class Microbatch:
    """Clips with their utterances and the phones to be answered."""

    clips: Sequence[Clip]
    utterances: Sequence[Utterance]
    targets: Sequence[tuple[str, ...]]

    def inputs(self, language: AudioLanguageModel, prompt: Prompt) -> dict[str, Tensor]:
        """Return the model's inputs, with labels on the answers.

        Raises:
            PedkitError: An utterance cannot be asked about; it is named.
        """
        return language.training_inputs(
            self.clips,
            [prompt.conversation(utterance) for utterance in self.utterances],
            [prompt.answer(target) for target in self.targets],
            names=[utterance.id for utterance in self.utterances],
        )


def samples(batch: AudioBatch) -> list[Clip]:
    """Return the clips of a batch without their padding."""
    return [
        np.ascontiguousarray(row[: int(length)].cpu().numpy(), dtype=np.float32)
        for row, length in zip(batch.waveforms, batch.lengths, strict=True)
    ]


def microbatches(batch: AudioBatch, size: int) -> list[Microbatch]:
    """Cut a batch into micro-batches of up to ``size`` clips of like length; the longest come last."""
    clips = samples(batch)
    order = sorted(range(len(clips)), key=lambda place: len(clips[place]))
    return [
        Microbatch(
            [clips[i] for i in places], [batch.utterances[i] for i in places], [batch.targets[i] for i in places]
        )
        for places in (order[start : start + size] for start in range(0, len(order), size))
    ]
