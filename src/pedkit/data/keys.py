"""What an utterance can be told apart by: its own fields and its group keys, under one name each."""

from __future__ import annotations

from pedkit.data.utterance import Utterance

FIELDS = (
    "audio", "text", "language", "split", "corpus", "inventory", "canonical", "canonical_variant", "realized",
    "flags", "words", "target_span", "level", "source_id", "speaker", "may_upload",
)  # fmt: skip
"""Fields of an utterance that may be missing."""


def key_value(utterance: Utterance, key: str) -> object:
    """Return a field, or else the group value under this name; ``None`` where it is missing.

    ``source_id`` is the utterance's own id where it copies no other (see `Utterance.source`).
    """
    if key == "source_id":
        return utterance.source
    return getattr(utterance, key) if key in FIELDS else utterance.groups.get(key)


def has(utterance: Utterance, key: str) -> bool:
    """Return whether a field or group value is there; an empty sequence of phones is there, no words are not."""
    value = key_value(utterance, key)
    if key == "source_id":
        value = utterance.source_id
    return value is not None and not (key in ("flags", "words") and not value)
