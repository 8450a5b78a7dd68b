"""CR-CTC: two augmented views of a clip are to give the same posteriors."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from pedkit.models.encoder import CtcOutput
from pedkit.models.padding import inside


def consistency_loss(first: CtcOutput, second: CtcOutput, phones: Sequence[int]) -> Tensor:
    """Return the consistency term of CR-CTC (Yao et al., ICLR 2025, arXiv:2410.05101, equation 4).

    ``1/2 sum_t KL(sg(b_t) || a_t) + KL(sg(a_t) || b_t)`` for the posteriors a and b of the two views, where no
    gradient goes through sg(.). Like the CTC loss it is divided by the number of phones of the clip and averaged
    over clips, so that the weight between the two terms means what it means in the paper.

    Args:
        first: Logits of one view.
        second: Logits of the other view of the same clips, with the same frames.
        phones: Number of phones of each clip; a clip without any counts as one phone.

    Returns:
        A scalar, 0 or more.
    """
    a, b = (view.logits.float().log_softmax(-1) for view in (first, second))
    frames = inside(first.frames, a.shape[1])
    divergence = (_divergence(b.detach(), a) + _divergence(a.detach(), b)) / 2
    numbers = torch.tensor(phones, device=a.device).clamp(min=1)
    return ((divergence * frames).sum(1) / numbers).mean()


def _divergence(target: Tensor, given: Tensor) -> Tensor:
    """Return KL(target || given) of each frame, from log-probabilities of shape ``(batch, frames, outputs)``."""
    return (target.exp() * (target - given)).sum(-1)
