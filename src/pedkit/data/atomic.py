"""Files that appear under their name only when they are complete."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from pedkit.errors import PedkitError


@contextmanager
def replacing(path: str | Path) -> Iterator[TextIO]:
    """Open a UTF-8 text file that takes the place of ``path`` when all went well, and vanishes otherwise.

    Raises:
        PedkitError: ``path`` is a folder, or nothing can be written beside it.
    """
    target = Path(path)
    if target.is_dir():
        raise PedkitError("expected a file to write, but this is a folder", file=target)
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    except OSError as error:  # whose own message names the temporary file
        raise PedkitError(f"cannot be written: {(error.strerror or '').lower()}", file=target) from None
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as stream:
            yield stream
        Path(temporary).chmod(0o644)
        Path(temporary).replace(target)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def write_text(path: str | Path, text: str) -> None:
    """Write a text file, all or nothing."""
    with replacing(path) as stream:
        stream.write(text)
