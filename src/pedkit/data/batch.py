"""`AudioBatch`: padded waveforms and their phones, the one thing a DataLoader hands to a model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from pedkit.data.utterance import Utterance


@dataclass(frozen=True, slots=True)
class AudioBatch:
    """Several clips, padded with zeros to the longest.

    Attributes:
        waveforms: Mono samples in [-1, 1], shape ``(batch, samples)``, float32.
        lengths: True number of samples of each clip, shape ``(batch,)``, int64.
        utterances: The utterances, in the same order.
        targets: Phones to be learnt (strings of the model's inventory), one tuple a clip.
        sample_rate: Hz.
        unreadable: Id and fault of each clip that was to be in the batch, but whose recording cannot be read.
    """

    waveforms: Tensor
    lengths: Tensor
    utterances: tuple[Utterance, ...]
    targets: tuple[tuple[str, ...], ...]
    sample_rate: int = 16000
    unreadable: tuple[tuple[str, str], ...] = ()

    def __len__(self) -> int:
        return len(self.utterances)

    def to(self, device: torch.device | str) -> AudioBatch:
        """Return the batch with its tensors on ``device`` (Lightning calls this)."""
        return replace(self, waveforms=self.waveforms.to(device), lengths=self.lengths.to(device))

    @classmethod
    def collate(
        cls,
        samples: Sequence[Tensor],
        utterances: Sequence[Utterance],
        targets: Sequence[tuple[str, ...]],
        sample_rate: int = 16000,
    ) -> AudioBatch:
        """Pad 1-D waveforms to a batch."""
        lengths = torch.tensor([len(s) for s in samples], dtype=torch.int64)
        waveforms = torch.zeros(len(samples), int(lengths.max()) if len(samples) else 0)
        for row, clip in zip(waveforms, samples, strict=True):
            row[: len(clip)] = clip
        return cls(waveforms, lengths, tuple(utterances), tuple(targets), sample_rate)
