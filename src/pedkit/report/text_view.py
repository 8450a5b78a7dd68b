"""Phones under phones as plain text that lines up, also with combining marks and wide letters."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

GAP = "-"


def display_width(text: str) -> int:
    """Return the number of terminal cells: 0 for a combining or invisible character, 2 for a wide one, else 1."""
    width = 0
    for character in text:
        if unicodedata.category(character) in ("Mn", "Me", "Cf"):
            continue
        width += 2 if unicodedata.east_asian_width(character) in ("W", "F") else 1
    return width


def stacked(cells: Sequence[str | None]) -> tuple[str, ...]:
    """Return the cells of one column, padded with spaces to the widest; ``None`` becomes the gap."""
    texts = [GAP if cell is None else cell for cell in cells]
    widest = max(map(display_width, texts))
    return tuple(text + " " * (widest - display_width(text)) for text in texts)
