"""Inserted phones of speechocean762: marked ``[X]`` by single experts in ``scores-detail.json`` alone.

``scores.json``, the file of record, has no insertions, so they are read only on request and only where enough of
the five experts heard the same phone in the same place.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from pedkit.errors import PedkitError

_TOKEN = re.compile(r"\[[^\]]*\]|[^\s\[\]]+")


def inserted_phones(experts: Sequence[str], canonical: Sequence[str], votes: int) -> list[tuple[str, ...]]:
    """Return the phones inserted before each canonical phone of a word, and after the last.

    Args:
        experts: One string an expert, such as ``B EH0 [L] R``; ``(X)`` and ``{X}`` are marks of a canonical phone.
        canonical: The word's canonical phones without stress.
        votes: How many experts must have heard the same phone in the same slot.

    Returns:
        ``len(canonical) + 1`` tuples: slot k stands before canonical phone k.

    Raises:
        PedkitError: An expert's string has another number of canonical phones.
    """
    heard: list[Counter[tuple[str, int]]] = [Counter() for _ in range(len(canonical) + 1)]
    for expert in experts:
        slots = _slots(expert, len(canonical))
        for counter, phones in zip(heard, slots, strict=True):
            seen: Counter[str] = Counter()
            for phone in phones:  # the second R of one expert agrees only with the second R of another
                counter[phone, seen[phone]] += 1
                seen[phone] += 1
    return [tuple(phone for (phone, _), count in slot.items() if count >= votes) for slot in heard]


def _slots(expert: str, length: int) -> list[list[str]]:
    slots: list[list[str]] = [[]]
    for token in _TOKEN.findall(expert):
        if token.startswith("["):
            slots[-1].extend(phone.rstrip("012") for phone in token[1:-1].split())
        else:
            slots.append([])
    if len(slots) != length + 1:
        raise PedkitError(f"expected {length} phones beside the inserted ones, but an expert wrote {expert!r}")
    return slots
