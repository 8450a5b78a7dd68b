"""Which parts of which recordings are whose: a part that is heard on two sides is a leak."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from pedkit.data.utterance import Utterance

ROUNDING = 0.01
"""Seconds by which neighbours in a recording may reach into each other: manifests round times."""


class Part(NamedTuple):
    """From when to when, in seconds, an utterance is in its file.

    ``side`` is the split or set it belongs to, "" where none is known.
    """

    start: float
    end: float
    side: str
    utterance: str


class RecordingParts:
    """Parts of recordings, by file and channel."""

    def __init__(self) -> None:
        self._parts: defaultdict[tuple[str, int], list[Part]] = defaultdict(list)

    def add(self, utterance: Utterance, side: str) -> None:
        """Take in one utterance; without audio it has no part in any."""
        audio = utterance.audio
        if audio is not None:
            end = math.inf if audio.duration is None else audio.start + audio.duration
            part = Part(audio.start, end, side, utterance.id)
            self._parts[audio.path, audio.channel or 0].append(part)

    def shared(self) -> Iterator[tuple[str, Part, Part]]:
        """Yield path and two parts that overlap although they are on different sides.

        Of all the earlier parts of a side that a part overlaps only the one that reaches furthest comes.
        """
        for (path, _), parts in self._parts.items():
            if len(parts) > 1:
                yield from ((path, one, other) for one, other in _overlapping(parts))

    def repeats(self) -> int:
        """Return how many utterances have exactly the audio of an earlier one."""
        return sum(len(parts) - len({part[:2] for part in parts}) for parts in self._parts.values())


def _overlapping(parts: list[Part]) -> Iterator[tuple[Part, Part]]:
    furthest: dict[str, Part] = {}
    for part in sorted(parts):
        for side, reaching in furthest.items():
            if part.side and side and side != part.side and part.start < reaching.end - ROUNDING:
                yield reaching, part
        before = furthest.get(part.side)
        if before is None or before.end < part.end:
            furthest[part.side] = part
