"""The CTC loss over the clips that can be aligned; the others are left out and named, not counted as zero."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from pedkit.models.collapse import frames_needed
from pedkit.models.encoder import CtcOutput


@dataclass(frozen=True, slots=True)
class CtcLoss:
    """Loss of a batch.

    Attributes:
        value: Mean over the alignable clips of the negative log-likelihood per phone (nats), a scalar; 0, with a
            gradient of 0, where no clip can be aligned.
        aligned: Number of clips in the mean.
        unalignable: Positions in the batch of clips with fewer frames than a path of their phones needs.
    """

    value: Tensor
    aligned: int
    unalignable: tuple[int, ...]


def ctc_loss(output: CtcOutput, labels: Sequence[Sequence[int]], blank: int = 0) -> CtcLoss:
    """Return the CTC loss (Graves et al. 2006), normalised as ``torch.nn.functional.ctc_loss(reduction="mean")``.

    Args:
        output: Logits and frame counts.
        labels: Ids of the phones of each clip, in the order of the batch.
        blank: Id of the blank.
    """
    fits = [frames_needed(ids) <= frames for ids, frames in zip(labels, output.frames.tolist(), strict=True)]
    rows = [i for i, fit in enumerate(fits) if fit]
    unalignable = tuple(i for i, fit in enumerate(fits) if not fit)
    if not rows:
        return CtcLoss(output.logits.sum() * 0.0, 0, unalignable)
    index = torch.tensor(rows, device=output.logits.device)
    log_probs = output.logits[index].float().log_softmax(-1).transpose(0, 1)
    sizes = torch.tensor([len(labels[i]) for i in rows])
    targets = torch.tensor([number for i in rows for number in labels[i]], dtype=torch.long)
    losses = nn.functional.ctc_loss(
        log_probs,
        targets.to(log_probs.device),
        output.frames[index],
        sizes.to(log_probs.device),
        blank=blank,
        reduction="none",
        zero_infinity=True,
    )
    return CtcLoss((losses / sizes.to(losses).clamp(min=1)).mean(), len(rows), unalignable)
