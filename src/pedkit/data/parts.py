"""`Audio` and `Word`: the parts of an `Utterance` that are objects of their own in a manifest line."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Annotated, Any

from msgspec import Meta, Struct
from msgspec.structs import asdict

from pedkit.data.fields import finite_number, span, typed, whole_number
from pedkit.errors import PedkitError

Index = Annotated[int, Meta(ge=0)]
"""A position, counted from 0."""

Name = Annotated[str, Meta(min_length=1)]
"""Text that is not empty."""


class Audio(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """Where the samples are: ``path`` (relative paths start at the manifest's folder), times in seconds."""

    path: Name
    channel: Index | None = None
    start: Annotated[float, Meta(ge=0)] = 0.0
    duration: Annotated[float, Meta(gt=0)] | None = None

    def to_json(self) -> dict[str, Any]:
        """Return the object of a manifest line; what is missing or 0 is left out."""
        found = {key: value for key, value in asdict(self).items() if value is not None}
        if not self.start:
            del found["start"]
        return found

    @classmethod
    def from_json(cls, value: Any) -> Audio:
        """Read a path, or an object with ``path`` and perhaps ``channel``, ``start`` and ``duration``.

        Raises:
            PedkitError: A key is unknown or a value cannot be.
        """
        if isinstance(value, str):
            return cls(path=_path(value))
        line = typed(value, "audio", Mapping, "a path or an object")
        if unknown := sorted(set(line) - {"path", "channel", "start", "duration"}):
            raise PedkitError(f"unknown key 'audio.{unknown[0]}'")
        channel, duration = line.get("channel"), line.get("duration")
        audio = cls(
            path=_path(typed(line.get("path"), "audio.path", str, "a string")),
            channel=None if channel is None else whole_number(channel, "audio.channel"),
            start=finite_number(line.get("start", 0.0), "audio.start"),
            duration=None if duration is None else finite_number(duration, "audio.duration"),
        )
        if audio.start < 0 or (audio.duration is not None and audio.duration <= 0):
            raise PedkitError(f"expected 'audio' to start at 0 or later and last longer than 0, but got {value!r}")
        return audio


def _path(path: str) -> str:
    try:
        if path and b"\0" not in os.fsencode(path):
            return path
    except UnicodeEncodeError:
        pass
    raise PedkitError(f"expected 'audio' to name a path, but got {path!r}")


class Word(Struct, frozen=True, omit_defaults=True, gc=False):
    """One word over canonical phones ``[start, end)``, with times in seconds where they are known."""

    text: str
    start: Index
    end: Index
    start_time: float | None = None
    end_time: float | None = None

    def to_json(self) -> dict[str, Any]:
        """Return the object of a manifest line; what is missing is left out."""
        return {key: value for key, value in asdict(self).items() if value is not None}

    @classmethod
    def from_json(cls, value: Any) -> Word:
        """Read an object with ``text``, ``start``, ``end`` and perhaps ``start_time`` and ``end_time``.

        Raises:
            PedkitError: A value is missing or cannot be.
        """
        line = typed(value, "words", Mapping, "a list of objects")
        start, end = span([line.get("start"), line.get("end")], "words")
        times = (
            None if line.get(key) is None else finite_number(line[key], f"words.{key}")
            for key in ("start_time", "end_time")
        )
        return cls(typed(line.get("text"), "words.text", str, "a string"), start, end, *times)
