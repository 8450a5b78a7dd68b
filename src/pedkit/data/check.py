"""`check`: what is in manifests, and what would go wrong later if they were used as they are."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from pedkit.data.checking.phones import PhoneCheck, pronunciation_errors
from pedkit.data.checking.recordings import RecordingCheck
from pedkit.data.checking.report import Report, SplitCounts
from pedkit.data.checking.speakers import SpeakerCheck
from pedkit.data.manifest import scan_manifest
from pedkit.data.manifest_names import manifest_names
from pedkit.data.utterance import Utterance
from pedkit.errors import PedkitError

__all__ = ["AUDIO_LEVELS", "check", "pronunciation_errors"]

AUDIO_LEVELS = ("none", "header", "content")


def check(*manifests: str | Path, audio: str = "header", sample_rate: int = 16000) -> Report:
    """Look through manifests, each alone and all together.

    Args:
        *manifests: The manifests.
        audio: ``none`` opens no file. ``header`` opens each: missing or unreadable files, files shorter than their
            header or the manifest says, a channel that must be chosen, sample rates, more phones than fit into
            the time. ``content`` decodes every sample as well: compressed files that break off, samples that are
            no numbers, silence, clipping, the same audio under two paths.
        sample_rate: Least sample rate in Hz; files below are a fault.

    Returns:
        Counts by split and group, faults (to be mended) and notes (to be known). All faults are listed, not
        only the first, and a line that cannot be read does not end the reading.

    Raises:
        PedkitError: A file itself cannot be read, or ``audio`` is something else.
    """
    if audio not in AUDIO_LEVELS:
        raise PedkitError(f"expected 'audio' to be one of {', '.join(AUDIO_LEVELS)}, but got {audio!r}")
    checker = _Checker(audio, sample_rate)
    for manifest, name in zip(manifests, manifest_names(manifests), strict=True):
        checker.read(Path(manifest), None if len(manifests) == 1 else name)
    return checker.finish(tuple(map(Path, manifests)))


class _Checker:
    def __init__(self, audio: str, sample_rate: int) -> None:
        self.report = Report(audio=audio)
        self._phones, self._speakers, self._recordings = PhoneCheck(), SpeakerCheck(), RecordingCheck()
        self._audio = None
        if audio != "none":
            from pedkit.data.checking.audio import AudioCheck  # only here is an audio library needed

            self._audio = AudioCheck(
                content=audio == "content", sample_rate=sample_rate, recordings=self._recordings
            )
        self._lacking: Counter[str] = Counter()
        self._manifest_of: dict[str, Path] = {}
        self._in_two: list[str] = []

    def read(self, path: Path, name: str | None) -> None:
        """Take in one manifest; where several are read, its name stands for a split that is not stated."""
        line_of: dict[str, int] = {}
        number = 0
        for number, found in scan_manifest(path):
            place = f"line {number}" if name is None else f"{path}:{number}"
            if isinstance(found, PedkitError):
                self.report.fault("line", f"{place}: {found}")
                continue
            if found.id in line_of:
                self.report.fault("id", f"{place}: the id '{found.id}' stands already on line {line_of[found.id]}")
            line_of.setdefault(found.id, number)
            if self._manifest_of.setdefault(found.id, path) != path:
                self._in_two.append(found.id)
            split = name if found.split is None else found.split
            label = split or "no split"
            self._add(found, split, label if name is None else f"{name}: {label}")
        if not number:
            self.report.fault("line", f"{path}: there is no utterance")

    def _add(self, utterance: Utterance, split: str | None, label: str) -> None:
        counts = self.report.splits.setdefault(label, SplitCounts())
        counts.utterances += 1
        if utterance.text == "":  # every other field refuses to be empty
            self.report.fault("empty value", f"utterance '{utterance.id}': 'text' is empty, not missing")
        self.report.facts.add(utterance)
        self._speakers.add(utterance, split, counts)
        self._phones.add(utterance, counts, self.report)
        if utterance.audio is None:
            self._lacking["audio"] += 1
            return
        self._recordings.add(utterance, split)
        if self._audio is not None:
            self._audio.add(utterance, counts, self.report)
        else:
            counts.seconds += utterance.audio.duration or 0.0
            self._lacking["a known length"] += utterance.audio.duration is None

    def finish(self, paths: tuple[Path, ...]) -> Report:
        report = self.report
        report.paths = paths
        for part in (self._speakers, self._phones, self._recordings, self._audio):
            if part is not None:
                part.finish(report)
        report.notes += [f"utterances without {what}: {count}" for what, count in self._lacking.items() if count]
        if self._in_two:
            report.notes.append(f"ids that stand in two manifests: {len(self._in_two)}, first '{self._in_two[0]}'")
        return report
