"""AdamW with decay groups, and the learning rate of every step."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from torch import nn
from torch.optim import AdamW
from torch.optim.lr_scheduler import LambdaLR

from pedkit.errors import PedkitError

SCHEDULES = ("linear", "constant")


@dataclass(frozen=True, kw_only=True)
class Optimization:
    """Settings of AdamW and of its schedule; see `adamw`, `warmup_updates` and `scheduler`."""

    learning_rate: float
    weight_decay: float
    decay: str
    betas: Sequence[float]
    warmup_steps: int | None
    warmup_ratio: float | None
    schedule: str

    def of(self, module: nn.Module, total: int | None) -> dict[str, Any]:
        """Return optimizer and schedule of a module as Lightning takes them.

        Args:
            module: The module.
            total: Number of updates of the whole training.

        Raises:
            PedkitError: A setting cannot be used, or ``total`` was not set.
        """
        if total is None:
            raise PedkitError("expected total_steps to be set before training, but it is None")
        optimizer = adamw(
            module,
            learning_rate=self.learning_rate,
            weight_decay=self.weight_decay,
            betas=self.betas,
            decay=self.decay,
        )
        warmup = warmup_updates(total, steps=self.warmup_steps, ratio=self.warmup_ratio)
        rate = scheduler(optimizer, warmup=warmup, total=total, schedule=self.schedule)
        return {"optimizer": optimizer, "lr_scheduler": {"scheduler": rate, "interval": "step"}}


def rate_factor(step: int, warmup: int, total: int, schedule: str = "linear") -> float:
    """Return the factor on the learning rate of update ``step``, counted from 0.

    Warm-up rises over ``warmup`` updates to 1, the first one at 1 / ``warmup`` (never at 0, unlike
    ``transformers.get_linear_schedule_with_warmup``, whose first update does nothing). ``linear`` then falls to
    1 / (``total`` - ``warmup``) at the last update, ``constant`` stays at 1.

    >>> [rate_factor(step, warmup=2, total=6) for step in range(6)]
    [0.5, 1.0, 1.0, 0.75, 0.5, 0.25]
    """
    if step < warmup:
        return (step + 1) / warmup
    if schedule == "constant":
        return 1.0
    return max(0.0, (total - step) / max(1, total - warmup))


def warmup_updates(total: int, *, steps: int | None, ratio: float | None) -> int:
    """Return the number of warm-up updates: given as such, or as a share of ``total`` (rounded up).

    Raises:
        PedkitError: Both are given, one is out of range, or the warm-up is longer than the training.
    """
    if steps is not None and ratio is not None:
        raise PedkitError(f"expected warmup_steps or warmup_ratio, but got both ({steps} and {ratio})")
    if (steps is not None and steps < 0) or (ratio is not None and not 0 <= ratio <= 1):
        raise PedkitError(
            f"expected warmup_steps to be 0 or more and warmup_ratio to be from 0 to 1, but got {steps} and "
            f"{ratio}"
        )
    number = steps if steps is not None else -int(-total * (ratio or 0.0) // 1)
    if number > total:
        raise PedkitError(
            f"the warm-up of {number} steps is longer than the whole training of {total}",
            hint="lower model.warmup_steps or train for longer",
        )
    return number


def adamw(
    module: nn.Module, *, learning_rate: float, weight_decay: float, betas: Sequence[float], decay: str
) -> AdamW:
    """Return AdamW (Loshchilov and Hutter 2019) over the trainable parameters.

    Args:
        module: The model.
        learning_rate: Peak learning rate.
        weight_decay: Decoupled weight decay.
        betas: The two averaging constants.
        decay: ``all`` decays every parameter, ``matrices`` spares biases and norms as transformers' Trainer does.

    Raises:
        PedkitError: ``decay`` is something else, a number is out of range, or there is nothing to train.
    """
    for name, value in (("learning_rate", learning_rate), ("weight_decay", weight_decay)):
        if not 0 <= value < math.inf:
            raise PedkitError(f"expected {name} to be 0 or more, but got {value}")
    if len(betas) != 2 or not all(0 <= beta < 1 for beta in betas):
        raise PedkitError(f"expected betas to be two numbers from 0 to less than 1, but got {list(betas)}")
    trainable = [p for p in module.parameters() if p.requires_grad]
    if not trainable:
        raise PedkitError("expected trainable parameters, but all are frozen")
    groups: list[dict[str, Any]] = [{"params": trainable, "weight_decay": weight_decay}]
    if decay == "matrices":
        groups = [
            {"params": [p for p in trainable if p.ndim >= 2], "weight_decay": weight_decay},
            {"params": [p for p in trainable if p.ndim < 2], "weight_decay": 0.0},
        ]
    elif decay != "all":
        raise PedkitError(f"expected decay to be all or matrices, but got {decay!r}")
    return AdamW([group for group in groups if group["params"]], lr=learning_rate, betas=(betas[0], betas[1]))


def scheduler(optimizer: AdamW, *, warmup: int, total: int, schedule: str) -> LambdaLR:
    """Return the scheduler that applies `rate_factor` once per update.

    Raises:
        PedkitError: The schedule is unknown.
    """
    if schedule not in SCHEDULES:
        raise PedkitError(f"expected a schedule out of {', '.join(SCHEDULES)}, but got {schedule!r}")
    return LambdaLR(optimizer, lambda step: rate_factor(step, warmup, total, schedule))
