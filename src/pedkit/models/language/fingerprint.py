"""Which weights a model has, whatever folder or hub they came from."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

import torch

from pedkit.models.language.families import Family

PARTS = ("text", "attention", "audio")
"""What is hashed."""

_ROWS = 64


def fingerprint(base: Any, family: Family) -> dict[str, str | None]:
    """Return hashes of a few frozen weights, the same for a checkpoint in bf16 and for its copy in fp32.

    Args:
        base: The model, with or without adapters.
        family: Its family.

    Returns:
        ``text`` for embeddings and norms; ``attention`` for first and last query projections, which tell a merged
        model from its base, ``None`` where they are quantised; ``audio`` for everything that hears: tower and
        projector.
    """
    text = base.get_submodule(family.language_model)
    layers = [text.layers[0], text.layers[-1]]
    norms = [layer.input_layernorm.weight for layer in layers]
    queries = [layer.self_attn.q_proj.weight for layer in layers]
    hearing = [part for part in family.frozen_parts if not part.endswith("visual")]
    tower = [value for part in hearing for _, value in sorted(base.get_submodule(part).named_parameters())]
    return {
        "text": _digest([text.embed_tokens.weight, text.norm.weight, *norms]),
        "attention": _digest(queries) if all(value.is_floating_point() for value in queries) else None,
        "audio": _digest(tower, rows=4),
    }


def differing_part(base: Any, family: Family, kept: Mapping[str, str | None]) -> str | None:
    """Return the first part whose weights are not those of a fingerprint that was kept, ``None`` for none.

    A part that either of them cannot say is not compared.
    """
    for part, here in fingerprint(base, family).items():
        there = kept.get(part)
        if None not in (here, there) and here != there:
            return part
    return None


def _digest(tensors: list[torch.Tensor], rows: int = _ROWS) -> str:
    digest = hashlib.sha256()
    for tensor in tensors:
        first = tensor.detach()[:rows].to("cpu", torch.bfloat16).contiguous()
        digest.update(str(tuple(tensor.shape)).encode() + first.view(torch.int16).numpy().tobytes())
    return digest.hexdigest()[:16]
