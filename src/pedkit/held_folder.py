"""One process at a time writes into a folder."""

from __future__ import annotations

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pedkit.errors import PedkitError


@contextmanager
def held_folder(folder: Path, refusal: str) -> Iterator[None]:
    """Keep other processes out of a folder, made where it is absent; a process that dies lets go of it.

    Args:
        folder: The folder.
        refusal: What to say where another process holds it.

    Raises:
        PedkitError: Another process holds it.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / ".lock").open("w") as stream:
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise PedkitError(refusal, file=folder, hint="wait for it, or choose another output_dir") from None
        yield
