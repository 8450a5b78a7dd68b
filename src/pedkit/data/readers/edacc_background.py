"""EdAcc's questionnaire ``linguistic_background.csv``: what each participant answered, in group keys."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pedkit.data.readers.cells import Row, read_table
from pedkit.data.readers.demography import age_keys, answer, gender_answer, known, years
from pedkit.errors import PedkitError

PARTICIPANT = "PARTICIPANT_ID"
_QUESTIONS = {
    "gender": "what is your gender?",
    "ethnicity": "what's your ethnic background?",
    "education": "what is your higher level of education?",
    "accent": "how would you describe your accent in english?",
    "second_languages": "do you speak any second languages?",
    "year_of_birth": "what's your year of birth?",
    "year_of_english": "what year did you start learning english?",
}
"""How each question begins, with plain apostrophes and single blanks; examples in brackets follow in the file."""

_YEAR = re.compile(r"(19\d\d|20\d\d)(?:\.0*)?")
_BIN_YEARS, _LAST_BIN = 15, 60


@dataclass(frozen=True, slots=True)
class Participant:
    """One row: harmonised groups and the answers as they were given."""

    groups: dict[str, str | int | float | bool]
    groups_raw: dict[str, str]


def read_background(path: Path, recording_year: int | None) -> dict[str, Participant]:
    """Return the participants by id.

    Args:
        path: The questionnaire.
        recording_year: Year from which ages are computed; ``None`` gives no ages, because the questionnaire only
            has the year of birth.

    Raises:
        PedkitError: A question is missing, or a participant stands twice.
    """
    participants: dict[str, Participant] = {}
    columns: Mapping[str, str] = {}
    for row in read_table(path, delimiter=","):
        columns = columns or _columns(row, path)
        name = row.cells[PARTICIPANT]
        if name is None:
            raise PedkitError(f"expected a participant under {PARTICIPANT!r}", file=path, line=row.line)
        if name in participants:
            raise PedkitError(f"the participant {name} stands twice", file=path, line=row.line)
        raw = {key: value for key, column in columns.items() if (value := row.cells[column]) is not None}
        participants[name] = Participant(_groups(raw, recording_year), raw)
    return participants


def _columns(row: Row, path: Path) -> dict[str, str]:
    """Find each question among the headers, which have curly apostrophes and blanks at their ends."""
    plain = {" ".join(name.replace("’", "'").lower().split()): name for name in row.cells}
    if PARTICIPANT not in row.cells:
        raise PedkitError(f"expected a column {PARTICIPANT!r}", file=path, line=1)
    columns = {}
    for key, question in _QUESTIONS.items():
        found = [name for text, name in plain.items() if text.startswith(question)]
        if len(found) != 1:
            raise PedkitError(
                f"expected one column that begins with {question!r}, but got {len(found)}", file=path, line=1
            )
        columns[key] = found[0]
    return columns


def _groups(raw: Mapping[str, str], recording_year: int | None) -> dict[str, str | int | float | bool]:
    born, began = _year(raw.get("year_of_birth")), _year(raw.get("year_of_english"))
    age = None if born is None or recording_year is None else years(str(recording_year - born))
    return known(
        gender=gender_answer(raw.get("gender")),
        **age_keys(age),
        edacc_age_group=None if age is None else age_bin(age),
        accent=answer(raw.get("accent")),
        ethnicity=answer(raw.get("ethnicity")),
        education=answer(raw.get("education")),
        age_of_onset=None if born is None or began is None or began < born else began - born,
    )


def age_bin(age: int) -> str:
    """Return the age in bins of fifteen years: 0-14, 15-29, 30-44, 45-59, 60+.

    The bias study (arXiv 2606.11639) is known to use 45-59 for EdAcc; the other borders follow from equal widths
    and are a reconstruction.
    """
    if age >= _LAST_BIN:
        return f"{_LAST_BIN}+"
    start = age // _BIN_YEARS * _BIN_YEARS
    return f"{start}-{start + _BIN_YEARS - 1}"


def _year(cell: str | None) -> int | None:
    match = _YEAR.fullmatch((cell or "").strip())
    return int(match[1]) if match else None
