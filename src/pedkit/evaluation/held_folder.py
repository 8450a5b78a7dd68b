"""One process at a time writes predictions into a folder."""

from __future__ import annotations

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pedkit.errors import PedkitError


@contextmanager
def held_folder(folder: Path) -> Iterator[None]:
    """Keep other processes out of a folder, made where it is absent; a process that dies lets go of it.

    Raises:
        PedkitError: Another process holds it. Both would hear the same clips, and each id would stand twice.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / ".lock").open("w") as stream:
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise PedkitError(
                "another process is writing predictions here",
                file=folder,
                hint="wait for it, or choose another output_dir",
            ) from None
        yield
