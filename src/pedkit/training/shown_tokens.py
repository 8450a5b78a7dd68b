"""``python train.py debug=tokens``: what the model is given of a few clips, and where the loss is."""

from __future__ import annotations

from omegaconf import DictConfig

from pedkit.training.ready import ready_data, ready_model, startable


def shown_tokens(cfg: DictConfig, clips: int) -> str:
    """Return as text what the first train clips teach; nothing is trained or written.

    Args:
        cfg: A configuration composed from ``conf/train.yaml``.
        clips: How many.

    Raises:
        PedkitError: Whatever would stop the training before its first batch.
    """
    settings = startable(cfg)
    data = ready_data(settings)
    module = ready_model(settings, data)
    first = [data.train_set[number] for number in range(min(clips, len(data.train_set)))]
    return str(module.shown(data.train_set.collate(first)))
