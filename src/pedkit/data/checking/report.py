"""`Report`: what `check` found in manifests, as numbers and as text."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from pedkit.data.utterance import Utterance

SHOWN = 5
"""How many faults of a kind the text shows unless all are asked for; the lists hold all."""


@dataclass(slots=True)
class SplitCounts:
    """Sums over the utterances of one split.

    Attributes:
        utterances: Number of utterances.
        speakers: Their speakers.
        seconds: Length of the recordings.
        canonical: Canonical phones.
        realized: Realized phones, unusable symbols included.
        mispronounced: Canonical phones said wrongly or not at all (flagged ones included).
        deleted: Those of them that were not said at all.
        inserted: Realized phones that answer to no canonical one.
        faulty: Utterances with at least one such error.
    """

    utterances: int = 0
    speakers: set[str] = field(default_factory=set)
    seconds: float = 0.0
    canonical: int = 0
    realized: int = 0
    mispronounced: int = 0
    deleted: int = 0
    inserted: int = 0
    faulty: int = 0


@dataclass(slots=True)
class Facts:
    """What the utterances have in common, for the data card: how many utterances say which value."""

    corpora: Counter[str] = field(default_factory=Counter)
    languages: Counter[str] = field(default_factory=Counter)
    inventories: Counter[str] = field(default_factory=Counter)
    levels: Counter[str] = field(default_factory=Counter)
    may_upload: Counter[str] = field(default_factory=Counter)
    licences: Counter[str] = field(default_factory=Counter)
    rates: Counter[int] = field(default_factory=Counter)
    audio_files: set[str] = field(default_factory=set)

    def add(self, utterance: Utterance) -> None:
        """Count one utterance; sample rates are counted where headers are read."""
        for counter, value in (
            (self.corpora, utterance.corpus),
            (self.languages, utterance.language),
            (self.inventories, utterance.inventory),
            (self.levels, utterance.level),
        ):
            counter["not stated" if value is None else value] += 1
        licence = utterance.extra.get("licence")
        if isinstance(licence, str):
            self.licences[licence] += 1
        permission = utterance.may_upload
        self.may_upload["not stated" if permission is None else "yes" if permission else "no"] += 1
        if utterance.audio is not None:
            self.audio_files.add(utterance.audio.path)


@dataclass(slots=True)
class Report:
    """What is in one or several manifests.

    Attributes:
        paths: The manifests.
        audio: How closely audio was looked at: ``none``, ``header`` or ``content``.
        splits: Counts by split; where there are several manifests, by manifest and split.
        groups: Group key -> value -> number of speakers.
        facts: What the data card says.
        faults_by_kind: Kind -> what has to be mended before the manifest is used; one sentence each.
        notes: What one should know; one sentence each.
    """

    paths: tuple[Path, ...] = ()
    audio: str = "header"
    splits: dict[str, SplitCounts] = field(default_factory=dict)
    groups: dict[str, Counter[object]] = field(default_factory=dict)
    facts: Facts = field(default_factory=Facts)
    faults_by_kind: dict[str, list[str]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    @property
    def faults(self) -> list[str]:
        """All faults, kind by kind."""
        return [fault for faults in self.faults_by_kind.values() for fault in faults]

    @property
    def ok(self) -> bool:
        """True where there is no fault."""
        return not self.faults_by_kind

    def fault(self, kind: str, sentence: str) -> None:
        """Add a fault."""
        self.faults_by_kind.setdefault(kind, []).append(sentence)

    def rows(self) -> list[list[str]]:
        """Return the table of splits, the heading first."""
        rows = [list(HEADING)]
        for name, c in self.splits.items():
            phones = (c.canonical, c.realized, c.mispronounced - c.deleted, c.deleted, c.inserted, c.faulty)
            rows.append(
                [name, str(c.utterances), str(len(c.speakers)), f"{c.seconds / 3600:.2f}", *map(str, phones)]
            )
        return rows

    def text(self, shown: int | None = SHOWN) -> str:
        """Return the report for people, with at most ``shown`` faults of each kind (``None``: all)."""
        rows = self.rows()
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        lines = [*map(str, self.paths), ""]
        for row in rows:
            cells = [cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)]
            lines.append("  ".join([row[0].ljust(widths[0]), *cells]))
        lines += ["", COLUMNS, ""]
        lines += [f"speakers by {key}: {group_text(values)}" for key, values in self.groups.items()]
        lines += [f"note: {note}" for note in few(self.notes, shown and 4 * shown)]
        for kind, faults in self.faults_by_kind.items():
            lines += [f"FAULT, {kind}: {fault}" for fault in few(faults, shown)]
        number = len(self.faults)
        lines.append("no fault found" if self.ok else f"{number} fault{'' if number == 1 else 's'}")
        return "\n".join(lines)

    def __str__(self) -> str:
        return self.text()


HEADING = (
    "split", "utterances", "speakers", "hours",
    "canonical", "realized", "substituted", "deleted", "inserted", "faulty",
)  # fmt: skip
COLUMNS = "canonical to inserted: phones (substituted with flagged ones); faulty: utterances with an error"


def group_text(values: Counter[object]) -> str:
    """Return the values of a group key with their numbers of speakers, or the range where they are numbers."""
    numbers = [value for value in values if isinstance(value, int | float) and not isinstance(value, bool)]
    if numbers and len(numbers) == len(values):
        return f"{min(numbers):g} to {max(numbers):g} ({sum(values.values())} speakers)"
    return ", ".join(f"{value} {values[value]}" for value in sorted(values, key=str))


def few(items: list[str], shown: int | None) -> list[str]:
    """Return the first items, and how many more there are."""
    if shown is None or len(items) <= shown:
        return items
    return [*items[:shown], f"and {len(items) - shown} more"]
