"""`Progress`: a bar in a terminal, and one line an epoch everywhere."""

from __future__ import annotations

import sys
import time

from pytorch_lightning import LightningModule, Trainer
from pytorch_lightning.callbacks import TQDMProgressBar


class Progress(TQDMProgressBar):
    """Prints an epoch's losses and error rates, and its seconds; of a resumed epoch, those since the resume.

    Args:
        bar: Whether to show a bar as well; ``None`` shows one where the output is a terminal.
    """

    def __init__(self, bar: bool | None = None) -> None:
        super().__init__(leave=False)
        self._best, self._started, self._scored = float("inf"), 0.0, False
        if not (sys.stdout.isatty() if bar is None else bar):
            self.disable()

    def on_train_start(self, trainer: Trainer, pl_module: LightningModule) -> None:
        """Start the clock of an epoch that is resumed; Lightning does not begin it anew."""
        super().on_train_start(trainer, pl_module)
        self._started = time.perf_counter()

    def on_train_epoch_start(self, trainer: Trainer, pl_module: LightningModule) -> None:
        """Start the clock."""
        super().on_train_epoch_start(trainer, pl_module)
        self._started = time.perf_counter()

    def on_validation_epoch_start(self, trainer: Trainer, pl_module: LightningModule) -> None:
        """Note that this epoch is scored."""
        super().on_validation_epoch_start(trainer, pl_module)
        self._scored = not trainer.sanity_checking

    def on_train_epoch_end(self, trainer: Trainer, pl_module: LightningModule) -> None:
        """Print the line."""
        super().on_train_epoch_end(trainer, pl_module)
        if not trainer.is_global_zero:
            return
        metrics = {
            name: float(value)
            for name, value in trainer.callback_metrics.items()
            if self._scored or not name.startswith("dev_")  # Lightning keeps those of an earlier epoch
        }
        self._scored = False
        seconds = time.perf_counter() - self._started
        line = epoch_line(trainer.current_epoch, trainer.max_epochs, metrics, seconds, self._best)
        if self.is_enabled:
            self.print(line)  # above the bar
        else:
            print(line, flush=True)
        self._best = min(self._best, metrics.get("dev_per", float("inf")))

    def state_dict(self) -> dict[str, float]:
        """Return the best dev PER so far."""
        return {"best": self._best}

    def load_state_dict(self, state_dict: dict[str, float]) -> None:
        """Take over the best dev PER of an interrupted run."""
        self._best = state_dict["best"]


def epoch_line(epoch: int, epochs: int | None, metrics: dict[str, float], seconds: float, best: float) -> str:
    """Return the line of an epoch.

    >>> epoch_line(0, 40, {"train_loss": 3.25, "dev_per": 0.5, "dev_per_real": 0.75}, 4.21, best=0.6)
    'epoch 1/40  loss 3.250  dev PER 0.500 (real 0.750)  4.2 s  best so far'
    """
    total = f"/{epochs}" if epochs is not None and epochs > 0 else ""
    parts = [f"epoch {epoch + 1}{total}"]
    if "train_loss" in metrics:
        parts.append(f"loss {metrics['train_loss']:.3f}")
    if "train_blank_share" in metrics:
        parts.append(f"blank {metrics['train_blank_share']:.2f}")
    if "dev_per" in metrics:
        prefix = "dev_per_"
        sets = [f"{k.removeprefix(prefix)} {v:.3f}" for k, v in metrics.items() if k.startswith(prefix)]
        parts.append(f"dev PER {metrics['dev_per']:.3f}" + (f" ({', '.join(sets)})" if sets else ""))
    parts.append(f"{seconds:.1f} s")
    if metrics.get("dev_per", best) < best:
        parts.append("best so far")
    return "  ".join(parts)
