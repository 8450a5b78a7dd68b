"""DoReCo's phones to utterances: the phones of one speaker in one unit of annotation (``ref``)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from pedkit.data.readers.doreco_tables import FILLER, PAUSE, PhoneRow, WordRow
from pedkit.data.readers.xsampa import xsampa_to_ipa
from pedkit.errors import PedkitError

UNKNOWN = "<unk>"
_NO_UNIT = frozenset({"", PAUSE, FILLER})


@dataclass(frozen=True, slots=True)
class Unit:
    """An utterance.

    Attributes:
        name: The ``ref``, numbered from 2 on where it comes back after another.
        start: Seconds, where the first sound starts. ``end``: where the last one ends.
        phones: IPA, one a phone of the table.
        with_unknown: The same with ``<unk>`` for each stretch of speech that has a label in place of phones.
        words: The transcribed words, without labels.
        labels: How often each label stands for speech (``fp``, ``ui``, ``****``).
    """

    name: str
    start: float
    end: float
    phones: tuple[str, ...]
    with_unknown: tuple[str, ...]
    words: tuple[str, ...]
    labels: Mapping[str, int]


def units(rows: Sequence[PhoneRow], words: Mapping[str, WordRow], path: Path) -> Iterator[Unit]:
    """Yield the units of one speaker in one file that hold at least one phone.

    Args:
        rows: Phones in order of time.
        words: The word table.
        path: File of the phone table, for messages.

    Raises:
        PedkitError: A phone belongs to no word or to a word without ``ref``, or is no X-SAMPA.
    """
    seen: Counter[str] = Counter()
    sounds = [row for row in rows if not row.is_silent]
    for ref, run in groupby(sounds, key=lambda row: _ref(row, words, path)):
        unit = _unit(ref, list(run), words, path)
        if ref not in _NO_UNIT and unit.phones:
            seen[ref] += 1
            yield unit if seen[ref] == 1 else _numbered(unit, seen[ref])


def _ref(row: PhoneRow, words: Mapping[str, WordRow], path: Path) -> str:
    if row.word not in words:
        raise PedkitError(f"the word table has no word {row.word!r}", file=path, line=row.line)
    ref = words[row.word].ref
    if ref in _NO_UNIT and row.tag is None:
        raise PedkitError(f"the phone {row.label!r} belongs to no unit (ref {ref!r})", file=path, line=row.line)
    return ref


def _unit(ref: str, rows: Sequence[PhoneRow], words: Mapping[str, WordRow], path: Path) -> Unit:
    phones, with_unknown, labels = [], [], Counter[str]()
    for row in rows:
        if row.tag is None:
            phones.append(_ipa(row, path))
            with_unknown.append(phones[-1])
        else:
            labels[row.tag] += 1
            with_unknown += [UNKNOWN] if with_unknown[-1:] != [UNKNOWN] else []
    spoken = (word for word, _ in groupby(row.word for row in rows if row.tag is None))
    return Unit(
        name=ref,
        start=rows[0].start,
        end=max(row.end for row in rows),
        phones=tuple(phones),
        with_unknown=tuple(with_unknown),
        words=tuple(words[word].text for word in spoken),
        labels=dict(sorted(labels.items())),
    )


def _ipa(row: PhoneRow, path: Path) -> str:
    try:
        return xsampa_to_ipa(row.label)
    except PedkitError as error:
        raise error.at(file=path, line=row.line) from None


def _numbered(unit: Unit, number: int) -> Unit:
    return Unit(
        f"{unit.name}_{number}", unit.start, unit.end, unit.phones, unit.with_unknown, unit.words, unit.labels
    )
