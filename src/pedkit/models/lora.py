"""LoRA on a CTC encoder (Hu et al. 2021) through peft: the encoder stays frozen, the head is trained with it."""

from __future__ import annotations

from collections.abc import Sequence

from pedkit.errors import PedkitError
from pedkit.models.encoder import CtcEncoder


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
        PedkitError: No module of the encoder has such a name.
    """
    from peft import LoraConfig, inject_adapter_in_model

    names = list(target_modules)
    linear = {name.rpartition(".")[2] for name, _ in encoder.model.named_modules()}
    if not linear.intersection(names):
        raise PedkitError(f"no module of the encoder is called {', '.join(names)}, so LoRA has nothing to adapt")
    config = LoraConfig(r=r, lora_alpha=alpha, lora_dropout=dropout, target_modules=names, bias="none")
    inject_adapter_in_model(config, encoder.model)
    encoder.model.lm_head.requires_grad_(True)
    encoder.lora = {"r": r, "alpha": alpha, "dropout": dropout, "target_modules": names}
    return encoder
