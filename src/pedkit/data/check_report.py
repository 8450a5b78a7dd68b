"""`Report`: what `check` found in a manifest, as numbers and as text."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

SHOWN = 20
"""How many faults and notes the text shows; the lists hold all."""


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
        inserted: Realized phones that answer to no canonical one.
        faulty: Utterances with at least one such error.
    """

    utterances: int = 0
    speakers: set[str] = field(default_factory=set)
    seconds: float = 0.0
    canonical: int = 0
    realized: int = 0
    mispronounced: int = 0
    inserted: int = 0
    faulty: int = 0


@dataclass(slots=True)
class Report:
    """What is in a manifest.

    Attributes:
        path: The manifest.
        splits: Counts by split.
        groups: Group key -> value -> number of speakers.
        faults: What has to be mended before the manifest is used; one sentence each.
        notes: What one should know; one sentence each.
    """

    path: Path = Path()
    splits: dict[str, SplitCounts] = field(default_factory=dict)
    groups: dict[str, Counter[object]] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        """True where there is no fault."""
        return not self.faults

    def __str__(self) -> str:
        rows = [
            ["split", "utterances", "speakers", "hours", "canonical", "realized", "wrong", "inserted", "faulty"]
        ]
        for name, c in self.splits.items():
            phones = (c.canonical, c.realized, c.mispronounced, c.inserted, c.faulty)
            rows.append(
                [name, str(c.utterances), str(len(c.speakers)), f"{c.seconds / 3600:.2f}", *map(str, phones)]
            )
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        lines = [str(self.path), ""]
        for row in rows:
            cells = [cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)]
            lines.append("  ".join([row[0].ljust(widths[0]), *cells]))
        lines += ["", "canonical, realized, wrong, inserted: phones; faulty: utterances with an error", ""]
        lines += [f"speakers by {key}: {_values(values)}" for key, values in self.groups.items()]
        lines += _listed("note", self.notes) + _listed("FAULT", self.faults)
        lines.append("no fault found" if self.ok else f"{len(self.faults)} faults")
        return "\n".join(lines)


def _values(values: Counter[object]) -> str:
    numbers = [value for value in values if isinstance(value, int | float) and not isinstance(value, bool)]
    if numbers and len(numbers) == len(values):
        return f"{min(numbers):g} to {max(numbers):g} ({sum(values.values())} speakers)"
    return ", ".join(f"{value} {values[value]}" for value in sorted(values, key=str))


def _listed(word: str, items: list[str]) -> list[str]:
    more = [f"{word}: and {len(items) - SHOWN} more"] if len(items) > SHOWN else []
    return [f"{word}: {item}" for item in items[:SHOWN]] + more
