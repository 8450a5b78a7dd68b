"""CORAAL's metadata: who spoke. A speaker has several rows, one a recording and archive."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from pedkit.data.readers.cells import Row, read_table
from pedkit.data.readers.demography import age_keys, answer, gender_answer, known, years
from pedkit.errors import PedkitError

_REQUIRED = ("CORAAL.Spkr", "CORAAL.File")
_RAW = (
    "Gender", "Age", "Age.Group", "Year.of.Birth", "Year.of.Interview", "CORAAL.SEC.Group", "Education",
    "Edu.Group", "Occupation", "Primary.Spkr",
)  # fmt: skip
_OPEN_BELOW = re.compile(r"[-–](\d+)")

Groups = tuple[dict[str, str | int | float | bool], dict[str, str]]


class Speakers:
    """The speakers of all components.

    Args:
        paths: Metadata files, tab-separated; their columns differ by component.

    Raises:
        PedkitError: A file cannot be read or lacks the columns by which rows are found.
    """

    def __init__(self, paths: Iterable[Path]) -> None:
        self._by_file: dict[tuple[str, str], list[Row]] = {}
        self._by_speaker: dict[str, list[Row]] = {}
        self._by_recording: dict[str, list[Row]] = {}
        for path in paths:
            for row in read_table(path, delimiter="\t", quoted=False):
                self._add(row, path)

    def _add(self, row: Row, path: Path) -> None:
        for column in _REQUIRED:
            if column not in row.cells:
                raise PedkitError(f"expected a column {column!r}", file=path, line=1)
        speaker, file = row.cells["CORAAL.Spkr"], row.cells["CORAAL.File"]
        if speaker is None or file is None:
            raise PedkitError("expected a speaker and a file", file=path, line=row.line)
        self._by_file.setdefault((file, speaker), []).append(row)
        self._by_speaker.setdefault(speaker, []).append(row)
        self._by_recording.setdefault(file, []).append(row)

    def role(self, recording: str, speaker: str) -> str:
        """Return ``interviewee`` (the recording is named after the speaker), ``interviewer`` or ``other``."""
        if recording.rpartition("_")[0] == speaker:
            return "interviewee"
        coded = {row.cells.get("Interviewer.Code") for row in self._by_recording.get(recording, ())}
        return "interviewer" if speaker in coded or "int" in speaker.lower().split("_") else "other"

    def groups(self, recording: str, speaker: str) -> Groups:
        """Return harmonised and raw groups of a speaker in a recording.

        The rows of that recording count, else all rows of the speaker; a column on which they disagree is missing.
        Of interviewers only the gender is known.
        """
        rows = self._by_file.get((recording, speaker)) or self._by_speaker.get(speaker)
        role = self.role(recording, speaker)
        if rows is None:
            coded = [
                row
                for row in self._by_recording.get(recording, ())
                if row.cells.get("Interviewer.Code") == speaker
            ]
            raw = _agreed(coded, ("Interviewer.Gender",))
            return known(gender=gender_answer(raw.get("Interviewer.Gender")), role=role), raw
        raw = _agreed(rows, _RAW)
        return known(
            gender=gender_answer(raw.get("Gender")),
            **age_keys(years(raw.get("Age"))),
            coraal_age_group=_age_bin(raw.get("Age.Group")),
            education=answer(raw.get("Education")),
            coraal_education_group=answer(raw.get("Edu.Group")),
            socioeconomic=answer(raw.get("CORAAL.SEC.Group")),
            role=role,
        ), raw


def _agreed(rows: Iterable[Row], columns: Iterable[str]) -> dict[str, str]:
    """Return the columns that have one value in all rows that have any."""
    rows = list(rows)
    values = {column: {row.cells.get(column) for row in rows} - {None} for column in columns}
    return {column: value for column, found in values.items() if len(found) == 1 and (value := found.pop())}


def _age_bin(cell: str | None) -> str | None:
    """Return the corpus's own age group: ``-19`` is 0-19, others stay, so 20-29 and 0-29 (``-29``) overlap."""
    text = answer(cell)
    match = _OPEN_BELOW.fullmatch(text or "")
    return f"0-{match[1]}" if match else text
