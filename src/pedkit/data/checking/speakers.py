"""Speakers of a manifest: nobody may be in two splits, groups are counted by speaker."""

from __future__ import annotations

from collections import Counter, defaultdict

from pedkit.data.checking.report import Report, SplitCounts
from pedkit.data.utterance import Utterance


class SpeakerCheck:
    """Looks at speakers and their groups."""

    def __init__(self) -> None:
        self._splits: defaultdict[str, set[str]] = defaultdict(set)
        self._values: defaultdict[str, defaultdict[str, set[object]]] = defaultdict(lambda: defaultdict(set))
        self._without = 0

    def add(self, utterance: Utterance, split: str | None, counts: SplitCounts) -> None:
        """Take in one utterance; ``split`` is ``None`` where nothing says which it is in."""
        if utterance.speaker is None:
            self._without += 1
            return
        counts.speakers.add(utterance.speaker)
        if split is not None:
            self._splits[utterance.speaker].add(split)
        for key, value in utterance.groups.items():
            self._values[key][utterance.speaker].add(value)

    def finish(self, report: Report) -> None:
        """Report what only the whole shows."""
        for speaker, splits in self._splits.items():
            if len(splits) > 1:
                there = ", ".join(sorted(splits))
                report.fault("speaker in two splits", f"the speaker '{speaker}' is in the splits {there}")
        for key, by_speaker in self._values.items():
            report.groups[key] = Counter(value for values in by_speaker.values() for value in values)
            for speaker, values in by_speaker.items():
                if len(values) > 1 and all(isinstance(value, str) for value in values):
                    kinds = ", ".join(sorted(map(str, values)))
                    report.notes.append(f"the speaker '{speaker}' has several values of '{key}': {kinds}")
        if self._without:
            report.notes.append(f"utterances without a speaker: {self._without}")
