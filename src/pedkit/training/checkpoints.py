"""Which checkpoints stay: the best on dev PER, and the last for resuming; each written whole or not at all."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any

import torch
from lightning_fabric.plugins import TorchCheckpointIO
from pytorch_lightning.callbacks import ModelCheckpoint


class BestCheckpoint(ModelCheckpoint):
    """Keeps the checkpoint with the lowest ``dev_per``; ties keep the earlier epoch, NaN never wins.

    Args:
        dirpath: Folder of the checkpoints.
        monitor: Logged metric that decides; lower is better.
    """

    def __init__(self, dirpath: str | Path, *, monitor: str = "dev_per") -> None:
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

    def format_checkpoint_name(self, metrics: dict[str, Any], *args: Any, **kwargs: Any) -> str:
        """Return the file's name; it counts epochs from 1, as everything that people read does."""
        return super().format_checkpoint_name({**metrics, "epoch": metrics["epoch"] + 1}, *args, **kwargs)

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
    """Keeps ``last.ckpt``, from which an interrupted run continues; written after every epoch.

    Args:
        dirpath: Folder of the checkpoints.
    """

    def __init__(self, dirpath: str | Path) -> None:
        super().__init__(
            dirpath=str(dirpath),
            filename="last",
            monitor=None,
            save_top_k=1,
            save_on_train_epoch_end=True,
            enable_version_counter=False,
        )

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take over nothing: there is one file of one name."""


class AtomicCheckpointIO(TorchCheckpointIO):
    """Writes a checkpoint beside its place and moves it there: a half-written file never has its final name.

    Lightning's own writer goes through the folder for temporary files; from there to another disk is a copy.
    """

    def save_checkpoint(
        self, checkpoint: dict[str, Any], path: str | os.PathLike[str], storage_options: Any | None = None
    ) -> None:
        """Write ``checkpoint`` to ``path``."""
        del storage_options
        target = Path(path)
        target.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
        try:
            with os.fdopen(handle, "wb") as stream:
                torch.save(checkpoint, stream)
                stream.flush()
                os.fsync(stream.fileno())
            Path(temporary).chmod(0o644)
            Path(temporary).replace(target)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise
