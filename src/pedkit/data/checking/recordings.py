"""Recordings of a manifest: one that is heard in two splits is a leak, one that lies there twice a mistake."""

from __future__ import annotations

from pedkit.data.checking.report import Report
from pedkit.data.recording_parts import RecordingParts
from pedkit.data.utterance import Utterance


class RecordingCheck:
    """Looks at which part of which file is whose; parts of one file may overlap within a split."""

    def __init__(self) -> None:
        self._parts = RecordingParts()
        self._contents: dict[bytes, tuple[str, str]] = {}

    def add(self, utterance: Utterance, split: str | None) -> None:
        """Take in one utterance."""
        self._parts.add(utterance, split or "")

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
        for path, one, other in self._parts.shared():
            report.fault(
                "recording in two splits",
                f"{path}: the utterances '{one.utterance}' ({one.side}) and '{other.utterance}' "
                f"({other.side}) share audio across splits",
            )
        if twice := self._parts.repeats():
            report.notes.append(f"utterances with exactly the audio of another one: {twice}")
