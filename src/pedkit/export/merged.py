"""LoRA updates added to the weights they adapt, so that nobody needs peft to load a model."""

from __future__ import annotations

from torch import nn


def merge_lora(model: nn.Module) -> int:
    """Add every LoRA update to its weight and put the plain layer back, in place.

    Args:
        model: A model, with or without LoRA layers (`pedkit.models.lora.add_lora`).

    Returns:
        The number of layers that were merged.
    """
    from peft.tuners.tuners_utils import BaseTunerLayer

    adapted = [(name, module) for name, module in model.named_modules() if isinstance(module, BaseTunerLayer)]
    for name, module in adapted:
        module.merge()
        model.set_submodule(name, module.get_base_layer())
    return len(adapted)
