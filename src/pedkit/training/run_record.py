"""`RunRecord`: which checkpoint is kept, in ``run.json``, after every epoch."""

from __future__ import annotations

from pathlib import Path

from pytorch_lightning import LightningModule, Trainer
from pytorch_lightning.callbacks import Checkpoint

from pedkit.errors import PedkitError
from pedkit.scoring import Rate
from pedkit.training.checkpoints import DEV_PER, BestCheckpoint
from pedkit.training.dev_scores import DevScores
from pedkit.training.run_folder import RunFolder


class RunRecord(Checkpoint):
    """Writes the kept checkpoint with its exact dev PER (the checkpoint's own name holds a rounded one).

    It counts as a checkpoint callback because Lightning runs those last, in order: give it after the others.

    Args:
        folder: The run folder.
    """

    def __init__(self, folder: RunFolder) -> None:
        self._folder = folder

    def setup(self, trainer: Trainer, pl_module: LightningModule, stage: str) -> None:
        """Check that a checkpoint can be chosen, before hours are spent.

        Raises:
            PedkitError: A callback that it takes is switched off or chooses otherwise, or the dev sets would
                never be scored.
        """
        del pl_module, stage
        for name, needed in (("best", BestCheckpoint), ("dev_scores", DevScores)):
            if not any(isinstance(one, needed) for one in trainer.callbacks):  # type: ignore[attr-defined]
                raise PedkitError(
                    f"callbacks.{name} is switched off, but without it no checkpoint can be chosen on dev sets",
                    hint="steps=fixed trains for a number of updates and keeps the last weights",
                )
        best = self._best(trainer)
        if best.monitor != DEV_PER:
            raise PedkitError(
                f"expected callbacks.best.monitor to be {DEV_PER}, but got {best.monitor!r}",
                hint="select_on=NAME chooses on one dev set",
            )
        every, epochs = trainer.check_val_every_n_epoch, trainer.max_epochs
        if trainer.limit_val_batches == 0 or (every and epochs is not None and 0 <= epochs < every):
            raise PedkitError(
                f"the dev sets would never be scored: trainer.max_epochs is {epochs}, check_val_every_n_epoch "
                f"{every}, limit_val_batches {trainer.limit_val_batches}"
            )

    def on_train_epoch_end(self, trainer: Trainer, pl_module: LightningModule) -> None:
        """Write the kept checkpoint, where it is a new one."""
        del pl_module
        self._write(trainer)

    def on_fit_end(self, trainer: Trainer, pl_module: LightningModule) -> None:
        """Write it for a run that was killed after its last checkpoint, and so has no epoch left.

        Raises:
            PedkitError: The dev sets were never scored.
        """
        del pl_module
        if not DevScores.of(trainer).results:
            raise PedkitError(
                f"no checkpoint was kept: the training ended after {trainer.global_step} updates, before its "
                "first dev scores",
                hint="give trainer.max_epochs, or a trainer.max_steps of one epoch or more",
            )
        self._write(trainer)

    def _write(self, trainer: Trainer) -> None:
        """Write what is kept now; only then may what was kept before go."""
        best = self._best(trainer)
        scores = DevScores.of(trainer)
        path = f"checkpoints/{Path(best.best_model_path).name}"
        kept = self._folder.record.get("kept")
        if scores.results and (kept is None or kept["checkpoint"] != path):
            self._update(path, *scores.best())
        if trainer.is_global_zero:
            best.clear_superseded()

    @staticmethod
    def _best(trainer: Trainer) -> BestCheckpoint:
        return next(one for one in trainer.checkpoint_callbacks if isinstance(one, BestCheckpoint))

    def _update(self, path: str, epoch: int, per: Rate) -> None:
        self._folder.update(
            kept={
                "checkpoint": path,
                "epoch": epoch + 1,
                "dev_per": per.value,
                "errors": per.numerator,
                "reference_phones": per.denominator,
            }
        )
