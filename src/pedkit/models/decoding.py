"""Decoding of CTC models: a decoder turns the logits of a clip into phones with confidence and place."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor

from pedkit.errors import PedkitError
from pedkit.models.collapse import ctc_runs
from pedkit.models.encoder import CtcEncoder
from pedkit.models.vocabulary import PhoneVocabulary


@dataclass(frozen=True, slots=True)
class Heard:
    """What a model heard in one clip.

    Attributes:
        phones: The phones.
        confidences: For each phone the mean posterior over its frames, in [0, 1].
        spans: For each phone its frames ``[start, end)`` on the most likely CTC path of all phones (the Viterbi
            forced alignment of ``phones``).
        frames: Frames of the clip.
        blank_frames: Frames in which the blank is the most likely output.
        inventory: Always ``None``: the vocabulary says it.
    """

    phones: tuple[str, ...]
    confidences: tuple[float, ...]
    spans: tuple[tuple[int, int], ...]
    frames: int
    blank_frames: int
    inventory: None = None

    def shares(self) -> dict[str, tuple[float, float]]:
        """Return the share of blanks among the frames, weighted by them (see `pedkit.models.HeardClip`)."""
        return {"dev_blank_share": (self.blank_frames / self.frames, self.frames)} if self.frames else {}


class NotANumberError(PedkitError):
    """The outputs of a model for a clip are no numbers, which is not the same as hearing nothing."""


NOT_A_NUMBER = "the model's outputs for a clip are not numbers (NaN): its weights are damaged or overflow"
"""What a `NotANumberError` says."""

Decoder = Callable[[Tensor, PhoneVocabulary], Heard]
"""Takes the logits of one clip, shape ``(frames, outputs)``, and the phones of the outputs."""


class GreedyDecoder:
    """Takes the most likely output of every frame (best-path decoding, Graves et al. 2006, section 3.2).

    No path is more likely than this one, so it is also the forced alignment of the phones it collapses to: their
    places and confidences cost nothing.
    """

    def __str__(self) -> str:
        return "greedy"

    def __call__(self, logits: Tensor, vocabulary: PhoneVocabulary) -> Heard:
        """Return what was heard; outputs that are no phones are left out.

        Raises:
            NotANumberError: The logits hold NaN, or an infinity that makes NaN of all posteriors of a frame.
        """
        posteriors, path = logits.float().softmax(-1).max(-1)
        probability, ids = posteriors.tolist(), path.tolist()
        if any(map(math.isnan, probability)):
            raise NotANumberError(NOT_A_NUMBER)
        runs = [run for run in ctc_runs(ids, vocabulary.blank) if vocabulary.phone(run.id) is not None]
        return Heard(
            phones=vocabulary.decode(run.id for run in runs),
            confidences=tuple(sum(probability[run.start : run.end]) / (run.end - run.start) for run in runs),
            spans=tuple((run.start, run.end) for run in runs),
            frames=len(ids),
            blank_frames=ids.count(vocabulary.blank),
        )


@torch.no_grad()
def decode(
    encoder: CtcEncoder,
    vocabulary: PhoneVocabulary,
    waveforms: Tensor,
    lengths: Tensor,
    decoder: Decoder | None = None,
) -> list[Heard]:
    """Decode a padded batch; a model that is not batch-invariant gets the clips one by one.

    Args:
        encoder: The model, in evaluation mode.
        vocabulary: Its vocabulary.
        waveforms: Shape ``(batch, samples)``.
        lengths: True number of samples of each clip, shape ``(batch,)``.
        decoder: Turns the logits of a clip into phones; greedily where ``None``.

    Raises:
        NotANumberError: The model's outputs for a clip are not numbers.
    """
    decoder = GreedyDecoder() if decoder is None else decoder
    if encoder.batch_invariant:
        output = encoder(waveforms, lengths)
        frames = output.frames.tolist()
        return [decoder(logits[:n], vocabulary) for logits, n in zip(output.logits, frames, strict=True)]
    heard = []
    for row, length in zip(waveforms, lengths, strict=True):
        output = encoder(row[None, : int(length)], length[None])
        heard.append(decoder(output.logits[0, : int(output.frames)], vocabulary))
    return heard
