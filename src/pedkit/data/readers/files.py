"""What every reader needs of a corpus folder: files that must be there, two-column lists."""

from __future__ import annotations

import os
from pathlib import Path

from pedkit.errors import PedkitError


def require_folder(root: str | Path, corpus: str) -> Path:
    """Return ``root`` as a path.

    Raises:
        PedkitError: It is not a folder.
    """
    folder = Path(root)
    if not folder.is_dir():
        raise PedkitError(f"expected the folder of the corpus {corpus}, but there is no such folder", file=root)
    return folder


def require_file(root: Path, names: tuple[str, ...], corpus: str, hint: str | None = None) -> Path:
    """Return the first of ``names`` (relative to ``root``) that exists.

    Raises:
        PedkitError: None of them does, or one is no file; the folder and the expected file are named.
    """
    for name in names:
        if (found := optional_file(root / name)) is not None:
            return found
    wanted = " or ".join(f"'{name}'" for name in names)
    raise PedkitError(f"expected the file {wanted} of the corpus {corpus} in this folder", file=root, hint=hint)


def optional_file(path: Path) -> Path | None:
    """Return a file that a corpus need not have, ``None`` where there is nothing of that name.

    Raises:
        PedkitError: Something of that name is there and is no file, such as a folder or a link that leads nowhere,
            or no file can have that name.
    """
    try:
        if path.is_file():
            return path
    except OSError as error:
        raise PedkitError(f"cannot be looked up: {error.strerror}", file=path) from None
    if os.path.lexists(path):
        raise PedkitError("expected a file, but this is a folder or a link that leads to none", file=path)
    return None


def resolved(folder: Path, path: str) -> str:
    """Return a path that a list names, relative to ``folder``, as an absolute one.

    Raises:
        PedkitError: It is no path at all, or its links lead in a circle.
    """
    if not path or "\0" in path:
        raise PedkitError(f"expected a path, but got {path!r}")
    return absolute(folder / path)


def absolute(path: Path) -> str:
    """Return a path from the root of the file system on, links followed.

    Raises:
        PedkitError: Its links lead in a circle.
    """
    try:
        return str(path.resolve())
    except (OSError, RuntimeError):  # Python 3.11 and 3.12 raise the second
        raise PedkitError("cannot be found: its links lead in a circle", file=path) from None


def read_lines(path: Path) -> list[tuple[int, str]]:
    """Return ``(line number, line)`` for each line that is not blank, stripped at the right.

    Raises:
        PedkitError: The file is missing, unreadable or not UTF-8.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise PedkitError("no such file", file=path) from None
    except OSError as error:
        raise PedkitError(f"cannot be read: {error.strerror}", file=path) from None
    except UnicodeDecodeError as error:
        raise PedkitError(f"expected UTF-8 text, but byte {error.start} is not", file=path) from None
    lines = enumerate(text.split("\n"), start=1)
    return [(number, line.rstrip()) for number, line in lines if line.strip()]


def read_pairs(path: Path) -> dict[str, str]:
    """Read a list of ``key value`` lines (Kaldi's form: parted by a tab or blanks, the value may hold blanks).

    Raises:
        PedkitError: A line has no value or a key stands twice.
    """
    pairs: dict[str, str] = {}
    for number, line in read_lines(path):
        key, _, value = line.replace("\t", " ", 1).partition(" ")
        if not value.strip():
            raise PedkitError(f"expected a key and a value, but got {line!r}", file=path, line=number)
        if key in pairs:
            raise PedkitError(f"{key!r} stands twice", file=path, line=number)
        pairs[key] = value.strip()
    return pairs


def choose(**options: tuple[str, tuple[str, ...]]) -> None:
    """Check options of a reader: name -> (value, allowed values).

    Raises:
        PedkitError: A value is none of those allowed.
    """
    for name, (value, allowed) in options.items():
        if value not in allowed:
            raise PedkitError(f"expected '{name}' to be one of {', '.join(allowed)}, but got {value!r}")
