"""Seeded chance that is the same on every machine and in every version of Python and NumPy."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable


def lot(seed: int, name: str) -> bytes:
    """Return the lot of a name: names sorted by their lots are in random order.

    It is ``sha256("seed:name")``, so it depends neither on the other names nor on their order: who is drawn stays
    drawn when a corpus grows by others.
    """
    return hashlib.sha256(f"{seed}:{name}".encode("utf-8", "surrogatepass")).digest()


def draw(names: Iterable[str], count: int, seed: int) -> set[str]:
    """Return ``count`` of the names, or all where there are fewer."""
    return set(sorted(names, key=lambda name: lot(seed, name))[:count])
