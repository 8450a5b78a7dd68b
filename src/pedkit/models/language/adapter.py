"""Adapters as files: only the low-rank weights, with what is needed to know later which model they belong to."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch

from pedkit.data.json_file import read_object, write_object
from pedkit.errors import PedkitError
from pedkit.models.language.families import LORA_TARGETS, Family
from pedkit.models.language.fingerprint import differing_part, fingerprint
from pedkit.models.language.lora import LoraSettings, trainable_facts
from pedkit.provenance import versions

FACTS_FILE = "pedkit_adapter.json"
WEIGHTS_FILE = "adapter_model.safetensors"
CONFIG_FILE = "adapter_config.json"

_FORMAT = 1
_WEIGHT = re.compile(
    r"(?:.*\.)?layers\.(\d+)\.self_attn\.([qkvo]_proj)\.(lora_A|lora_B|lora_magnitude_vector)(?:\.weight)?"
)
_ELSEWHERE = re.compile(r"audio_tower|visual|talker|token2wav|code2wav|multi_modal_projector")


def save_adapter(
    model: Any,
    family: Family,
    folder: Path,
    *,
    name: str,
    revision: str | None,
    settings: LoraSettings,
    facts: Mapping[str, Any],
) -> None:
    """Write the weights and configuration of the adapters as peft does, and a file of facts beside them.

    Args:
        model: The model in peft's wrapper.
        family: Its family.
        folder: Where to write; made if need be.
        name: Hub id or folder of the base model, which peft does not know for a model made in memory.
        revision: Commit of the base model on the hub.
        settings: Settings of the adapters.
        facts: Whatever else must come with the adapter: hash of the prompt, seed, step.
    """
    config = model.peft_config["default"]
    config.base_model_name_or_path, config.revision = name, revision
    # Without False peft may ask the hub whether the vocabulary of the base model has grown.
    model.save_pretrained(str(folder), save_embedding_layers=False)
    (folder / "README.md").unlink(missing_ok=True)  # peft's empty card
    base = model.get_base_model()
    own = {
        "format": _FORMAT,
        "model_type": family.model_type,
        "base": name,
        "revision": revision,
        "fingerprint": fingerprint(base, family),
        "layout": f"{family.language_model}.layers",
        "lora": settings.to_dict(),
        **trainable_facts(model, family),
        "versions": versions("torch", "transformers", "peft"),
        "facts": dict(facts),
    }
    write_object(folder / FACTS_FILE, own)


def saved_settings(folder: str | Path) -> LoraSettings:
    """Return the settings of a saved adapter.

    Raises:
        PedkitError: There is no adapter, or it is of a kind that pedkit does not make.
    """
    config = read_object(Path(folder) / CONFIG_FILE, missing="no such file, so this is no adapter")
    kind = config.get("peft_type")
    if kind != "LORA":
        raise PedkitError(f"expected a LoRA adapter, but this is {kind}", file=Path(folder) / CONFIG_FILE)
    unusual = {
        "bias": config.get("bias", "none") != "none",
        "modules_to_save": bool(config.get("modules_to_save")),
        "rank_pattern": bool(config.get("rank_pattern")),
        "alpha_pattern": bool(config.get("alpha_pattern")),
        # PiSSA, OLoRA and their like move a part of the base weights into the adapter.
        "init_lora_weights": config.get("init_lora_weights", True) not in (True, False, "gaussian"),
    }
    for key, is_unusual in unusual.items():
        if is_unusual:
            raise PedkitError(
                f"an adapter with {key} = {config[key]!r} cannot be used", file=Path(folder) / CONFIG_FILE
            )
    try:
        return LoraSettings(
            r=int(config["r"]),
            alpha=float(config["lora_alpha"]),
            dropout=float(config.get("lora_dropout", 0.0)),
            use_rslora=bool(config.get("use_rslora", False)),
            use_dora=bool(config.get("use_dora", False)),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise PedkitError(
            f"expected the settings of a LoRA adapter, but they cannot be read ({error!r})",
            file=Path(folder) / CONFIG_FILE,
        ) from None


def read_facts(folder: str | Path) -> dict[str, Any]:
    """Return the file of facts of an adapter, empty where another program made it."""
    path = Path(folder) / FACTS_FILE
    if not path.is_file():
        return {}
    facts = read_object(path)
    lacking = [name for name in ("model_type", "base", "revision", "fingerprint") if name not in facts]
    if lacking or not isinstance(facts["fingerprint"], dict):
        raise PedkitError(
            f"expected facts of an adapter, but {(lacking or ['fingerprint'])[0]} is missing", file=path
        )
    return facts


def load_adapter(model: Any, family: Family, folder: str | Path, *, settings: LoraSettings) -> dict[str, Any]:
    """Put saved weights into the adapters of a model.

    Weights that were saved under an older layout of the same model (``model.layers``,
    ``language_model.model.layers``, ``thinker.model.layers``) find their place by layer and projection.

    Returns:
        The file of facts.

    Raises:
        PedkitError: The adapter is of another model, has other settings, or its weights do not fit one to one.
    """
    folder = Path(folder)
    saved = saved_settings(folder)
    for key in ("r", "alpha", "use_rslora", "use_dora"):
        here, there = getattr(settings, key), getattr(saved, key)
        if here != there:
            raise PedkitError(
                f"the model has adapters with {key} = {here}, but the saved one has {there}", file=folder
            )
    facts = read_facts(folder)
    _check_base(facts, model.get_base_model(), family, folder)
    _copy_weights(_read_weights(folder), model, folder)
    return facts


def _check_base(facts: Mapping[str, Any], base: Any, family: Family, folder: Path) -> None:
    if not facts:
        return
    if facts["model_type"] != family.model_type:
        raise PedkitError(
            f"the adapter is for {facts['model_type']}, but the model is {family.model_type}", file=folder
        )
    part = differing_part(base, family, facts["fingerprint"])
    if part is not None:
        raise PedkitError(
            f"the adapter was trained on {facts['base']} (revision {facts['revision']}), whose {part} weights "
            "are not those of this model",
            file=folder,
            hint="load the base model that the adapter names",
        )


def _copy_weights(saved: Mapping[str, torch.Tensor], model: Any, folder: Path) -> None:
    from peft import get_peft_model_state_dict, set_peft_model_state_dict

    wanted = get_peft_model_state_dict(model, save_embedding_layers=False)
    places = {_place(name, folder): name for name in wanted}
    found: dict[str, torch.Tensor] = {}
    for name, value in saved.items():
        place = _place(name, folder)
        if place not in places:
            raise PedkitError(f"the adapter has weights for layer {place[0]}, which the model lacks", file=folder)
        target = places[place]
        here = wanted[target].shape
        if value.shape != here:
            raise PedkitError(
                f"the adapter's {name} has shape {tuple(value.shape)}, but the model needs {tuple(here)}",
                file=folder,
            )
        if target in found:
            raise PedkitError(f"the adapter has two weights for one place, the second is {name}", file=folder)
        if not bool(torch.isfinite(value).all()):
            raise PedkitError(f"the adapter's {name} holds values that are no numbers", file=folder)
        found[target] = value
    missing = sorted(set(wanted) - set(found))
    if missing:
        raise PedkitError(
            f"the adapter lacks {len(missing)} weights of the model, first {missing[0]}", file=folder
        )
    set_peft_model_state_dict(model, found)


def _place(name: str, folder: Path) -> tuple[int, str, str]:
    """Return layer, projection and matrix of a weight, whatever layout its name is of."""
    if _ELSEWHERE.search(name):
        raise PedkitError(
            f"the adapter also changes {name}, but only the text model may be adapted",
            file=folder,
            hint=f"train one on {', '.join(LORA_TARGETS)} of the text model only",
        )
    match = _WEIGHT.fullmatch(name)
    if match is None:
        raise PedkitError(f"the adapter changes {name}, which is not a self-attention projection", file=folder)
    return int(match[1]), match[2], match[3]


def _read_weights(folder: Path) -> dict[str, torch.Tensor]:
    from safetensors import SafetensorError
    from safetensors.torch import load_file

    path = folder / WEIGHTS_FILE
    if not path.is_file():
        raise PedkitError("expected the weights of an adapter, but there is no such file", file=path)
    try:
        weights: dict[str, torch.Tensor] = load_file(path)
    except SafetensorError as error:
        raise PedkitError(f"the weights of the adapter cannot be read: {error}", file=path) from None
    return weights
