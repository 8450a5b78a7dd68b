"""`FixedSteps`: train for a number of updates that was found elsewhere, and keep the weights after the last."""

from __future__ import annotations

import logging
import math
from collections.abc import Mapping
from typing import Any

from pytorch_lightning import LightningModule, Trainer
from pytorch_lightning.callbacks import Checkpoint

from pedkit.errors import PedkitError
from pedkit.training.run_folder import RunFolder
from pedkit.training.run_training import fit
from pedkit.training.step_plan import fixed_length

log = logging.getLogger(__name__)


class FixedSteps:
    """A training of so many updates; no dev set is needed, and none chooses the checkpoint.

    Args:
        count: Updates.
        schedule_steps: Updates that the schedule of the learning rate spans; ``count`` where ``None``. A longer
            one is cut off.

    Raises:
        PedkitError: A number is below 1, or the schedule ends before the training.
    """

    def __init__(self, *, count: int, schedule_steps: int | None = None) -> None:
        self.count = self.updates = count
        self.span = count if schedule_steps is None else schedule_steps
        if not 1 <= count <= self.span:
            raise PedkitError(
                f"expected 1 or more updates and a schedule that is no shorter, but got count={count} and "
                f"schedule_steps={schedule_steps}"
            )

    def run(self, settings: Mapping[str, Any], folder: RunFolder) -> None:
        """Train; ``run.json`` gets ``kept`` with the last weights.

        Args:
            settings: The resolved configuration.
            folder: The run folder.

        Raises:
            PedkitError: A setting has no place in such a training, or data cannot be used.
        """
        fixed = fixed_length(settings, self.count)
        if not settings["data"]["dev"]:
            fixed["callbacks"] |= {"dev_scores": None}
            fixed["trainer"] |= {"limit_val_batches": 0}
        fit(fixed, folder, record=LastWeights(folder, self.count), schedule_steps=self.span)
        if folder.leads:
            kept = folder.record["kept"]
            log.info("kept %s: the weights after %d updates", folder.path / kept["checkpoint"], kept["step"])

    def value(self, record: Mapping[str, Any]) -> float:
        """Return the dev PER of the last weights, NaN without a dev set."""
        per = record["kept"]["dev_per"]
        return math.nan if per is None else float(per)


class LastWeights(Checkpoint):
    """Writes ``last.ckpt`` into ``run.json`` as the kept checkpoint, once it holds the last update.

    Args:
        folder: The run folder.
        count: Updates of the whole training.
    """

    def __init__(self, folder: RunFolder, count: int) -> None:
        self._folder, self._count = folder, count

    def on_fit_end(self, trainer: Trainer, pl_module: LightningModule) -> None:
        """Write it.

        Raises:
            PedkitError: The training ended earlier.
        """
        del pl_module
        if trainer.global_step != self._count:
            raise PedkitError(
                f"expected {self._count} updates, but the training ended after {trainer.global_step}"
            )
        per = trainer.callback_metrics.get("dev_per")
        updates = -(-trainer.num_training_batches // trainer.accumulate_grad_batches)
        self._folder.update(
            kept={
                "checkpoint": "checkpoints/last.ckpt",
                "epoch": -(-self._count // int(updates)),
                "step": self._count,
                "dev_per": None if per is None else float(per),
            }
        )
