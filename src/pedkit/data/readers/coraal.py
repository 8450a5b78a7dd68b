"""CORAAL: sociolinguistic interviews in African American Language, transcribed line by line.

Source of the layout: the corpus site (oraal.uoregon.edu/coraal) and public readers. Decisions:
``docs/corpora/coraal.md``.
"""

from __future__ import annotations

import logging
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pedkit.data.readers.cells import Row, read_table
from pedkit.data.readers.coraal_layout import Recording, find_metadata, find_recordings
from pedkit.data.readers.coraal_speakers import Groups, Speakers
from pedkit.data.readers.coraal_text import read_line
from pedkit.data.readers.files import absolute, choose, require_folder
from pedkit.data.references import Referencer, open_referencer, with_reference
from pedkit.data.utterance import Audio, Utterance
from pedkit.errors import PedkitError

log = logging.getLogger(__name__)

CORPUS = "coraal"
_COLUMNS = ("Line", "Spkr", "StTime", "Content", "EnTime")


def read_coraal(
    root: str | Path,
    *,
    components: Sequence[str] | None = None,
    speakers: str = "interviewees",
    overlap: str = "drop",
    unclear: str = "drop",
    missing: str = "stop",
    canonical: str = "lexicon",
    unknown_words: str = "skip",
) -> Iterator[Utterance]:
    """Yield one utterance a transcript line with words, sorted by recording and line.

    Args:
        root: The folder into which the archives were unpacked; files may lie at any depth.
        components: Which of ATL DCA DCB DTA LES PRV ROC VLD; all that are there where it is not given.
        speakers: ``interviewees``, or ``all`` = interviewers and others too (``groups.role`` tells them apart).
        overlap: Lines with ``[``, in which two people speak: ``drop`` or ``keep``.
        unclear: Lines with ``/``, in which names were silenced or words were not understood: ``drop`` or ``keep``;
            they have no canonical phones.
        missing: A recording without transcript or the reverse: ``stop`` or ``skip``.
        canonical: ``lexicon`` = from the words by cmudict; ``none``.
        unknown_words: See `cmudict_referencer`.

    Raises:
        PedkitError: Files are missing or not as documented, or an option has another value.
    """
    folder = require_folder(root, CORPUS)
    choose(speakers=(speakers, ("interviewees", "all")), missing=(missing, ("stop", "skip")))
    choose(overlap=(overlap, ("drop", "keep")), unclear=(unclear, ("drop", "keep")))
    referencer = open_referencer(canonical, unknown_words)
    recordings = _chosen(find_recordings(folder, skip_missing=missing == "skip"), components, folder)
    source = _Source(
        speakers=Speakers(find_metadata(folder, sorted({recording.component for recording in recordings}))),
        referencer=referencer,
        everybody=speakers == "all",
        keep_overlap=overlap == "keep",
        keep_unclear=unclear == "keep",
    )
    return source.utterances(recordings)


@dataclass(frozen=True, slots=True)
class _Source:
    speakers: Speakers
    referencer: Referencer | None
    everybody: bool
    keep_overlap: bool
    keep_unclear: bool
    dropped: Counter[str] = field(default_factory=Counter)

    def utterances(self, recordings: Sequence[Recording]) -> Iterator[Utterance]:
        for recording in recordings:
            who: dict[str, Groups] = {}
            for row in _rows(recording.transcript):
                speaker = row.written["Spkr"].strip()
                if speaker not in who:
                    who[speaker] = self.speakers.groups(recording.id, speaker)
                if self.everybody or who[speaker][0]["role"] == "interviewee":
                    yield from self._utterances(recording, row, speaker, who[speaker])
        if self.dropped:
            counts = (f"{count} {reason}" for reason, count in sorted(self.dropped.items()))
            log.warning("lines of coraal left out: %s", ", ".join(counts))

    def _utterances(self, recording: Recording, row: Row, speaker: str, who: Groups) -> Iterator[Utterance]:
        line = read_line(row.written["Content"])
        start, end = (_seconds(row, column, recording.transcript) for column in ("StTime", "EnTime"))
        if not line.text:
            return
        if end <= start:
            self.dropped["whose time does not go forward"] += 1
            return
        if (line.overlap and not self.keep_overlap) or (line.unclear and not self.keep_unclear):
            self.dropped["with unclear words" if line.unclear and not self.keep_unclear else "with overlap"] += 1
            return
        groups, raw = who
        utterance = Utterance(
            id=f"{recording.id}-{row.written['Line'].strip()}",
            audio=Audio(path=absolute(recording.audio), start=start, duration=round(end - start, 6)),
            text=line.text,
            language="eng",
            corpus=CORPUS,
            level="sentence",
            speaker=f"{CORPUS}:{speaker}",
            groups={**groups, "coraal_component": recording.component.lower()},
            groups_raw=raw,
            may_upload=False,
            extra={"marks": list(line.marks)} if line.marks else {},
        )
        yield utterance if line.unclear else with_reference(utterance, self.referencer)


def _chosen(recordings: list[Recording], components: Sequence[str] | None, root: Path) -> list[Recording]:
    there = {recording.component for recording in recordings}
    wanted = there if components is None else {component.upper() for component in components}
    if lacking := sorted(wanted - there):
        raise PedkitError(f"there is nothing of the component {lacking[0]} of coraal below this folder", file=root)
    return [recording for recording in recordings if recording.component in wanted]


def _rows(transcript: Path) -> list[Row]:
    rows = read_table(transcript, delimiter="\t", quoted=False)
    for row in rows[:1]:
        if lacking := [column for column in _COLUMNS if column not in row.cells]:
            raise PedkitError(
                f"expected the columns {', '.join(_COLUMNS)}, but {lacking[0]!r} is missing",
                file=transcript,
                line=1,
            )
    return rows


def _seconds(row: Row, column: str, transcript: Path) -> float:
    try:
        seconds = float(row.written[column])
    except ValueError:
        seconds = math.nan
    if not 0 <= seconds < math.inf:
        raise PedkitError(
            f"expected seconds under {column!r}, but got {row.written[column]!r}", file=transcript, line=row.line
        )
    return seconds
