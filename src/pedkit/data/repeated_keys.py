"""Keys that stand twice in one JSON object: decoders keep the last one and say nothing.

Looking at every object costs as much as decoding it. So keys are counted: a line in which they end as often as
decoded objects have keys holds none twice; any other line is read again, slowly.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def may_repeat(raw: bytes, keys: int) -> bool:
    """Return whether a line that was decoded to so many keys could hold one of them twice.

    A text with ``":`` in it counts as an end of a key, and blanks before a colon hide one: such lines may.
    """
    return raw.count(b'":') != keys or b'" :' in raw


def count_keys(value: Mapping[str, Any] | list[Any]) -> int:
    """Return how many keys a decoded object or list has, those of objects inside it included."""
    own, entries = (0, value) if isinstance(value, list) else (len(value), value.values())
    inside = [entry for entry in entries if type(entry) is dict or type(entry) is list]
    return own + sum(map(count_keys, inside)) if inside else own


def without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return the object of these pairs (an ``object_pairs_hook`` of `json`).

    Raises:
        ValueError: A key stands twice.
    """
    value = dict(pairs)
    if len(value) < len(pairs):
        names = [name for name, _ in pairs]
        repeated = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"the key {repeated!r} stands twice")
    return value
