"""Alignments as plain text whose columns stay under each other."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import TYPE_CHECKING

from pedkit.phones.marks import GAP

if TYPE_CHECKING:
    from pedkit.scoring.alignment import Alignment

_OPERATIONS = {None: "=", "sub": "S", "del": "D", "ins": "I", "tier1": "~", "tier2": "~"}


def display_width(text: str) -> int:
    """Return how many terminal cells a text takes: combining marks (the tie bar too) none, wide letters two."""
    if text.isascii():
        return len(text)
    width = 0
    for character in text:
        if unicodedata.category(character) in ("Mn", "Me", "Cf"):
            continue
        width += 2 if unicodedata.east_asian_width(character) in "WF" else 1
    return width


def text_rows(rows: Sequence[tuple[str, Sequence[str | None]]]) -> str:
    """Write named rows of equal length under each other; ``None`` becomes the gap symbol.

    Example:
        >>> print(text_rows([("reference", ["t͡ʃ", "iː"]), ("predicted", ["t", None])]))
        reference  t͡ʃ iː
        predicted  t  -
    """
    cells = [[GAP if cell is None else cell for cell in row] for _, row in rows]
    widths = [max(map(display_width, column)) for column in zip(*cells, strict=True)]
    margin = max(display_width(name) for name, _ in rows) + 2
    lines = []
    for (name, _), row in zip(rows, cells, strict=True):
        padded = [cell + " " * (width - display_width(cell)) for cell, width in zip(row, widths, strict=True)]
        lines.append((name + " " * (margin - display_width(name)) + " ".join(padded)).rstrip())
    return "\n".join(lines)


def grid_text(alignment: Alignment) -> str:
    """Write canonical, realized and predicted phones of one utterance, and the outcome of each column below."""
    columns = alignment.columns
    return text_rows(
        [
            ("canonical", [column.canonical for column in columns]),
            ("realized", [column.realized for column in columns]),
            ("predicted", [column.predicted for column in columns]),
            ("outcome", [column.outcome for column in columns]),
        ]
    )


def pair_text(alignment: Alignment, cost: str = "unit") -> str:
    """Write reference and predicted phones of one utterance, and ``= S D I`` below; ``~`` is a soft match."""
    pairs = alignment.pairs(cost)
    return text_rows(
        [
            ("reference", [pair.reference for pair in pairs]),
            ("predicted", [pair.predicted for pair in pairs]),
            ("", [_OPERATIONS[pair.type] for pair in pairs]),
        ]
    )
