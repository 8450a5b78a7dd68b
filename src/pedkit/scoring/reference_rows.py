"""Trivial systems that stand beside every real one, so that a number can be judged."""

from __future__ import annotations

from dataclasses import replace

from pedkit.errors import PedkitError
from pedkit.phones.marks import UNUSABLE_PHONES
from pedkit.scoring.item import Item

REFERENCE_ROWS = ("accept_all", "empty", "perfect")


def reference_item(item: Item, row: str) -> Item:
    """Return the item with the prediction of a trivial system.

    ``accept_all`` hears the canonical phones, ``empty`` nothing, ``perfect`` exactly the realized phones. Sounds
    that are no phone (``<unk>``) are left out of ``perfect``, as no system can name them; a column that the corpus
    flags although both phones are equal stays a false acceptance even there.

    Raises:
        PedkitError: The item lacks the phones that the row repeats, or there is no such row.
    """
    if row == "empty":
        return replace(item, predicted=())
    if row not in REFERENCE_ROWS:
        raise PedkitError(f"expected a row out of {', '.join(REFERENCE_ROWS)}, but got {row!r}")
    source = item.canonical if row == "accept_all" else item.realized
    if source is None:
        key = "canonical" if row == "accept_all" else "realized"
        raise PedkitError(f"expected '{key}' phones for the row '{row}'", utterance=item.id)
    return replace(item, predicted=tuple(phone for phone in source if phone not in UNUSABLE_PHONES))
