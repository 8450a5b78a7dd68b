"""Where clips end in a padded batch."""

from __future__ import annotations

import torch
from torch import Tensor


def inside(lengths: Tensor, size: int) -> Tensor:
    """Return a boolean mask, shape ``(batch, size)``: True up to each clip's length, False in the padding."""
    return torch.arange(size, device=lengths.device) < lengths[:, None]
