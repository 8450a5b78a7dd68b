"""Temporary folders of engines, gone with the engine or with the process that made it, forked or not."""

from __future__ import annotations

import shutil
import tempfile
from multiprocessing.util import Finalize
from pathlib import Path


def scratch_folder(owner: object, name: str) -> Path:
    """Return a new folder that is removed when its owner is, or when this process ends.

    A forked process ends without Python's ``atexit``, and must not remove the folder of its parent;
    `multiprocessing.util.Finalize` knows both.
    """
    folder = Path(tempfile.mkdtemp(prefix=f"pedkit-{name}-"))
    Finalize(owner, shutil.rmtree, args=(folder,), kwargs={"ignore_errors": True}, exitpriority=0)
    return folder
