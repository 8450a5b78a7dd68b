"""One annotated TextGrid of L2-ARCTIC: canonical and realized phones, words, and whatever is odd about it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pedkit.data.readers.l2arctic_labels import ERR, PhoneLabel, read_label
from pedkit.data.readers.textgrid import Interval, TextGrid, read_textgrid, shown
from pedkit.data.utterance import Word
from pedkit.errors import PedkitError


@dataclass(frozen=True, slots=True)
class Annotation:
    """What the annotator wrote, in CMU-39 without stress and without silences.

    Attributes:
        canonical: Phones that should have been said (CPL).
        realized: Phones that were said (PPL); ``err`` for a sound outside the inventory.
        alignment: ``M``, ``D`` or ``I`` for each label: both phones, a deletion, an addition.
        flags: Canonical index -> ``err`` or ``star``, where the policy makes a starred phone an error.
        starred: Canonical indices whose perceived phone carried a ``*``, whatever became of it.
        words: Words of the tier ``words`` over the canonical phones, with times; empty where that tier is missing.
        tags: How many labels carry the tag ``s``, ``d``, ``a`` (what the corpus documentation counts).
        notes: What is odd about labels and intervals, in words.
    """

    canonical: tuple[str, ...]
    realized: tuple[str, ...]
    alignment: str
    flags: Mapping[int, str]
    starred: tuple[int, ...]
    words: tuple[Word, ...]
    tags: Mapping[str, int]
    notes: tuple[str, ...]


def read_annotation(path: Path, star: str = "strip") -> Annotation:
    """Read the tiers ``phones`` and ``words``; others (IPA, comments) are left alone.

    Args:
        path: A file of a folder ``annotation``.
        star: What a perceived ``AE*`` means: ``strip`` = AE was said; ``error`` = AE was said and it is an error
            even where AE is the canonical phone (flag ``star``); ``keep`` = the symbol ``AE*``, which no inventory
            knows.

    Raises:
        PedkitError: The file is no TextGrid with one tier of phones, or a label cannot be read.
    """
    grid = read_textgrid(path)
    tier = grid.tier("phones")
    labels = [_label(interval, path) for interval in tier.intervals]
    spoken = [(interval, label) for interval, label in zip(tier.intervals, labels, strict=True)]
    expected = [(interval, label) for interval, label in spoken if label.canonical is not None]
    flags, starred = {}, []
    for index, (_, label) in enumerate(expected):
        if label.starred:
            starred.append(index)
        if label.realized == ERR:
            flags[index] = "err"
        elif label.starred and star == "error" and label.realized == label.canonical:
            flags[index] = "star"
    return Annotation(
        canonical=tuple(label.canonical for _, label in expected if label.canonical is not None),
        realized=tuple(_said(label, star) for label in labels if label.realized is not None),
        alignment="".join(_column(label) for label in labels),
        flags=flags,
        starred=tuple(starred),
        words=_words(grid, [(interval.start + interval.end) / 2 for interval, _ in expected]),
        tags=dict(sorted(Counter(label.tag for label in labels if label.tag is not None).items())),
        notes=tuple(
            f"{shown(interval.label)} at {interval.start:g} s: {note}"
            for interval, label in spoken
            for note in label.notes
        )
        + tier.oddities(),
    )


def _label(interval: Interval, path: Path) -> PhoneLabel:
    try:
        return read_label(interval.label)
    except PedkitError as error:
        raise PedkitError(f"{error.message}, at {interval.start:g} s", file=path) from None


def _column(label: PhoneLabel) -> str:
    if label.canonical is None:
        return "" if label.realized is None else "I"
    return "D" if label.realized is None else "M"


def _said(label: PhoneLabel, star: str) -> str:
    return f"{label.realized}*" if label.starred and star == "keep" else str(label.realized)


def _words(grid: TextGrid, middles: Sequence[float]) -> tuple[Word, ...]:
    """Return the words that hold the middle of at least one canonical phone."""
    if not any(tier.name.strip().lower() == "words" for tier in grid.tiers):
        return ()
    words = []
    for start, end, text in grid.tier("words").intervals:
        inside = [index for index, middle in enumerate(middles) if start <= middle < end]
        if text.strip() and inside:
            words.append(Word(text.strip(), inside[0], inside[-1] + 1, start, end))
    return tuple(words)
