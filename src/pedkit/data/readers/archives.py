"""Zip archives that corpora are released in: unpacked whole or not at all."""

from __future__ import annotations

import shutil
import tempfile
import zipfile
import zlib
from collections.abc import Sequence
from pathlib import Path, PurePosixPath

from pedkit.errors import PedkitError


def unpack(archive: Path, folder: Path, endings: Sequence[str]) -> Path:
    """Put the files of a zip archive into ``folder``, without the folders inside; return ``folder``.

    A folder that is there already is left as it is: it appears only when everything is in it.

    Args:
        archive: The archive.
        folder: Where the files go.
        endings: Endings of the names to unpack, in lower case (``.wav``). Hidden files and ``__MACOSX`` stay in.

    Raises:
        PedkitError: The archive is damaged or cut off, two of its files have one name, or it cannot be written.
    """
    if folder.is_dir():
        return folder
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder.parent, prefix=".unpacking-") as temporary:
            target = Path(temporary, "files")
            target.mkdir()
            with zipfile.ZipFile(archive) as source:
                for name in _wanted(source, endings):
                    _write(source, name, target / PurePosixPath(name).name, archive)
            target.rename(folder)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
        raise PedkitError(f"not a whole zip archive: {error}", file=archive, hint="copy it again") from None
    except OSError as error:
        raise PedkitError(f"cannot be unpacked to {folder}: {error.strerror or error}", file=archive) from None
    return folder


def _wanted(source: zipfile.ZipFile, endings: Sequence[str]) -> list[str]:
    names = [PurePosixPath(info.filename) for info in source.infolist() if not info.is_dir()]
    return [
        str(name)
        for name in names
        if name.suffix.lower() in endings and not any(part[0] in "._" for part in name.parts if part != "/")
    ]


def _write(source: zipfile.ZipFile, name: str, target: Path, archive: Path) -> None:
    if target.exists():
        raise PedkitError(f"two files in it are called {target.name!r}", file=archive)
    with source.open(name) as packed, target.open("wb") as unpacked:
        shutil.copyfileobj(packed, unpacked)
