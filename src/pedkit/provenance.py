"""Where an output came from: versions, the commit of the code, the command."""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
import platform
import shlex
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pedkit.version import __version__

RUN_FILE, EXPORT_FILE = "run.json", "pedkit.json"
"""Where a run folder and an exported model (``pedkit export``) say what they are."""
NO_RUN = "no such file, so this is not a run folder"


def versions(*packages: str) -> dict[str, str]:
    """Return the versions of pedkit, Python, and those of the packages that are installed."""
    found = {"pedkit": __version__, "python": platform.python_version()}
    for name in packages:
        try:
            found[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue
    return found


def git_commit(folder: str | Path | None = None) -> str | None:
    """Return the commit of the code, with ``-dirty`` where files differ from it.

    Args:
        folder: A folder of the working tree; that of the package where ``None``.

    Returns:
        ``None`` where the folder is not tracked by git, as in an installed package.
    """
    folder = Path(__file__).parent if folder is None else Path(folder)
    if not _git(folder, "ls-files", "."):
        return None
    return _git(folder, "describe", "--always", "--abbrev=40", "--dirty", "--match=")


def command() -> str:
    """Return the command line of this process, as it could be typed."""
    return shlex.join([Path(sys.executable).name, *sys.argv])


def config_hash(settings: Mapping[str, Any]) -> str:
    """Return a hash of a configuration; the order of its keys does not matter."""
    text = json.dumps(settings, sort_keys=True, ensure_ascii=False, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _git(folder: Path, *arguments: str) -> str | None:
    try:
        done = subprocess.run(
            ["git", "-C", str(folder), *arguments], capture_output=True, text=True, check=True, timeout=10
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.strip() or None
