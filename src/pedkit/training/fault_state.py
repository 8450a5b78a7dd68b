"""`FaultState`: the state in which a training stopped because its loss was no number."""

from __future__ import annotations

import logging
from pathlib import Path

from pytorch_lightning import Callback, LightningModule, Trainer

from pedkit.models.loss_fault import LossNotFiniteError
from pedkit.training.checkpoints import weights_are_numbers
from pedkit.training.run_folder import RunFolder

log = logging.getLogger(__name__)


class FaultState(Callback):
    """Saves a checkpoint when the loss is no number, and writes place and utterances into ``run.json``.

    The checkpoint is of before the batch: no update was made with it. Where an earlier update has spoilt the
    weights there is none. Nothing resumes from it by itself; copied to
    ``last.ckpt`` it would, as would any other.

    Args:
        folder: The run folder; the file is ``checkpoints/stopped.ckpt`` in it.
    """

    def __init__(self, folder: RunFolder) -> None:
        self._folder = folder

    @property
    def path(self) -> Path:
        """The file."""
        return self._folder.path / "checkpoints" / "stopped.ckpt"

    def on_exception(self, trainer: Trainer, pl_module: LightningModule, exception: BaseException) -> None:
        """Save the state; all processes come here together."""
        del pl_module
        if not isinstance(exception, LossNotFiniteError):
            return
        saved = weights_are_numbers(trainer)
        if saved:
            trainer.save_checkpoint(self.path)
        self._folder.update(
            stopped={
                "checkpoint": "checkpoints/stopped.ckpt" if saved else None,
                "epoch": trainer.current_epoch + 1,
                "update": trainer.global_step,
                "utterances": list(exception.utterances),
            }
        )
        if saved:
            log.error("the state before this batch is in %s", self.path)
        else:
            log.error("the weights before this batch are no numbers either, so they are not saved")
