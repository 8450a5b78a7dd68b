"""What a model hub or folder may answer when a model is read: turned into one sentence."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager

from transformers.utils import logging

from pedkit.errors import PedkitError


@contextmanager
def reading(name: str) -> Iterator[None]:
    """Turn a failed download or a broken folder into one sentence; silence the loader's remarks."""
    verbosity, bar = logging.get_verbosity(), logging.is_progress_bar_enabled()
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        yield
    except (OSError, ValueError, json.JSONDecodeError) as error:
        if isinstance(error, PedkitError):
            raise
        reason = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
        raise PedkitError(
            f"the model {name} cannot be loaded: {reason}", hint="check the name, the connection, or give a folder"
        ) from None
    finally:
        logging.set_verbosity(verbosity)
        if bar:
            logging.enable_progress_bar()
