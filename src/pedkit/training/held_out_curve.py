"""`HeldOutSteps`: the PER of the dev sets at every so many updates: one fold of a cross-validation."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from typing import Any

from pytorch_lightning import LightningModule, Trainer
from pytorch_lightning.callbacks import Checkpoint

from pedkit.errors import PedkitError
from pedkit.training.dev_scores import DevScores
from pedkit.training.run_folder import RunFolder
from pedkit.training.run_training import fit
from pedkit.training.step_plan import fixed_length


class HeldOutSteps:
    """A training that only measures: ``run.json`` gets ``curve``, the dev PER on a grid of steps.

    Its weights are of no further use and are removed in the end.

    Args:
        longest: Updates, and the last step of the grid.
        every: Updates between two steps of the grid.

    Raises:
        PedkitError: A number is below 1, or the grid does not end at ``longest``.
    """

    def __init__(self, *, longest: int, every: int = 1) -> None:
        if every < 1 or longest < 1 or longest % every:
            raise PedkitError(
                f"expected the longest training to be a multiple of the steps of the grid, but got "
                f"longest={longest} and every={every}"
            )
        self.longest, self.every, self.updates = longest, every, longest

    @property
    def grid(self) -> tuple[int, ...]:
        """The steps at which the dev sets are scored."""
        return tuple(range(self.every, self.longest + 1, self.every))

    def run(self, settings: Mapping[str, Any], folder: RunFolder) -> None:
        """Train and measure.

        Args:
            settings: The resolved configuration.
            folder: The run folder.

        Raises:
            PedkitError: A setting has no place in such a training, or data cannot be used.
        """
        if settings["trainer"].get("accumulate_grad_batches", 1) != 1:
            raise PedkitError(
                "a grid of updates needs trainer.accumulate_grad_batches=1",
                hint="make the batches larger: data.max_batch_size",
            )
        measured = fixed_length(settings, self.longest)
        # Validation follows the batches across epochs; a checkpoint within an epoch could fall before a score.
        measured["trainer"] |= {"val_check_interval": self.every, "check_val_every_n_epoch": None}
        last = measured["callbacks"]["last"]
        measured["callbacks"]["last"] = {**last, "every_updates": None, "every_minutes": None}
        curve = HeldOutCurve(folder, self.grid)
        fit(measured, folder, record=curve, schedule_steps=self.longest)
        shutil.rmtree(folder.path / "checkpoints", ignore_errors=True)

    def value(self, record: Mapping[str, Any]) -> float:
        """Return the lowest PER of the curve."""
        return min(float(point["errors"] / point["reference_phones"]) for point in record["curve"])


class HeldOutCurve(Checkpoint):
    """Collects what `pedkit.training.DevScores` scored, by the number of updates made so far.

    Args:
        folder: The run folder.
        grid: The steps that must have been scored in the end.
    """

    def __init__(self, folder: RunFolder, grid: tuple[int, ...]) -> None:
        self._folder, self._grid = folder, grid
        self._points: dict[int, tuple[int, int]] = {}

    def on_validation_end(self, trainer: Trainer, pl_module: LightningModule) -> None:
        """Note the result of the validation that just ended."""
        del pl_module
        if trainer.sanity_checking:
            return
        scores = DevScores.of(trainer)
        per = scores.results[trainer.current_epoch].per
        self._points[trainer.global_step] = (int(per.numerator), int(per.denominator))

    def on_fit_end(self, trainer: Trainer, pl_module: LightningModule) -> None:
        """Write the curve.

        Raises:
            PedkitError: A step of the grid was not scored.
        """
        del trainer, pl_module
        if set(self._points) != set(self._grid):
            scored = ", ".join(map(str, sorted(self._points)))
            raise PedkitError(f"expected scores after {', '.join(map(str, self._grid))} updates, but got {scored}")
        self._folder.update(
            curve=[
                {"step": step, "errors": errors, "reference_phones": phones}
                for step, (errors, phones) in sorted(self._points.items())
            ]
        )

    def state_dict(self) -> dict[str, Any]:
        """Return the curve so far."""
        return {"points": dict(self._points)}

    def load_state_dict(self, state_dict: Mapping[str, Any]) -> None:
        """Take over the curve of an interrupted run."""
        self._points = dict(state_dict["points"])
