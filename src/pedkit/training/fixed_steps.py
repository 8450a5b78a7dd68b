"""`FixedSteps`: train for a number of updates that was found elsewhere, and keep the weights after the last."""

from __future__ import annotations

import logging
import math
from collections.abc import Mapping
from typing import Any

from pytorch_lightning import LightningModule, Trainer
from pytorch_lightning.callbacks import Checkpoint

from pedkit.errors import PedkitError
from pedkit.training.checkpoints import DEV_PER
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

    The dev sets are scored after that update, wherever in an epoch it falls: ``dev_per`` is of the kept weights.

    Args:
        folder: The run folder.
        count: Updates of the whole training.
    """

    def __init__(self, folder: RunFolder, count: int) -> None:
        self._folder, self._count = folder, count
        self._scored: tuple[int, float] | None = None  # after how many updates, and the dev PER

    def on_train_batch_end(self, trainer: Trainer, *_: Any, **__: Any) -> None:
        """Ask for the dev scores of the last update; Lightning scores whole epochs."""
        if trainer.global_step == self._count:
            trainer.should_stop, trainer.check_val_every_n_epoch = True, 1

    def on_validation_end(self, trainer: Trainer, pl_module: LightningModule) -> None:
        """Note the dev PER, and of which weights it is."""
        del pl_module
        per = trainer.callback_metrics.get(DEV_PER)
        if per is not None and not trainer.sanity_checking:
            self._scored = trainer.global_step, float(per)

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
        step, per = self._scored or (None, None)
        updates = -(-trainer.num_training_batches // trainer.accumulate_grad_batches)
        self._folder.update(
            kept={
                "checkpoint": "checkpoints/last.ckpt",
                "epoch": -(-self._count // int(updates)),
                "step": self._count,
                "dev_per": per if step == self._count else None,
            }
        )

    def state_dict(self) -> dict[str, Any]:
        """Return the last dev PER."""
        return {"scored": self._scored}

    def load_state_dict(self, state_dict: Mapping[str, Any]) -> None:
        """Take over the last dev PER of an interrupted run."""
        self._scored = state_dict["scored"]
