"""``python train.py debug=tokens``: what the model is given of a few clips, and where the loss is."""

from __future__ import annotations

import torch
from omegaconf import DictConfig

from pedkit.building import build, check
from pedkit.training.run_training import require, resolved


def shown_tokens(cfg: DictConfig, clips: int) -> str:
    """Return as text what the first train clips teach; nothing is trained or written.

    Args:
        cfg: A configuration composed from ``conf/train.yaml``.
        clips: How many.

    Raises:
        PedkitError: Whatever would stop the training before its first batch.
    """
    settings = resolved(cfg)
    require(settings.get("requires") or ())
    check(settings)
    torch.manual_seed(settings["seed"])
    data = build(settings["data"], "data")
    data.setup()
    module = build(settings["model"], "model")
    module.check_data(data.train_set, data.dev_sets)
    first = [data.train_set[number] for number in range(min(clips, len(data.train_set)))]
    return str(module.shown(data.train_set.collate(first)))
