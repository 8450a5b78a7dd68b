"""`Item`: what is needed to score one utterance."""

from __future__ import annotations

from dataclasses import dataclass

NO_FLAGS: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Item:
    """The phones of one utterance.

    Attributes:
        id: Name of the utterance, unique among all that are scored together.
        canonical: Phones that should have been said; ``None`` where unknown.
        realized: Phones that were said; ``None`` where nobody listened. ``<unk>`` and ``err`` stand for a sound
            that is no phone of the inventory.
        predicted: Phones that the system heard; empty for an empty answer. ``<unk>`` and ``err`` stand here too
            for a sound that is no phone: they equal nothing, not even a realized ``<unk>``.
        flags: Canonical indices that the corpus marks as wrong (``X*`` of speechocean762).
        alignment: How the annotator laid realized beside canonical phones, one letter a column: ``M`` both, ``D``
            a canonical phone alone, ``I`` a realized one alone. Used with ``reference="annotated"``.
    """

    id: str
    canonical: tuple[str, ...] | None
    realized: tuple[str, ...] | None
    predicted: tuple[str, ...]
    flags: frozenset[int] = NO_FLAGS
    alignment: str | None = None
