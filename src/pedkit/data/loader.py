"""`ResumableLoader`: a DataLoader that a checkpoint can stop and restart in the middle of an epoch."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from typing import Any

from torch.utils.data import DataLoader

from pedkit.data.batch import AudioBatch
from pedkit.data.dataset import PhoneDataset, PhoneSample
from pedkit.data.sampler import BucketBatchSampler

log = logging.getLogger(__name__)


class ResumableLoader(DataLoader[PhoneSample]):
    """Loads the batches of a `BucketBatchSampler` and remembers how many it has handed out.

    Lightning saves ``state_dict`` in every checkpoint and gives it back before training goes on; the batches of
    the epoch that were handed out before are then left out, and the rest come in the old order.

    Args:
        dataset: The data.
        sampler: Its batches.
        num_workers: Loader processes.
    """

    def __init__(self, dataset: PhoneDataset, sampler: BucketBatchSampler, *, num_workers: int = 0) -> None:
        super().__init__(
            dataset,
            batch_sampler=sampler,
            collate_fn=dataset.collate,
            num_workers=num_workers,
            persistent_workers=num_workers > 0,
        )
        self._order = sampler
        self._position = (0, 0)

    def __iter__(self) -> Iterator[AudioBatch]:  # type: ignore[override]
        # A generator on purpose: Lightning asks for the iterator before it calls set_epoch, and the order may be
        # drawn only after that.
        for number, batch in enumerate(super().__iter__(), start=1):
            self._position = self._order.epoch, self._order.skipped + number
            yield batch

    def state_dict(self) -> dict[str, Any]:
        """Return the epoch, how many of its batches were handed out, and of which clips."""
        return {"epoch": self._position[0], "batches": self._position[1], "clips": self._order.fingerprint}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Leave out the batches handed out before."""
        if state.get("clips", self._order.fingerprint) != self._order.fingerprint:
            log.warning(
                "the train clips are not those of the checkpoint (some became readable, or unreadable): "
                "the rest of its epoch comes in another order"
            )
        self._position = state["epoch"], state["batches"]
        self._order.resume(*self._position)
