"""`EarlyStopping`: ends a training whose dev PER no longer falls, and says so."""

from __future__ import annotations

import logging

from pytorch_lightning import LightningModule, Trainer, callbacks

from pedkit.errors import PedkitError

log = logging.getLogger(__name__)


class EarlyStopping(callbacks.EarlyStopping):
    """Lightning's early stopping on a dev metric, lower is better; what it says reaches the run's log.

    Args:
        monitor: Logged metric that must fall: ``dev_per``, ``dev_pfer`` or ``dev_per_NAME``.
        patience: Dev scores without a new lowest value before the training ends; there is one every
            ``trainer.check_val_every_n_epoch`` epochs.
        min_delta: By how much it must fall to count.
    """

    def __init__(self, monitor: str = "dev_per", *, patience: int = 10, min_delta: float = 0.0) -> None:
        super().__init__(monitor, mode="min", patience=patience, min_delta=min_delta)

    def setup(self, trainer: Trainer, pl_module: LightningModule, stage: str) -> None:
        """Check that the metric is one that dev sets have and that falls where a model gets better.

        Raises:
            PedkitError: It is another.
        """
        super().setup(trainer, pl_module, stage)
        names = trainer.datamodule.dev_names  # type: ignore[attr-defined]
        known = ["dev_per", "dev_pfer", *(f"dev_per_{name}" for name in names)]
        if self.monitor not in known:
            raise PedkitError(
                f"expected callbacks.early_stopping.monitor to be {' or '.join(known)}, but got {self.monitor!r}"
            )

    def on_fit_end(self, trainer: Trainer, pl_module: LightningModule) -> None:
        """Say why the training ended before its last epoch."""
        del pl_module
        if self.stopped_epoch and trainer.is_global_zero:
            log.info(
                "stopped after epoch %d: %s has not fallen below %.4f in %d dev scores",
                self.stopped_epoch + 1, self.monitor, float(self.best_score), self.patience,
            )  # fmt: skip
