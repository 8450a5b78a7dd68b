"""Keeping the progress bars of transformers out of what a command prints."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from transformers.utils import logging


@contextmanager
def without_bars() -> Iterator[None]:
    """Show no progress bar of transformers for as long as the context lasts."""
    shown = logging.is_progress_bar_enabled()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        if shown:
            logging.enable_progress_bar()
