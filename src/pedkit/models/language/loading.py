"""Load an audio language model from a hub or folder, with new LoRA adapters or saved ones."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
import transformers
from transformers import AutoConfig

from pedkit.errors import PedkitError
from pedkit.models.language import processing
from pedkit.models.language.adapter import read_facts, saved_settings
from pedkit.models.language.families import Family, family_of
from pedkit.models.language.lora import LoraSettings
from pedkit.models.language.model import AudioLanguageModel
from pedkit.models.language.quantization import four_bit
from pedkit.models.reading import reading

_DTYPES = {"bfloat16": torch.bfloat16, "float32": torch.float32}


def load_audio_language_model(
    name: str | Path,
    *,
    revision: str | None = None,
    lora: Mapping[str, Any] | None = None,
    adapter: str | Path | None = None,
    quantization: str | None = None,
    attn_implementation: str | None = None,
    dtype: str = "bfloat16",
    gradient_checkpointing: bool = False,
    tower_cache: str | Path | None = None,
    device: str = "cpu",
) -> AudioLanguageModel:
    """Load a model with its processor; nothing of it trains but adapters.

    Args:
        name: Hub id (``Qwen/Qwen2.5-Omni-7B``, ``nvidia/audio-flamingo-3-hf``) or folder.
        revision: Commit or tag on the hub.
        lora: Fields of `pedkit.models.language.lora.LoraSettings` for new adapters; an empty mapping for the usual
            ones, ``None`` for none.
        adapter: Folder of a saved adapter, whose settings are taken; not together with ``lora``.
        quantization: ``4bit`` for QLoRA (extra ``qlora``): NF4 for the text model, the audio tower as it is.
        attn_implementation: ``sdpa``, ``flash_attention_2``, ``eager``; ``None`` for transformers' choice.
        dtype: Number format of the frozen weights, ``bfloat16`` or ``float32``; adapters are always float32.
        gradient_checkpointing: Recompute the text model's layers in the backward pass.
        tower_cache: Folder that keeps outputs of the audio tower; ``None`` computes them each time.
        device: ``cpu``, ``cuda``, ``cuda:1``.

    Raises:
        PedkitError: The model cannot be loaded or is of no supported family, weights are missing, a setting is
            unknown, or the adapter is not of this model.
    """
    if lora is not None and adapter is not None:
        raise PedkitError("expected lora for new adapters or the folder of a saved adapter, but got both")
    if dtype not in _DTYPES:
        raise PedkitError(f"expected dtype to be {' or '.join(_DTYPES)}, but got {dtype!r}")
    if quantization not in (None, "4bit"):
        raise PedkitError(f"expected quantization to be null or 4bit, but got {quantization!r}")
    settings = None if lora is None else LoraSettings.of(lora)
    if adapter is not None:
        settings = saved_settings(adapter)
    with reading(str(name)):
        config = AutoConfig.from_pretrained(name, revision=revision)
        family = family_of(config.model_type)
        processor = _processor(family, name, revision)
        options: dict[str, Any] = {"dtype": _DTYPES[dtype], "revision": revision}
        if attn_implementation is not None:
            options["attn_implementation"] = attn_implementation
        if quantization is not None:
            options["quantization_config"] = four_bit(family, _DTYPES[dtype])
        if device != "cpu":
            options["device_map"] = {"": device}
        base = _weights(family, name, options)
    model = AudioLanguageModel(
        base, family, processor, name=str(name), revision=_commit(config) or revision, lora=settings
    )
    if gradient_checkpointing:
        model.use_checkpointing()
    if tower_cache is not None:
        model.use_cache(tower_cache)
    if adapter is not None:
        model.load_adapter(adapter)
    return model


def base_of(adapter: str | Path) -> tuple[str, str | None]:
    """Return name and revision of the base model that a saved adapter belongs to.

    Raises:
        PedkitError: There is no such folder, or the adapter does not say it.
    """
    if not Path(adapter).is_dir():
        raise PedkitError("there is no such folder of an adapter", file=adapter, hint="pedkit export writes one")
    facts = read_facts(adapter)
    if not facts:
        raise PedkitError(
            "the adapter does not say which model it is of", file=adapter, hint="name the base model"
        )
    return facts["base"], facts["revision"]


def _processor(family: Family, name: str | Path, revision: str | None) -> Any:
    return getattr(processing, family.processor).from_pretrained(name, revision=revision)


def _weights(family: Family, name: str | Path, options: Mapping[str, Any]) -> Any:
    """Load the class of the family; a full Omni checkpoint gives its thinker."""
    cls = getattr(transformers, family.class_name)
    model, report = cls.from_pretrained(name, **options, output_loading_info=True)
    missing = sorted(report["missing_keys"])
    if missing:
        raise PedkitError(f"{name} lacks {len(missing)} weights of {family.title}, first {missing[0]}")
    return model


def _commit(config: Any) -> str | None:
    return getattr(config, "_commit_hash", None)
