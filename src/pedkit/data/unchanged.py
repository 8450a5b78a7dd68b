"""Finding a manifest again that a run used: where it lay, and only if it is as it was."""

from __future__ import annotations

from pathlib import Path

from pedkit.data.manifest import file_hash


def unchanged(path: str | Path, sha256: str, begun_in: str | Path = "") -> Path | None:
    """Return where the file lies now, ``None`` where it is gone or has changed.

    Args:
        path: As the run had it.
        sha256: Hash of the file that the run used.
        begun_in: Folder in which the run was begun: a relative path may start there too.
    """
    for place in (Path(path), Path(begun_in) / path):
        try:
            if file_hash(place) == sha256:
                return place
        except OSError:
            continue
    return None
