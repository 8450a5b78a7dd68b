"""Files that appear under their name only when they are complete."""

from __future__ import annotations

import io
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, TextIO

from pedkit.errors import PedkitError

_RANDOM = 8  # digits at the end of a temporary name


@contextmanager
def replacing(path: str | Path) -> Iterator[TextIO]:
    """Open a UTF-8 text file that takes the place of ``path`` when all went well, and vanishes otherwise.

    Raises:
        PedkitError: ``path`` is a folder, or nothing can be written beside it.
    """
    target = Path(path)
    if target.is_dir():
        raise PedkitError("expected a file to write, but this is a folder", file=target)
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        with replacing_bytes(target) as raw, io.TextIOWrapper(raw, encoding="utf-8", newline="\n") as stream:
            yield stream
    except OSError as error:
        if not Path(str(error.filename)).name.startswith(_prefix(target)):
            raise
        # Its own message would name the temporary file.
        raise PedkitError(f"cannot be written: {(error.strerror or '').lower()}", file=target) from None


@contextmanager
def replacing_bytes(target: Path) -> Iterator[BinaryIO]:
    """Open a binary file that takes the place of ``target`` when all went well, and vanishes otherwise.

    Every process gets a name of its own, so that several, on other machines too, may write the same file. Who may
    read it is as of the file that is replaced, else as of any new file (umask).

    Raises:
        OSError: Nothing can be written beside it.
    """
    temporary = target.with_name(f"{_prefix(target)}{secrets.token_hex(_RANDOM // 2)}")
    with temporary.open("xb") as stream:
        try:
            yield stream
            stream.close()
            if target.exists():
                temporary.chmod(stat.S_IMODE(target.stat().st_mode))
            temporary.replace(target)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise


def _prefix(target: Path) -> str:
    return f".{target.name}."


def half_files(folder: Path, pattern: str) -> list[Path]:
    """Return what killed processes left of files in a folder that they were writing.

    Args:
        folder: The folder.
        pattern: Of the names that the files would have got, as ``*.flac``.
    """
    random = "?" * _RANDOM  # older versions ended names in other letters, too; .README.md.swp is an editor's
    return list(folder.glob(f"{_prefix(Path(pattern))}{random}"))


def write_bytes(path: Path, content: bytes) -> None:
    """Write a file, all or nothing."""
    with replacing_bytes(path) as stream:
        stream.write(content)


def write_text(path: str | Path, text: str) -> None:
    """Write a text file, all or nothing."""
    with replacing(path) as stream:
        stream.write(text)
