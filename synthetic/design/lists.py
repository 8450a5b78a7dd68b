"""Lists of texts: one a line, with comments."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from pedkit.errors import PedkitError


def numbered_lines(path: str | Path) -> Iterator[tuple[int, str]]:
    """Yield number and text of each line, but for blank ones and those that begin with ``#``.

    Raises:
        PedkitError: The file cannot be read, or is not in UTF-8.
    """
    try:
        lines = Path(path).read_text(encoding="utf-8-sig").splitlines()
    except OSError as error:
        raise PedkitError(f"cannot be read: {(error.strerror or 'unknown error').lower()}", file=path) from None
    except UnicodeDecodeError as error:
        raise PedkitError(f"expected a list in UTF-8, but byte {error.start + 1} is not", file=path) from None
    for number, line in enumerate(map(str.strip, lines), start=1):
        if line and not line.startswith("#"):
            yield number, line
