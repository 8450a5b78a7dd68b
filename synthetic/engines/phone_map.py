"""How each engine writes the phones of CMU-39: ``tables/phone_map.tsv``, put together for pedkit.

Rows ending in 0 are unstressed vowels that some engine writes in a way of their own; all other vowels are written
the same with and without stress.
"""

from __future__ import annotations

import csv
import functools
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from pedkit.errors import PedkitError
from synthetic.arpabet import CMU39, base

TABLES = Path(__file__).parent / "tables"
NOTATIONS = ("espeak", "flite", "mbrola_us", "mbrola_en1", "piper", "kokoro")
"""Columns of the table; festival's diphone voices use flite's."""


@functools.cache
def symbols(notation: str) -> Mapping[str, str]:
    """Return the symbol of each row of the table, in one of `NOTATIONS`."""
    with (TABLES / "phone_map.tsv").open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        return MappingProxyType({row["phone"]: row[notation] for row in rows})


def symbol(phone: str, notation: str, engine: str) -> str:
    """Return how an engine writes a phone (ARPAbet with a stress digit, or without one).

    Raises:
        PedkitError: The phone is not in CMU-39.
    """
    if base(phone) not in CMU39:
        raise PedkitError(f"expected phones of CMU-39, but got {phone!r}, which {engine} cannot say")
    table = symbols(notation)
    return table.get(phone) or table[base(phone)]
