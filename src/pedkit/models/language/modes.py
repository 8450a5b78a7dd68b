"""Training and evaluation mode of the parts, and checkpointing that spares what is frozen."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from pedkit.models.language.families import Family


def train_mode(model: Any, base: Any, family: Family) -> None:
    """Put the text model in training mode and what is frozen in evaluation mode.

    ``from_pretrained`` returns models in evaluation mode and Lightning leaves them so; then dropout does nothing
    and checkpointing is silently off, as transformers checkpoints in training mode only.
    """
    model.train()
    for part in family.frozen_parts:
        base.get_submodule(part).eval()


@contextmanager
def evaluating(model: Any) -> Iterator[None]:
    """Put a model in evaluation mode for a while; afterwards every module is in its own mode again."""
    training = [module for module in model.modules() if module.training]
    model.eval()
    try:
        yield
    finally:
        for module in training:
            module.training = True


def checkpoint_text_model(base: Any, family: Family) -> None:
    """Recompute the layers of the text model in the backward pass instead of keeping their activations.

    Asked of the whole model, transformers makes the output of the audio tower's first layer require gradients,
    and so keeps the tower's activations and sends gradients through it, for nothing.
    """
    base.get_submodule(family.language_model).activation_checkpointing_enable({"use_reentrant": False})
