"""Configurations of the released 7B models, to build them at their real size without their weights."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

import transformers

from pedkit.errors import PedkitError
from pedkit.models.language.families import FAMILIES, Family

SIZES = ("qwen2_5_omni_7b", "audio_flamingo_3")
"""Names of the configurations; each file says where its numbers come from."""


def released_config(name: str) -> tuple[Family, Any]:
    """Return the family and the configuration of a released model.

    Raises:
        PedkitError: There is no such configuration.
    """
    if name not in SIZES:
        raise PedkitError(f"expected the size of {' or '.join(SIZES)}, but got {name!r}")
    value = json.loads((files(__package__) / f"{name}.json").read_text(encoding="utf-8"))
    family = FAMILIES[value["model_type"]]
    return family, getattr(transformers, family.class_name).config_class(**value["config"])
