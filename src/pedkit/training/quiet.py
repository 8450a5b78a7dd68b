"""Keeping Lightning's advice out of a run's output; warnings about the training itself still come through."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

_LOGGERS = ("pytorch_lightning", "lightning_fabric")
_REMARKS = (
    r"The '\w+_dataloader' does not have many workers",  # short clips from memory need none
    r"Checkpoint directory .* exists and is not empty",  # a resumed run
    r"The number of training batches \(\d+\) is smaller than the logging interval",
    r"It is recommended to use `self.log\('\w+', \.\.\., sync_dist=True\)`",  # what is logged is equal in all
    r"FSDP2-wrapped module .* returned a view tensor",  # nothing changes it in place
    r"`isinstance\(treespec, LeafSpec\)` is deprecated",  # Lightning 2.6 on torch 2.14
    r"Found \d+ module\(s\) in eval mode at the start of training",  # frozen towers of audio language models
    r"Support for mismatched key_padding_mask and attn_mask is deprecated",  # transformers' WavLM
)


@contextmanager
def quiet() -> Iterator[None]:
    """Silence greetings, tips and the remarks above for as long as the context lasts."""
    levels = {name: logging.getLogger(name).level for name in _LOGGERS}
    for name in _LOGGERS:
        logging.getLogger(name).setLevel(logging.WARNING)
    try:
        with warnings.catch_warnings():
            for remark in _REMARKS:
                warnings.filterwarnings("ignore", message=remark)
            yield
    finally:
        for name, level in levels.items():
            logging.getLogger(name).setLevel(level)
