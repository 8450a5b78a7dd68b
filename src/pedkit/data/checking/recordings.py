"""Recordings of a manifest: one that is heard in two splits is a leak, one that lies there twice a mistake."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from pedkit.data.checking.report import Report
from pedkit.data.utterance import Utterance


class _Part(NamedTuple):
    start: float
    end: float
    split: str
    utterance: str


class RecordingCheck:
    """Looks at which part of which file is whose; parts of one file may overlap within a split."""

    def __init__(self) -> None:
        self._parts: defaultdict[tuple[str, int], list[_Part]] = defaultdict(list)
        self._contents: dict[bytes, tuple[str, str]] = {}

    def add(self, utterance: Utterance, split: str | None) -> None:
        """Take in one utterance with audio."""
        audio = utterance.audio
        assert audio is not None
        end = math.inf if audio.duration is None else audio.start + audio.duration
        part = _Part(audio.start, end, split or "", utterance.id)
        self._parts[audio.path, audio.channel or 0].append(part)

    def add_content(self, utterance: Utterance, digest: bytes, report: Report) -> None:
        """Take in the digest of the samples of one utterance."""
        assert utterance.audio is not None
        path = utterance.audio.path
        first = self._contents.setdefault(digest, (path, utterance.id))
        if first[0] != path:
            report.fault(
                "duplicate audio",
                f"{path}: utterance '{utterance.id}': the same audio as {first[0]} (utterance '{first[1]}')",
            )

    def finish(self, report: Report) -> None:
        """Report what only the whole shows."""
        twice = 0
        for (path, _), parts in self._parts.items():
            if len(parts) < 2:
                continue
            twice += len(parts) - len({part[:2] for part in parts})
            for one, other in _overlapping(parts):
                report.fault(
                    "recording in two splits",
                    f"{path}: the utterances '{one.utterance}' ({one.split}) and '{other.utterance}' "
                    f"({other.split}) share audio across splits",
                )
        if twice:
            report.notes.append(f"utterances with exactly the audio of another one: {twice}")


def _overlapping(parts: list[_Part]) -> Iterator[tuple[_Part, _Part]]:
    """Yield neighbours in time that overlap although they are in different splits."""
    by_split: dict[str, _Part] = {}
    for part in sorted(parts):
        for split, reaching in by_split.items():
            if part.split and split and split != part.split and part.start < reaching.end:
                yield reaching, part
        before = by_split.get(part.split)
        if before is None or before.end < part.end:
            by_split[part.split] = part
