"""Reading the tables that ship with this room."""

from __future__ import annotations

from pathlib import Path

TABLES = Path(__file__).with_name("tables")


def read_tsv(name: str) -> list[dict[str, str]]:
    """Return the rows of a shipped table as dictionaries from column name to text.

    Plain splitting, no CSV quoting: one recognizer vocabulary has a token that ends in a quotation mark.
    """
    lines = (TABLES / name).read_text(encoding="utf-8").splitlines()
    header = lines[0].split("\t")
    return [dict(zip(header, line.split("\t"), strict=True)) for line in lines[1:]]
