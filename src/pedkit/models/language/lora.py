"""LoRA (Hu et al. 2021) on the self-attention of the text model, and nowhere else."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import torch

from pedkit.errors import PedkitError
from pedkit.hints import keywords
from pedkit.models.language.families import LORA_EXCLUDED, LORA_TARGETS, Family
from pedkit.models.lora_numbers import expect_lora_numbers


@dataclass(frozen=True)
class LoraSettings:
    """Settings of the adapters.

    Attributes:
        r: Rank. 16 is the only usual one that gives the 10.1 million parameters that were published.
        alpha: Scale: the update is multiplied by ``alpha / r`` (``alpha / sqrt(r)`` with rsLoRA).
        dropout: Dropout before the low-rank update.
        use_rslora: Rank-stabilised LoRA (Kalajdzievski 2023).
        use_dora: Weight-decomposed LoRA (Liu et al. 2024).
    """

    r: int = 16
    alpha: float = 32.0
    dropout: float = 0.0
    use_rslora: bool = False
    use_dora: bool = False

    def __post_init__(self) -> None:
        expect_lora_numbers(r=self.r, alpha=self.alpha, dropout=self.dropout)

    @classmethod
    def of(cls, settings: Mapping[str, Any]) -> LoraSettings:
        """Return the settings of plain keywords; a PedkitError names one that is unknown or does not fit."""
        return cls(**keywords(cls, settings, place="lora"))

    def to_dict(self) -> dict[str, Any]:
        """Return the settings as plain keywords."""
        return asdict(self)


def add_lora(model: Any, family: Family, settings: LoraSettings) -> Any:
    """Freeze a model and wrap it with new adapters on q, k, v and o of every layer of its text model.

    Returns:
        The model in peft's wrapper.

    Raises:
        PedkitError: Other modules than those were adapted, or anything else trains.
    """
    from peft import LoraConfig, get_peft_model

    config = LoraConfig(
        r=settings.r,
        lora_alpha=settings.alpha,
        lora_dropout=settings.dropout,
        use_rslora=settings.use_rslora,
        use_dora=settings.use_dora,
        bias="none",
        target_modules=list(LORA_TARGETS),
        exclude_modules=LORA_EXCLUDED,
    )
    with warnings.catch_warnings():
        # peft 0.21 asks transformers 5 under a name that is deprecated there.
        warnings.filterwarnings(
            "ignore", message="`is_gradient_checkpointing` is deprecated", category=FutureWarning
        )
        wrapped = get_peft_model(model, config)
    trainable_facts(wrapped, family)
    return wrapped


def adapted_modules(model: Any) -> list[str]:
    """Return the paths of the modules that have an adapter."""
    from peft.tuners.lora import LoraLayer

    return [name for name, module in model.named_modules() if isinstance(module, LoraLayer)]


def trainable_facts(model: Any, family: Family) -> dict[str, Any]:
    """Count what trains and check that it is exactly what it should be.

    Returns:
        ``modules`` (adapted ones), ``parameters`` (trainable ones), ``layers`` (of the text model).

    Raises:
        PedkitError: The adapted modules are not four a text layer, anything outside the adapters trains, a part of
            the adapters does not, or they are not in fp32.
    """
    from peft.tuners.lora import LoraLayer

    base = model.get_base_model()
    layers = text_config(base, family).num_hidden_layers
    names = adapted_modules(base)
    strangers = [name for name in names if not name.startswith(f"{family.language_model}.layers.")]
    if strangers or len(names) != len(LORA_TARGETS) * layers:
        raise PedkitError(
            f"expected {len(LORA_TARGETS) * layers} adapted modules, all in the text model of {family.title}, but "
            f"found {len(names)}" + (f", {strangers[0]} among them" if strangers else "")
        )
    trainable = {name: value for name, value in model.named_parameters() if value.requires_grad}
    outside = [name for name in trainable if "lora_" not in name]
    if outside:
        raise PedkitError(f"expected nothing but adapters to train, but {outside[0]} does")
    expected = sum(
        value.numel()
        for module in base.modules()
        if isinstance(module, LoraLayer)
        for name, value in module.named_parameters()
        if "lora_" in name
    )
    found = sum(value.numel() for value in trainable.values())
    if found != expected:
        raise PedkitError(f"the adapters have {expected} parameters, but {found} of them train")
    for name, value in trainable.items():
        if value.dtype != torch.float32:
            raise PedkitError(
                f"expected adapters in float32, but {name} is {value.dtype}",
                hint="train with precision bf16-mixed or 32-true; bf16-true rounds adapters and optimizer",
            )
    return {"modules": len(names), "parameters": found, "layers": layers}


def text_config(base: Any, family: Family) -> Any:
    """Return the configuration of the text model."""
    return base.get_submodule(family.language_model).config
