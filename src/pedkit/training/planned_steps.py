"""`PlannedSteps`: how many updates a training will make, told to the module before its schedule is built."""

from __future__ import annotations

from pytorch_lightning import Callback, LightningModule, Trainer

from pedkit.errors import PedkitError


class PlannedSteps(Callback):
    """Sets ``total_steps`` of the module.

    ``trainer.estimated_stepping_batches`` is left alone: asking for it inside ``configure_optimizers`` builds the
    train loader too early, and a resumed run then replays its first batches.

    Args:
        total: The number, where the schedule is to span another than that of the training; ``None`` computes it.
    """

    def __init__(self, total: int | None = None) -> None:
        self._total = total

    def setup(self, trainer: Trainer, pl_module: LightningModule, stage: str) -> None:
        """Compute and set the number of updates.

        Raises:
            PedkitError: The trainer has neither a number of epochs nor a number of steps.
        """
        del stage
        if self._total is not None:
            pl_module.total_steps = self._total  # type: ignore[assignment]
            return
        pl_module.total_steps = planned_steps(  # type: ignore[assignment]
            trainer.datamodule.total_train_batches(1),  # type: ignore[attr-defined]
            max_epochs=trainer.max_epochs,
            max_steps=trainer.max_steps,
            accumulate=trainer.accumulate_grad_batches,
            limit=trainer.limit_train_batches,
        )


def planned_steps(
    batches: int, *, max_epochs: int | None, max_steps: int, accumulate: int = 1, limit: int | float | None = None
) -> int:
    """Return the number of optimizer updates.

    Args:
        batches: Train batches of one process in an epoch.
        max_epochs: Number of epochs; ``None`` or -1 for no limit.
        max_steps: Number of updates; -1 for no limit.
        accumulate: Batches an update is made of; the last update of an epoch may have fewer.
        limit: Lightning's ``limit_train_batches``: a number of batches (int) or a share (float).

    Raises:
        PedkitError: There is neither a number of epochs nor of steps, or there would be no update.

    >>> planned_steps(231, max_epochs=6, max_steps=-1)
    1386
    """
    if isinstance(limit, float):
        batches = int(batches * limit)
    elif limit is not None:
        batches = min(batches, limit)
    endless = max_epochs is None or max_epochs < 0
    if endless and max_steps < 0:
        raise PedkitError("expected trainer.max_epochs or trainer.max_steps, but got neither")
    by_epochs = -(-batches // accumulate) * (max_epochs or 0)
    steps = by_epochs if max_steps < 0 else max_steps if endless else min(by_epochs, max_steps)
    if steps < 1:
        raise PedkitError(
            f"expected one update or more, but trainer.max_epochs is {max_epochs}, max_steps {max_steps}, and "
            f"limit_train_batches leaves {batches} batches an epoch"
        )
    return steps
