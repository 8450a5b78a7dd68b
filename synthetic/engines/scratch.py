"""Temporary folders of engines, gone with the engine or with the process that made it, forked, killed or not."""

from __future__ import annotations

import contextlib
import shutil
import sys
import tempfile
import time
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


def _remove(folder: Path, lock: IO[bytes]) -> None:
    lock.close()
    shutil.rmtree(folder, ignore_errors=True)


def _remove_abandoned(prefix: str) -> None:
    for folder in Path(tempfile.gettempdir()).glob(f"{prefix}*"):
        with contextlib.suppress(OSError):  # another user's, or gone by now
            if time.time() - folder.stat().st_mtime > _YOUNG:
                with (folder / _LOCK).open("rb+") as lock:
                    abandoned = _locked(lock)
                if abandoned:
                    shutil.rmtree(folder, ignore_errors=True)


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
