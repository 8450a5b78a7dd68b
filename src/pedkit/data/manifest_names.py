"""What several manifests are called, where their names go into ids or stand for a split."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path


def manifest_names(manifests: Sequence[str | Path]) -> list[str]:
    """Return a name for each manifest, no two alike.

    It is that of the file; of the folder where files are called alike; else folder, file and number together.
    """
    paths = [Path(manifest).resolve() for manifest in manifests]
    for names in ([path.stem for path in paths], [path.parent.name for path in paths]):
        if len(set(names)) == len(names):
            return names
    return [f"{path.parent.name}-{path.stem}-{number}" for number, path in enumerate(paths, start=1)]
