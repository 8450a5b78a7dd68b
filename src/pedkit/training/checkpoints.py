"""Which checkpoints stay: the best on dev PER, and the last for resuming; each written whole or not at all."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

import torch
from lightning_fabric.plugins import TorchCheckpointIO
from pytorch_lightning import LightningModule, Trainer
from pytorch_lightning.callbacks import ModelCheckpoint
from torch.distributed.tensor import DTensor

from pedkit.data.atomic import replacing_bytes
from pedkit.errors import PedkitError
from pedkit.models.loss_fault import LossNotFiniteError

DEV_PER = "dev_per"
"""What `pedkit.training.DevScores` logs of the dev sets that choose the checkpoint."""
_ANEW = "delete it to begin the training anew, or choose another output_dir"


class BestCheckpoint(ModelCheckpoint):
    """Keeps the checkpoint with the lowest ``dev_per``; ties keep the earlier epoch, NaN never wins.

    The one before it stays until `clear_superseded`: ``last.ckpt`` and ``run.json`` name it until they are written
    anew, and a process may be killed in between.

    Args:
        dirpath: Folder of the checkpoints.
        monitor: Logged metric that decides; lower is better.
    """

    def __init__(self, dirpath: str | Path, *, monitor: str = DEV_PER) -> None:
        super().__init__(
            dirpath=str(dirpath),
            filename=f"epoch{{epoch:03d}}-{monitor}{{{monitor}:.4f}}",
            auto_insert_metric_name=False,  # it would put a folder into the name of a metric with a slash
            monitor=monitor,
            mode="min",
            save_top_k=1,
            save_on_train_epoch_end=True,
            enable_version_counter=False,
        )

    def on_train_epoch_end(self, trainer: Trainer, pl_module: LightningModule) -> None:
        """Compare this epoch; one without dev scores (``trainer.check_val_every_n_epoch``) is left out."""
        if DEV_PER in trainer.callback_metrics:
            super().on_train_epoch_end(trainer, pl_module)

    def format_checkpoint_name(self, metrics: dict[str, Any], *args: Any, **kwargs: Any) -> str:
        """Return the file's name; it counts epochs from 1, as everything that people read does."""
        return super().format_checkpoint_name({**metrics, "epoch": metrics["epoch"] + 1}, *args, **kwargs)

    def clear_superseded(self) -> None:
        """Remove all but the best, those too that a killed process left."""
        if not self.best_model_path:
            return
        for file in Path(str(self.dirpath)).glob(f"epoch*-{self.monitor}*{self.FILE_EXTENSION}"):
            if str(file) != self.best_model_path:
                file.unlink(missing_ok=True)

    def _remove_checkpoint(self, trainer: Trainer, filepath: str) -> None:
        """Leave it to `clear_superseded`."""

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take over the best so far, wherever the run folder lies now."""
        folder = str(self.dirpath)

        def here(path: str) -> str:
            return str(Path(folder) / Path(path).name) if path else path

        paths = ("best_model_path", "kth_best_model_path", "last_model_path")
        moved = {key: here(state_dict[key]) for key in paths}
        best = {here(path): score for path, score in state_dict["best_k_models"].items()}
        super().load_state_dict({**state_dict, **moved, "best_k_models": best, "dirpath": self.dirpath})


class LastCheckpoint(ModelCheckpoint):
    """Keeps ``last.ckpt``, from which an interrupted run continues; written after every epoch, and within one.

    Within an epoch it is written only right after an update: gradients that wait for one are in no checkpoint.

    Args:
        dirpath: Folder of the checkpoints.
        every_updates: Updates between two checkpoints within an epoch; ``None`` = as ``every_minutes`` says.
        every_minutes: Minutes between two checkpoints within an epoch; ``None`` = as ``every_updates`` says.

    Raises:
        PedkitError: A number is not more than 0; later, a `LossNotFiniteError` in place of a checkpoint of no use.
    """

    def __init__(
        self, dirpath: str | Path, *, every_updates: int | None = None, every_minutes: float | None = None
    ) -> None:
        super().__init__(
            dirpath=str(dirpath),
            filename="last",
            monitor=None,
            save_top_k=1,
            save_on_train_epoch_end=True,
            enable_version_counter=False,
        )
        for name, value in (("every_updates", every_updates), ("every_minutes", every_minutes)):
            if value is not None and not value > 0:
                raise PedkitError(f"expected '{name}' to be more than 0, but got {value}")
        self._every_updates, self._every_minutes = every_updates, every_minutes
        self._updates, self._saved_at = 0, 0.0

    def on_train_start(self, trainer: Trainer, pl_module: LightningModule) -> None:
        """Start to count."""
        super().on_train_start(trainer, pl_module)
        self._updates, self._saved_at = trainer.global_step, time.monotonic()

    def on_train_batch_end(self, trainer: Trainer, *_: Any, **__: Any) -> None:
        """Write a checkpoint if it is time, but not where an epoch ends: one with its dev scores follows."""
        updated, self._updates = trainer.global_step > self._updates, trainer.global_step
        ends = trainer.is_last_batch or trainer.global_step == trainer.max_steps
        if updated and not ends and self._due(trainer):
            for logger in trainer.loggers:
                logger.save()  # what they have seen so far is not told again to a run that continues here
            self._save_topk_checkpoint(trainer, self._monitor_candidates(trainer))

    def _save_checkpoint(self, trainer: Trainer, filepath: str) -> None:
        if not weights_are_numbers(trainer):  # nothing could be resumed from it
            raise LossNotFiniteError(f"a weight is no number after step {trainer.global_step}")
        super()._save_checkpoint(trainer, filepath)
        self._saved_at = time.monotonic()

    def _due(self, trainer: Trainer) -> bool:
        if self._every_updates and trainer.global_step % self._every_updates == 0:
            return True
        if self._every_minutes is None:
            return False
        late = time.monotonic() - self._saved_at >= 60 * self._every_minutes
        return bool(trainer.strategy.broadcast(late))  # all processes write one together, or none does

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take over nothing: there is one file of one name."""


class AtomicCheckpointIO(TorchCheckpointIO):
    """Writes a checkpoint beside its place and moves it there: a half-written file never has its final name.

    Lightning's own writer goes through the folder for temporary files; from there to another disk is a copy.
    `sweep_up` removes what a killed process left half-written.
    """

    def save_checkpoint(
        self, checkpoint: dict[str, Any], path: str | os.PathLike[str], storage_options: Any | None = None
    ) -> None:
        """Write ``checkpoint`` to ``path``.

        Raises:
            PedkitError: The disk is full or cannot be written to; the file that was there stays.
        """
        del storage_options
        target = Path(path)
        target.parent.mkdir(parents=True, exist_ok=True)
        try:
            with replacing_bytes(target) as stream:
                torch.save(checkpoint, stream)
                stream.flush()
                os.fsync(stream.fileno())
        except OSError as error:
            raise _unwritten(target, error) from error
        except RuntimeError as error:  # torch's writer hides where the disk ended inside an array
            if isinstance(error.__context__, OSError):
                raise _unwritten(target, error.__context__) from error
            raise

    def load_checkpoint(self, path: str | os.PathLike[str], *args: Any, **kwargs: Any) -> dict[str, Any]:
        """Read a checkpoint.

        Raises:
            PedkitError: The file holds something else.
        """
        checkpoint = super().load_checkpoint(Path(path), *args, **kwargs)
        if not isinstance(checkpoint, dict) or not {"state_dict", "loops", "callbacks"} <= checkpoint.keys():
            raise PedkitError("this is no checkpoint of a training", file=Path(path), hint=_ANEW)
        return checkpoint

    @staticmethod
    def sweep_up(folder: Path) -> None:
        """Remove half-written checkpoints, which a process killed while writing leaves under hidden names."""
        for file in folder.glob(".*.ckpt.*"):
            file.unlink(missing_ok=True)


def weights_are_numbers(trainer: Trainer) -> bool:
    """Return whether all weights are finite in all processes, which ask together."""
    finite = all(bool(torch.isfinite(_local(one)).all()) for one in trainer.lightning_module.parameters())
    return bool(trainer.strategy.reduce_boolean_decision(finite))


def _local(parameter: torch.Tensor) -> torch.Tensor:
    """Return the part of a parameter that this process holds."""
    return parameter.to_local() if isinstance(parameter, DTensor) else parameter


def _unwritten(target: Path, error: OSError) -> PedkitError:
    reason = (error.strerror or type(error).__name__).lower()
    return PedkitError(
        f"the checkpoint cannot be written: {reason}",
        file=target,
        hint="nothing is lost: the checkpoint before it stays, and the same command continues from there",
    )
