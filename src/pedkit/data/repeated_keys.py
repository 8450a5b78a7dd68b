"""Keys that stand twice in one JSON object: decoders keep the last one and say nothing.

Looking at every object costs as much as decoding it. So colons are counted: what was decoded is encoded again, and
where as many colons come out as went in, no key was lost on the way. Anything else is read again, slowly.
"""

from __future__ import annotations

from typing import Any

_ESCAPED = rb"\u003"
"""How an escaped colon begins: it would be written as it is, and stand for one that is missing."""


def may_repeat(raw: bytes, encoded: bytes) -> bool:
    """Return whether JSON could hold a key twice in one object.

    Args:
        raw: The JSON.
        encoded: What it was decoded to, encoded again.
    """
    return raw.count(b":") != encoded.count(b":") or _ESCAPED in raw


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
