"""LoRA on a CTC encoder (Hu et al. 2021) through peft: the encoder stays frozen, the head is trained with it."""

from __future__ import annotations

from collections.abc import Sequence

from torch import nn

from pedkit.errors import PedkitError
from pedkit.models.encoder import CtcEncoder
from pedkit.models.lora_numbers import expect_lora_numbers


def add_lora(
    encoder: CtcEncoder,
    *,
    r: int = 8,
    alpha: float = 16.0,
    dropout: float = 0.0,
    target_modules: Sequence[str] = ("q_proj", "k_proj", "v_proj", "out_proj"),
) -> CtcEncoder:
    """Add LoRA layers in place; afterwards only they and the head are trained.

    Args:
        encoder: The encoder.
        r: Rank.
        alpha: Scale; the update is multiplied by ``alpha / r``.
        dropout: Dropout before the low-rank update.
        target_modules: Leaf names of the linear layers that get one.

    Returns:
        The same encoder.

    Raises:
        PedkitError: A number is out of range, or a name is not that of linear layers of the encoder.
    """
    from peft import LoraConfig, inject_adapter_in_model

    expect_lora_numbers(r=r, alpha=alpha, dropout=dropout)
    names = list(target_modules)
    _expect_linear(encoder, names)
    config = LoraConfig(r=r, lora_alpha=alpha, lora_dropout=dropout, target_modules=names, bias="none")
    inject_adapter_in_model(config, encoder.model)
    encoder.model.lm_head.requires_grad_(True)
    encoder.lora = {"r": r, "alpha": alpha, "dropout": dropout, "target_modules": names}
    return encoder


def _expect_linear(encoder: CtcEncoder, names: Sequence[str]) -> None:
    modules = [(name.rpartition(".")[2], module) for name, module in encoder.model.named_modules()]
    linear = {name for name, module in modules if isinstance(module, nn.Linear)}
    linear -= {name for name, module in modules if not isinstance(module, nn.Linear)}
    wrong = [name for name in names if name not in linear]
    if wrong or not names:
        raise PedkitError(
            f"expected target_modules of LoRA to be names of linear layers, but an encoder of type "
            f"{encoder.model_type!r} has none called {', '.join(wrong) or 'so'}",
            hint=f"it has {', '.join(sorted(linear - {'lm_head'}))}",
        )
