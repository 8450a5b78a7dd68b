"""Recordings of a Hugging Face data set: files where they are files, written out where they are bytes."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pedkit.data.atomic import write_bytes
from pedkit.data.readers.files import resolved
from pedkit.errors import PedkitError

_MAGIC = (
    (b"fLaC", ".flac"), (b"OggS", ".ogg"), (b"NIST_1A", ".sph"), (b"ID3", ".mp3"), (b"\xff\xfb", ".mp3"),
    (b"\xff\xf3", ".mp3"), (b"\xff\xf2", ".mp3"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class HubAudio:
    """Finds the recording of a row.

    Attributes:
        folder: Where relative paths start.
        out: Folder for recordings that the data set holds as bytes; ``None`` = nobody has named one.
    """

    folder: Path
    out: Path | None

    def __call__(self, value: Any, utterance: str) -> str:
        """Return the path of a recording given as path, bytes, or an object with ``path`` and ``bytes``.

        Raises:
            PedkitError: The value is none of these, or bytes have no folder to go to.
        """
        if isinstance(value, Mapping):
            return self._of_parts(value.get("path"), value.get("bytes"), utterance)
        if isinstance(value, bytes):
            return self._of_parts(None, value, utterance)
        return self._of_parts(value, None, utterance)

    def _of_parts(self, path: Any, data: Any, utterance: str) -> str:
        if isinstance(data, bytes):
            return str(self._written(data, utterance).resolve())
        if isinstance(path, str) and path:
            return resolved(self.folder, path)
        raise PedkitError("expected a recording as a path or as bytes, but the row has neither")

    def _written(self, data: bytes, utterance: str) -> Path:
        if self.out is None:
            raise PedkitError(
                "the data set holds its recordings inside, and nobody has said where to write them",
                hint="audio_out=FOLDER",
            )
        target = self.out / f"{_file_name(utterance)}{_ending(data)}"
        if target.is_file() and target.read_bytes() == data:
            return target
        target.parent.mkdir(parents=True, exist_ok=True)
        write_bytes(target, data)
        return target


def _file_name(utterance: str) -> str:
    """Return an id as a file name; where it had to be changed, a digest keeps two of them apart."""
    safe = re.sub(r"[^\w.-]", "_", utterance).strip(".")[:100]
    return safe if safe == utterance else f"{safe}-{hashlib.sha256(utterance.encode()).hexdigest()[:8]}"


def _ending(data: bytes) -> str:
    if data[:4] == b"RIFF" and data[8:12] == b"WAVE":
        return ".wav"
    for magic, ending in _MAGIC:
        if data.startswith(magic):
            return ending
    raise PedkitError(
        f"expected a recording as WAV, FLAC, Ogg, MP3 or SPHERE, but its bytes begin with {data[:8]!r}"
    )
