"""`Objective`: what a training minimises: CTC, and on request two terms beside it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

from pedkit.errors import PedkitError
from pedkit.hints import keywords
from pedkit.models.articulatory import ArticulatoryHeads, head_input
from pedkit.models.consistency import consistency_loss
from pedkit.models.encoder import CtcEncoder, CtcOutput
from pedkit.models.families import masks_itself
from pedkit.models.loss import ctc_loss
from pedkit.models.spec_augment import SpecAugment
from pedkit.models.vocabulary import PhoneVocabulary


@dataclass(frozen=True, slots=True)
class Loss:
    """The loss of a batch.

    Attributes:
        value: What is minimised, a scalar.
        output: Logits and frames of the clips (of their first view where there are two).
        aligned: Number of clips in the loss.
        unalignable: Positions in the batch of clips with too few frames for their phones.
        parts: Name -> each term before it is weighted, a scalar: ``loss`` is the CTC loss.
    """

    value: Tensor
    output: CtcOutput
    aligned: int
    unalignable: tuple[int, ...]
    parts: dict[str, Tensor]


class Objective(nn.Module):
    """``CTC + consistency x CR + articulatory x ART``; with both weights at 0 it is the CTC loss, bit for bit.

    CR compares two views of each clip, that is two draws of SpecAugment and dropout in one forward pass of twice
    the clips (`consistency_loss`); the CTC loss is then the mean over both. ART is the loss of the
    `ArticulatoryHeads`.

    Args:
        vocabulary: Phones of the model.
        encoder: The model.
        consistency: Weight of CR; Yao et al. (2024) take 0.2.
        articulatory: Weight of ART.
        spec_augment: Arguments of `SpecAugment`; ``None`` for no masks.

    Raises:
        PedkitError: A weight is below 0, an argument is wrong, or the model masks by itself already.
    """

    def __init__(
        self,
        vocabulary: PhoneVocabulary,
        encoder: CtcEncoder,
        *,
        consistency: float = 0.0,
        articulatory: float = 0.0,
        spec_augment: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__()
        for name, weight in (("consistency", consistency), ("articulatory", articulatory)):
            if weight < 0:
                raise PedkitError(f"expected the weight {name} to be 0 or more, but got {weight}")
        self._blank, self._weights = vocabulary.blank, (consistency, articulatory)
        self._masks: SpecAugment | None = None
        if spec_augment is not None:
            if masks_itself(encoder.model):
                raise PedkitError(
                    "expected either spec_augment or the encoder's own mask_time_prob, but got both",
                    hint="set model.encoder.mask_time_prob: 0",
                )
            self._masks = SpecAugment(**keywords(SpecAugment, spec_augment, place="spec_augment"))
        width = encoder.model.lm_head.in_features
        self.articulatory = ArticulatoryHeads(vocabulary, width) if articulatory else None

    def forward(
        self, encoder: CtcEncoder, waveforms: Tensor, lengths: Tensor, labels: Sequence[Sequence[int]]
    ) -> Loss:
        """Return the loss of a padded batch.

        Args:
            encoder: The model.
            waveforms: Shape ``(batch, samples)``.
            lengths: True number of samples of each clip, shape ``(batch,)``.
            labels: Ids of the phones of each clip.
        """
        consistency, articulatory = self._weights
        clips, views = len(labels), 2 if consistency else 1
        if consistency:
            waveforms, lengths, labels = waveforms.repeat(2, 1), lengths.repeat(2), [*labels, *labels]
        with ExitStack() as stack:
            if self._masks is not None:
                stack.enter_context(self._masks.on(encoder, lengths))
            hidden = stack.enter_context(head_input(encoder)) if self.articulatory is not None else []
            output = encoder(waveforms, lengths)
        ctc = ctc_loss(output, labels, self._blank)
        value, parts = ctc.value, {"loss": ctc.value}
        first = CtcOutput(output.logits[:clips], output.frames[:clips]) if consistency else output
        if consistency:
            parts["consistency"] = _consistency(output, labels, set(ctc.unalignable), clips)
            value = value + consistency * parts["consistency"]
        if self.articulatory is not None:
            parts["articulatory"] = self.articulatory(hidden[0], output.frames, labels)
            value = value + articulatory * parts["articulatory"]
        unalignable = tuple(place for place in ctc.unalignable if place < clips)
        return Loss(value, first, ctc.aligned // views, unalignable, parts)


def _consistency(output: CtcOutput, labels: Sequence[Sequence[int]], left_out: set[int], clips: int) -> Tensor:
    """Return the consistency loss over the clips that can be aligned."""
    rows = [i for i in range(clips) if i not in left_out]
    if not rows:
        return output.logits.sum() * 0.0
    index = torch.tensor(rows, device=output.logits.device)
    first, second = (CtcOutput(output.logits[k], output.frames[k]) for k in (index, index + clips))
    return consistency_loss(first, second, [len(labels[i]) for i in rows])
