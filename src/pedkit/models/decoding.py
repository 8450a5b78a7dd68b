"""Greedy CTC decoding with the confidence and the place of every phone."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from pedkit.models.collapse import ctc_runs
from pedkit.models.encoder import CtcEncoder
from pedkit.models.vocabulary import PhoneVocabulary


@dataclass(frozen=True, slots=True)
class Heard:
    """What a model heard in one clip.

    Attributes:
        phones: The phones.
        confidences: For each phone the mean posterior over its frames, in (0, 1].
        spans: For each phone the frames ``[start, end)`` in which it is the most likely output.
        frames: Frames of the clip.
        blank_frames: Frames in which the blank is the most likely output.
    """

    phones: tuple[str, ...]
    confidences: tuple[float, ...]
    spans: tuple[tuple[int, int], ...]
    frames: int
    blank_frames: int


@torch.no_grad()
def decode_greedily(
    encoder: CtcEncoder, vocabulary: PhoneVocabulary, waveforms: Tensor, lengths: Tensor
) -> list[Heard]:
    """Decode a padded batch; a model that is not batch-invariant gets the clips one by one.

    Args:
        encoder: The model, in evaluation mode.
        vocabulary: Its vocabulary.
        waveforms: Shape ``(batch, samples)``.
        lengths: True number of samples of each clip, shape ``(batch,)``.
    """
    if encoder.batch_invariant:
        output = encoder(waveforms, lengths)
        frames = output.frames.tolist()
        return [_decode(logits[:n], vocabulary) for logits, n in zip(output.logits, frames, strict=True)]
    heard = []
    for row, length in zip(waveforms, lengths, strict=True):
        output = encoder(row[None, : int(length)], length[None])
        heard.append(_decode(output.logits[0, : int(output.frames)], vocabulary))
    return heard


def _decode(logits: Tensor, vocabulary: PhoneVocabulary) -> Heard:
    posteriors, path = logits.float().softmax(-1).max(-1)
    probability, ids = posteriors.tolist(), path.tolist()
    runs = [run for run in ctc_runs(ids, vocabulary.blank) if vocabulary.phone(run.id) is not None]
    return Heard(
        phones=vocabulary.decode(run.id for run in runs),
        confidences=tuple(sum(probability[run.start : run.end]) / (run.end - run.start) for run in runs),
        spans=tuple((run.start, run.end) for run in runs),
        frames=len(ids),
        blank_frames=ids.count(vocabulary.blank),
    )
