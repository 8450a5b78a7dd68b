"""`EpochMeans`: weighted means and named clips over an epoch, exact over processes and across a resume."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import torch.distributed as dist

Sums = dict[str, tuple[float, float]]


class EpochMeans:
    """Sums what the batches of an epoch say of themselves.

    Lightning's own means of an epoch are of the first process alone, and forget on a resume what came before.

    >>> means = EpochMeans()
    >>> means.add("loss", 3.0, 1)
    >>> means.add("loss", 1.0, 3)
    >>> means.compute()
    {'loss': 1.5}
    """

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """Forget everything: a new epoch begins."""
        self._sums: Sums = {}
        self._named: dict[str, set[str]] = {}

    def add(self, name: str, value: float, weight: float) -> None:
        """Add a mean over ``weight`` things (clips, frames, samples) of a batch."""
        total, weights = self._sums.get(name, (0.0, 0.0))
        self._sums[name] = total + value * weight, weights + weight

    def count(self, name: str, ids: Iterable[str]) -> None:
        """Note utterances under a name; `compute` returns the number of different ones."""
        self._named.setdefault(name, set()).update(ids)

    def compute(self) -> dict[str, float]:
        """Return the means, and the numbers of utterances, over all processes; call it in every process.

        A mean over nothing is left out.
        """
        sums, named = _over_processes(self._sums, self._named)
        means = {name: total / weight for name, (total, weight) in sums.items() if weight}
        return means | {name: float(len(ids)) for name, ids in named.items()}

    def state_dict(self) -> dict[str, Any]:
        """Return the sums over all processes as plain containers; call it in every process."""
        sums, named = _over_processes(self._sums, self._named)
        return {"sums": {name: list(pair) for name, pair in sums.items()},
                "named": {name: sorted(ids) for name, ids in named.items()}}  # fmt: skip

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Take over the sums of an interrupted epoch; of several processes the first does."""
        self.reset()
        if not _several() or dist.get_rank() == 0:
            self._sums = {name: (total, weight) for name, (total, weight) in state["sums"].items()}
            self._named = {name: set(ids) for name, ids in state["named"].items()}


def _several() -> bool:
    return dist.is_available() and dist.is_initialized() and dist.get_world_size() > 1


def _over_processes(sums: Sums, named: dict[str, set[str]]) -> tuple[Sums, dict[str, set[str]]]:
    if not _several():
        return sums, named
    parts: list[Any] = [None] * dist.get_world_size()
    dist.all_gather_object(parts, (sums, named))
    whole = EpochMeans()
    for part_sums, part_named in parts:
        for name, (total, weight) in part_sums.items():
            before = whole._sums.get(name, (0.0, 0.0))
            whole._sums[name] = before[0] + total, before[1] + weight
        for name, ids in part_named.items():
            whole.count(name, ids)
    return whole._sums, whole._named
