"""What processes do with files one beside the other: temporary folders of their own, and taking turns."""

from __future__ import annotations

import contextlib
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from multiprocessing.util import Finalize
from pathlib import Path
from typing import IO

_LOCK = "in-use"
_YOUNG = 600  # seconds in which a folder may have a lock file and no lock yet


def scratch_folder(owner: object, name: str) -> Path:
    """Return a new folder that is removed when its owner is, or when this process ends.

    A forked process ends without Python's ``atexit``, and must not remove the folder of its parent;
    `multiprocessing.util.Finalize` knows both. Folders of processes that were killed are removed here, later.
    """
    prefix = f"pedkit-{name}-"
    _remove_abandoned(prefix)
    folder = Path(tempfile.mkdtemp(prefix=prefix))
    lock = (folder / _LOCK).open("wb")
    _locked(lock)
    Finalize(owner, _remove, args=(folder, lock), exitpriority=0)
    return folder


@contextlib.contextmanager
def one_process(file: Path) -> Iterator[None]:
    """Let one process at a time, of those that name this file, do what is inside; the others wait.

    Args:
        file: Any file that can be read; nothing happens to it.
    """
    with file.open("rb") as stream:
        if sys.platform != "win32":
            import fcntl

            fcntl.flock(stream, fcntl.LOCK_EX)
        yield


def _remove(folder: Path, lock: IO[bytes]) -> None:
    lock.close()
    shutil.rmtree(folder, ignore_errors=True)


def _remove_abandoned(prefix: str) -> None:
    for folder in Path(tempfile.gettempdir()).glob(f"{prefix}*"):
        with contextlib.suppress(OSError):  # another user's, or gone by now
            if time.time() - folder.stat().st_mtime > _YOUNG and _abandoned(folder):
                shutil.rmtree(folder, ignore_errors=True)


def _abandoned(folder: Path) -> bool:
    try:
        lock = (folder / _LOCK).open("rb+")
    except FileNotFoundError:  # its process was killed while it made or removed the folder
        return True
    with lock:
        return _locked(lock)


def _locked(lock: IO[bytes]) -> bool:
    """Lock a file until it is closed or this process ends; return whether nobody else had."""
    if sys.platform == "win32":
        return False
    import fcntl

    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
