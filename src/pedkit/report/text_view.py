"""Phones under phones as plain text that lines up, also with combining marks and wide letters."""

from __future__ import annotations

from collections.abc import Sequence

from pedkit.phones import GAP
from pedkit.scoring import display_width


def stacked(cells: Sequence[str | None]) -> tuple[str, ...]:
    """Return the cells of one column, padded with spaces to the widest; ``None`` becomes the gap."""
    texts = [GAP if cell is None else cell for cell in cells]
    if all(map(str.isascii, texts)):
        width = max(map(len, texts))
        return tuple([text.ljust(width) for text in texts])
    widest = max(map(display_width, texts))
    return tuple(text + " " * (widest - display_width(text)) for text in texts)
