"""`RunRecord`: which checkpoint is kept, in ``run.json``, after every epoch."""

from __future__ import annotations

from pathlib import Path

from pytorch_lightning import LightningModule, Trainer
from pytorch_lightning.callbacks import Checkpoint

from pedkit.scoring import Rate
from pedkit.training.checkpoints import BestCheckpoint
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

    def on_train_epoch_end(self, trainer: Trainer, pl_module: LightningModule) -> None:
        """Write the kept checkpoint, where it is a new one."""
        del pl_module
        self._write(trainer)

    def on_fit_end(self, trainer: Trainer, pl_module: LightningModule) -> None:
        """Write it for a run that was killed after its last checkpoint, and so has no epoch left."""
        del pl_module
        self._write(trainer)

    def _write(self, trainer: Trainer) -> None:
        """Write what is kept now; only then may what was kept before go."""
        best = next(one for one in trainer.checkpoint_callbacks if isinstance(one, BestCheckpoint))
        scores = DevScores.of(trainer)
        path = f"checkpoints/{Path(best.best_model_path).name}"
        kept = self._folder.record.get("kept")
        if scores.results and (kept is None or kept["checkpoint"] != path):
            self._update(path, *scores.best())
        if trainer.is_global_zero:
            best.clear_superseded()

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
