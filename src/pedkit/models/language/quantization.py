"""QLoRA (Dettmers et al. 2023): the frozen text model in four bits."""

from __future__ import annotations

import importlib.util
from typing import Any

import torch

from pedkit.errors import PedkitError
from pedkit.models.language.families import Family


def four_bit(family: Family, compute: torch.dtype) -> Any:
    """Return transformers' configuration for NF4 weights with double quantisation.

    What hears and sees, and the output layer, stay as they are: their share of the memory is small, and errors in
    what is heard cannot be learned away by adapters of the text model.

    Raises:
        PedkitError: The extra ``qlora`` is not installed.
    """
    if importlib.util.find_spec("bitsandbytes") is None:
        raise PedkitError("quantization: 4bit needs bitsandbytes", hint='pip install "pedkit[qlora]"')
    from transformers import BitsAndBytesConfig

    # transformers 5 looks for these at the beginning of a path: a bare "audio_tower" would keep nothing.
    kept = list(family.frozen_parts)
    return BitsAndBytesConfig(
        load_in_4bit=True,
        bnb_4bit_quant_type="nf4",
        bnb_4bit_use_double_quant=True,
        bnb_4bit_compute_dtype=compute,
        llm_int8_skip_modules=[*kept, "lm_head"],
    )
