"""`EarlyStopping`: ends a training whose dev PER no longer falls, and says so."""

from __future__ import annotations

import logging

from pytorch_lightning import LightningModule, Trainer, callbacks

log = logging.getLogger(__name__)


class EarlyStopping(callbacks.EarlyStopping):
    """Lightning's early stopping on a dev metric, lower is better; what it says reaches the run's log.

    Args:
        monitor: Logged metric that must fall.
        patience: Epochs without a new lowest value before the training ends.
        min_delta: By how much it must fall to count.
    """

    def __init__(self, monitor: str = "dev_per", *, patience: int = 10, min_delta: float = 0.0) -> None:
        super().__init__(monitor, mode="min", patience=patience, min_delta=min_delta)

    def on_fit_end(self, trainer: Trainer, pl_module: LightningModule) -> None:
        """Say why the training ended before its last epoch."""
        del pl_module
        if self.stopped_epoch and trainer.is_global_zero:
            log.info(
                "stopped after epoch %d: %s has not fallen below %.4f for %d epochs",
                self.stopped_epoch + 1, self.monitor, float(self.best_score), self.patience,
            )  # fmt: skip
