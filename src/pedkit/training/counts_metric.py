"""`CountsMetric`: the counts of `pedkit.scoring`, summed over batches and processes as torchmetrics does it."""

from __future__ import annotations

import torch
from torch import Tensor
from torchmetrics import Metric

from pedkit.scoring import Counts


class CountsMetric(Metric):
    """Sums `Counts`; the state is one vector of integers, so the sum over processes is exact in any order.

    >>> metric = CountsMetric()
    >>> metric.update(Counts.from_fields({"substitutions": 1, "reference_phones": 4}))
    >>> metric.update(Counts.from_fields({"deletions": 2, "reference_phones": 2}))
    >>> metric.compute().per.value
    0.5
    """

    full_state_update = False
    vector: Tensor

    def __init__(self) -> None:
        super().__init__()
        self.add_state("vector", torch.from_numpy(Counts.zero().to_array()), dist_reduce_fx="sum")

    def update(self, counts: Counts) -> None:
        """Add counts."""
        self.vector += torch.from_numpy(counts.to_array()).to(self.vector.device)

    def compute(self) -> Counts:
        """Return the sum over all updates of all processes."""
        return Counts.from_array(self.vector.cpu().numpy())
