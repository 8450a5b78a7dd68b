"""What a model hub or folder may answer when a model is read: turned into one sentence."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from transformers.utils import cached_file, logging

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


def hub_json(name: str, file: str, revision: str | None) -> dict[str, Any] | None:
    """Return a JSON object of a hub's model or of a folder, ``None`` where there is no such file."""
    path = cached_file(name, file, revision=revision, _raise_exceptions_for_missing_entries=False)
    if path is None:
        return None
    value: dict[str, Any] = json.loads(Path(path).read_text(encoding="utf-8"))
    return value
