"""`check`: what is in a manifest, and what would go wrong later if it were used as it is."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from rapidfuzz.distance import Levenshtein

from pedkit.data.check_report import Report, SplitCounts
from pedkit.data.jsonl import read_jsonl
from pedkit.data.utterance import Utterance
from pedkit.errors import PedkitError
from pedkit.phones import INVENTORY_NAMES, get_inventory
from pedkit.phones.marks import UNUSABLE_PHONES


def check(manifest: str | Path, *, audio: bool = True) -> Report:
    """Look through a manifest.

    Args:
        manifest: The manifest.
        audio: Open the header of each recording; ``False`` opens none.

    Returns:
        Counts by split and group, faults (to be mended) and notes (to be known). All faults are listed, not
        only the first.

    Raises:
        PedkitError: The file itself cannot be read.
    """
    checker = _Checker(Path(manifest).resolve().parent, audio)
    for number, line in _lines(manifest, checker.report):
        try:
            utterance = Utterance.from_dict(line)
        except PedkitError as error:
            checker.report.faults.append(f"line {number}: {error}")
            continue
        checker.add(utterance, number)
    return checker.finish(Path(manifest))


def _lines(manifest: str | Path, report: Report) -> Iterator[tuple[int, dict[str, object]]]:
    """Yield the lines up to the first that is no JSON; that one becomes a fault."""
    lines = read_jsonl(manifest)
    while True:
        try:
            yield next(lines)
        except StopIteration:
            return
        except PedkitError as error:
            if error.line is None:
                raise
            report.faults.append(f"line {error.line}: {error.message}; nothing after it was read")
            return


class _Checker:
    def __init__(self, folder: Path, audio: bool) -> None:
        self.folder, self.audio = folder, audio
        self.report = Report()
        self._line_of: dict[str, int] = {}
        self._splits: defaultdict[str, set[str]] = defaultdict(set)
        self._values: defaultdict[str, defaultdict[str, set[object]]] = defaultdict(lambda: defaultdict(set))
        self._outside: dict[tuple[str, str], list[str]] = defaultdict(list)
        self._lacking: Counter[str] = Counter()
        self._unusable: Counter[str] = Counter()

    def add(self, utterance: Utterance, number: int) -> None:
        name, faults = utterance.id, self.report.faults
        if name in self._line_of:
            faults.append(f"line {number}: the id '{name}' stands already on line {self._line_of[name]}")
        self._line_of.setdefault(name, number)
        counts = self.report.splits.setdefault(utterance.split or "no split", SplitCounts())
        counts.utterances += 1
        self._add_speaker(utterance, counts)
        self._add_phones(utterance, counts)
        self._add_audio(utterance, counts)

    def finish(self, path: Path) -> Report:
        report = self.report
        report.path = path
        for speaker, splits in self._splits.items():
            if len(splits) > 1:
                report.faults.append(f"the speaker '{speaker}' is in the splits {', '.join(sorted(splits))}")
        for (inventory, phone), names in self._outside.items():
            report.faults.append(
                f"the symbol {phone!r} is outside the inventory {inventory} ({len(names)} times, "
                f"first in utterance '{names[0]}')"
            )
        for key, by_speaker in self._values.items():
            report.groups[key] = Counter(value for values in by_speaker.values() for value in values)
            for speaker, values in by_speaker.items():
                if len(values) > 1 and all(isinstance(value, str) for value in values):
                    kinds = ", ".join(sorted(map(str, values)))
                    report.notes.append(f"the speaker '{speaker}' has several values of '{key}': {kinds}")
        report.notes += [f"utterances without {what}: {count}" for what, count in self._lacking.items() if count]
        if self._unusable:
            symbols = ", ".join(f"{symbol} {count}" for symbol, count in self._unusable.items())
            report.notes.append(f"realized symbols that equal no phone: {symbols}")
        return report

    def _add_speaker(self, utterance: Utterance, counts: SplitCounts) -> None:
        if utterance.speaker is None:
            self._lacking["a speaker"] += 1
            return
        counts.speakers.add(utterance.speaker)
        if utterance.split is not None:
            self._splits[utterance.speaker].add(utterance.split)
        for key, value in utterance.groups.items():
            self._values[key][utterance.speaker].add(value)

    def _add_phones(self, utterance: Utterance, counts: SplitCounts) -> None:
        canonical, realized = utterance.canonical, utterance.realized
        for what, phones in (("canonical", canonical), ("realized", realized)):
            if phones is None:
                self._lacking[f"{what} phones"] += 1
        if canonical is None and realized is None:
            return
        if utterance.inventory is None or utterance.inventory not in INVENTORY_NAMES:
            self.report.faults.append(
                f"utterance '{utterance.id}': expected an inventory out of {', '.join(INVENTORY_NAMES)}, "
                f"but got {utterance.inventory!r}"
            )
            return
        inventory = get_inventory(utterance.inventory)
        for phone in (*(canonical or ()), *(realized or ())):
            if phone in UNUSABLE_PHONES:
                self._unusable[phone] += 1
            elif phone not in inventory:
                self._outside[inventory.name, phone].append(utterance.id)
        counts.canonical += len(canonical or ())
        counts.realized += len(realized or ())
        if canonical is not None and realized is not None:
            mispronounced, inserted = pronunciation_errors(canonical, realized, list(utterance.flags))
            counts.mispronounced += mispronounced
            counts.inserted += inserted
            counts.faulty += mispronounced + inserted > 0

    def _add_audio(self, utterance: Utterance, counts: SplitCounts) -> None:
        if utterance.audio is None:
            self._lacking["audio"] += 1
            return
        audio = replace(utterance.audio, path=str(self.folder / utterance.audio.path))
        if not self.audio:
            counts.seconds += audio.duration or 0.0
            self._lacking["a known length"] += audio.duration is None
            return
        from pedkit.data.audio import audio_info

        try:
            counts.seconds += audio_info(audio).seconds
        except PedkitError as error:
            self.report.faults.append(str(error.at(utterance=utterance.id)))


def pronunciation_errors(
    canonical: Sequence[str], realized: Sequence[str], flags: Sequence[int]
) -> tuple[int, int]:
    """Count errors of one utterance.

    Args:
        canonical: Canonical phones.
        realized: Realized phones.
        flags: Canonical indices that are wrong even where the phones are equal.

    Returns:
        Canonical phones said wrongly or not at all, and phones inserted, by a least-cost alignment.
    """
    edits = Levenshtein.editops(list(canonical), list(realized))
    wrong = {edit.src_pos for edit in edits if edit.tag != "insert"}
    return len(wrong | set(flags)), sum(edit.tag == "insert" for edit in edits)
