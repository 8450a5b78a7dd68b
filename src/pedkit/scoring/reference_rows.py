"""Trivial systems that stand beside every real one, so that a number can be judged."""

from __future__ import annotations

from pedkit.errors import PedkitError
from pedkit.phones.marks import UNUSABLE_PHONES
from pedkit.scoring.item import Item

REFERENCE_ROWS = ("accept_all", "empty", "perfect")
_UNUSABLE = frozenset(UNUSABLE_PHONES)


def reference_prediction(item: Item, row: str) -> tuple[str, ...] | None:
    """Return what a trivial system hears, ``None`` where nobody can say.

    ``accept_all`` hears the canonical phones, ``empty`` nothing, ``perfect`` exactly the realized phones. Sounds
    that are no phone (``<unk>``) are left out of ``perfect``, as no system can name them; a column that the corpus
    flags although both phones are equal stays a false acceptance even there.

    Raises:
        PedkitError: There is no such row.
    """
    if row not in REFERENCE_ROWS:
        raise PedkitError(f"expected a row out of {', '.join(REFERENCE_ROWS)}, but got {row!r}")
    if row == "empty":
        return ()
    heard = item.canonical if row == "accept_all" else item.realized
    if heard is None or _UNUSABLE.isdisjoint(heard):
        return heard
    return tuple(phone for phone in heard if phone not in _UNUSABLE)
