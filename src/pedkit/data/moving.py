"""Manifests written in another folder than they were read in: audio paths must go on meaning the same file."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from msgspec.structs import replace

from pedkit.data.manifest import iter_manifest
from pedkit.data.utterance import Utterance
from pedkit.errors import PedkitError


def read_for(manifest: str | Path, out: str | Path) -> Iterator[Utterance]:
    """Yield the utterances of a manifest as they have to be written into the manifest ``out``.

    A relative audio path stays relative, with ``..`` where it must, so that the result does not depend on where
    the folders lie on this machine; an absolute one stays as it is.

    Raises:
        PedkitError: The manifest cannot be read, or both are the same file.
    """
    if Path(manifest).resolve() == Path(out).resolve():
        raise PedkitError("expected another file to write than the one that is read", file=out)
    source, target = Path(manifest).resolve().parent, Path(out).resolve().parent
    way = os.path.relpath(source, target)
    for utterance in iter_manifest(manifest, folder=""):
        audio = utterance.audio
        if audio is None or way == "." or Path(audio.path).is_absolute():
            yield utterance
        else:
            path = os.path.normpath(os.path.join(way, audio.path))  # noqa: PTH118 (not resolved: links stay links)
            yield replace(utterance, audio=replace(audio, path=Path(path).as_posix()))
