"""`StepPlan`: how long a training lasts and what is kept, where no dev set chooses the checkpoint."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from pedkit.errors import PedkitError
from pedkit.training.run_folder import RunFolder


class StepPlan(Protocol):
    """What ``steps=...`` of the configuration names.

    Attributes:
        updates: Updates at most, those of folds included.
    """

    updates: int

    def run(self, settings: Mapping[str, Any], folder: RunFolder) -> None:
        """Train as the resolved configuration says, and write into ``run.json`` what came of it."""
        ...

    def value(self, record: Mapping[str, Any]) -> float:
        """Return from ``run.json`` what a sweep minimises."""
        ...


def fixed_length(settings: Mapping[str, Any], updates: int) -> dict[str, Any]:
    """Return settings of a training of so many updates, of which no dev set chooses one.

    Raises:
        PedkitError: A callback would stop it earlier, or none writes the last weights.
    """
    if settings["callbacks"].get("early_stopping"):
        raise PedkitError(
            "steps=... trains for a number of updates, which early stopping would cut short",
            hint="leave out callbacks=early_stopping, or set steps=null",
        )
    if not settings["callbacks"].get("last"):
        raise PedkitError(
            "steps=... keeps the last weights, but callbacks.last, which writes them, is switched off",
            hint="leave callbacks.last as it is, or set steps=null",
        )
    return {
        **settings,
        "trainer": {**settings["trainer"], "max_steps": updates, "max_epochs": -1, "min_epochs": None},
        "callbacks": {**settings["callbacks"], "best": None},
    }
