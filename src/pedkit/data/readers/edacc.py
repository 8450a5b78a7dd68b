"""EdAcc, the Edinburgh International Accents of English Corpus: conversations of friends in many accents.

Source of the layout: lhotse's recipe ``edacc`` and public scripts. Decisions: ``docs/corpora/edacc.md``.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from pedkit.data.readers.edacc_background import Participant, read_background
from pedkit.data.readers.files import (
    absolute,
    choose,
    optional_file,
    read_lines,
    read_pairs,
    require_file,
    require_folder,
)
from pedkit.data.references import Referencer, open_referencer, with_reference
from pedkit.data.utterance import Audio, Utterance
from pedkit.errors import PedkitError

log = logging.getLogger(__name__)

CORPUS = "edacc"
SPLITS = ("dev", "test")
RECORDING_YEAR = 2022
"""From which lhotse's recipe computes ages; the questionnaire has the year of birth only."""

_FOLDER = "edacc_v1.0"
_TAG = re.compile(r"<[^<>]*>")
_IGNORED = "IGNORE_TIME_SEGMENT_IN_SCORING"
_STM_LABEL = re.compile(r"\S+ \S+ (?P<speaker>\S+) \S+ \S+ <[^<>,]*,(?P<status>[^<>,]*)>")
_NATIVE = {"l1": True, "l2": False}


def read_edacc(
    root: str | Path,
    *,
    overlap: str = "drop",
    unclear: str = "drop",
    recording_year: int | None = RECORDING_YEAR,
    canonical: str = "lexicon",
    unknown_words: str = "skip",
) -> Iterator[Utterance]:
    """Yield the segments of dev and test in the order of their lists.

    Args:
        root: ``edacc_v1.0`` or the folder around it.
        overlap: Segments with ``<OVERLAP>``, in which two people speak: ``drop`` or ``keep``.
        unclear: Segments with ``<FOREIGN>``, whose foreign words are not written down: ``drop`` or ``keep``; they
            have no canonical phones.
        recording_year: Ages are this year less the year of birth, so they may be off by one; ``None`` = no ages.
        canonical: ``lexicon`` = from the words by cmudict; ``none``.
        unknown_words: See `cmudict_referencer`.

    Raises:
        PedkitError: A list is missing or not as documented, a speaker did not answer the questionnaire, or an
            option has another value.
    """
    folder = require_folder(root, CORPUS)
    choose(overlap=(overlap, ("drop", "keep")), unclear=(unclear, ("drop", "keep")))
    if recording_year is not None and recording_year not in range(1900, 2100):
        raise PedkitError(
            f"expected 'recording_year' to be a year such as 2022 or null, but got {recording_year!r}"
        )
    referencer = open_referencer(canonical, unknown_words)
    if (folder / _FOLDER).is_dir():
        folder = folder / _FOLDER
    source = _Source(
        root=folder,
        participants=read_background(require_file(folder, ("linguistic_background.csv",), CORPUS), recording_year),
        referencer=referencer,
        left_out={"<OVERLAP>": overlap == "drop", "<FOREIGN>": unclear == "drop"},
    )
    lists = {split: _Lists.read(folder, split) for split in SPLITS}
    return source.utterances(lists)


@dataclass(frozen=True, slots=True)
class _Lists:
    """The Kaldi-style lists of one split: segment -> (conversation, start, end), words, speaker; who is native."""

    segments: Mapping[str, tuple[str, float, float]]
    text: Mapping[str, str]
    speaker: Mapping[str, str]
    native: Mapping[str, bool]

    @classmethod
    def read(cls, root: Path, split: str) -> _Lists:
        segments, text, speakers = (
            require_file(root, (f"{split}/{name}",), CORPUS) for name in ("segments", "text", "utt2spk")
        )
        scoring = optional_file(root / split / "stm")
        native = {} if scoring is None else _native(scoring)
        return cls(_segments(segments), _text(text), read_pairs(speakers), native)


@dataclass(frozen=True, slots=True)
class _Source:
    root: Path
    participants: Mapping[str, Participant]
    referencer: Referencer | None
    left_out: Mapping[str, bool]

    def utterances(self, lists: Mapping[str, _Lists]) -> Iterator[Utterance]:
        dropped = dict.fromkeys(self.left_out, 0)
        for split, files in lists.items():
            for name in files.segments:
                try:
                    utterance = self._utterance(name, split, files)
                except PedkitError as error:
                    raise error.at(file=self.root / split / "segments", utterance=name) from None
                if utterance is None:
                    continue
                marks = set(utterance.extra.get("marks", ()))
                if reasons := [tag for tag, drop in self.left_out.items() if drop and tag in marks]:
                    dropped[reasons[0]] += 1
                else:
                    yield utterance if "<FOREIGN>" in marks else with_reference(utterance, self.referencer)
        if any(dropped.values()):
            counts = ", ".join(f"{count} with {tag}" for tag, count in dropped.items() if count)
            log.warning("segments of edacc left out: %s", counts)

    def _utterance(self, name: str, split: str, files: _Lists) -> Utterance | None:
        """Return the segment without canonical phones, or ``None`` where it has no words."""
        for what, table in (("text", files.text), ("utt2spk", files.speaker)):
            if name not in table:
                raise PedkitError(f"the list {split}/{what} lacks this segment")
        written = files.text[name]
        words = " ".join(_TAG.sub(" ", written).split())
        if words == _IGNORED or not any(map(str.isalnum, words)):
            return None
        conversation, start, end = files.segments[name]
        speaker = files.speaker[name]
        if speaker not in self.participants:
            raise PedkitError(f"linguistic_background.csv has no participant {speaker}")
        participant = self.participants[speaker]
        native = {"native": files.native[speaker]} if speaker in files.native else {}
        marks = [mark.upper() for mark in _TAG.findall(written)]
        return Utterance(
            id=name,
            audio=Audio(
                path=absolute(self.root / "data" / f"{conversation}.wav"),
                start=start,
                duration=round(end - start, 6),
            ),
            text=words,
            language="eng",
            split=split,
            corpus=CORPUS,
            level="sentence",
            speaker=f"{CORPUS}:{speaker}",
            groups={**participant.groups, **native},
            groups_raw=participant.groups_raw,
            may_upload=True,
            extra={"marks": marks} if marks else {},
        )


def _segments(path: Path) -> dict[str, tuple[str, float, float]]:
    segments = {}
    for number, line in read_lines(path):
        try:
            name, conversation, start, end = line.split()
            times = float(start), float(end)
        except ValueError:
            raise PedkitError(
                f"expected 'segment conversation start end', but got {line!r}", file=path, line=number
            ) from None
        if not 0 <= times[0] < times[1] < float("inf"):
            raise PedkitError(
                f"expected a segment that ends after it starts, but got {line!r}", file=path, line=number
            )
        if name in segments:
            raise PedkitError(f"the segment {name!r} stands twice", file=path, line=number)
        segments[name] = (conversation, *times)
    if not segments:
        raise PedkitError("expected segments, but the file is empty", file=path)
    return segments


def _text(path: Path) -> dict[str, str]:
    """Read the words of each segment; a line may have an id and no words."""
    return {name: words for _, line in read_lines(path) for name, _, words in [line.partition(" ")]}


def _native(path: Path) -> dict[str, bool]:
    """Return who speaks English as a first language, from labels such as ``<female,l1>`` in the scoring file."""
    labels: dict[str, set[bool | None]] = {}
    if not (lines := read_lines(path)):
        raise PedkitError("expected lines of the scoring file, but it is empty", file=path)
    for _, line in lines:
        if (match := _STM_LABEL.match(line)) is not None:  # other lines are comments
            labels.setdefault(match["speaker"], set()).add(_NATIVE.get(match["status"].strip().lower()))
    return {speaker: True in found for speaker, found in labels.items() if found in ({True}, {False})}
