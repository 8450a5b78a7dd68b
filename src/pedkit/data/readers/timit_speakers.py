"""TIMIT's speaker table SPKRINFO.TXT: who spoke, in group keys that mean the same in every corpus."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path

from pedkit.data.readers.demography import age_group, gender
from pedkit.data.readers.files import read_lines
from pedkit.errors import PedkitError

_COLUMNS = ("ID", "Sex", "DR", "Use", "RecDate", "BirthDate", "Ht", "Race", "Edu", "Comments")

DIALECTS = {
    1: "new england", 2: "northern", 3: "north midland", 4: "south midland",
    5: "southern", 6: "new york city", 7: "western", 8: "army brat",
}  # fmt: skip
"""Dialect regions of TIMIT's documentation; army brats moved around as children."""

_ETHNICITY = {"WHT": "white", "BLK": "black", "AMR": "american indian", "SPN": "hispanic", "ORN": "asian"}
_EDUCATION = {"HS": "high school", "AS": "associate", "BS": "bachelor", "MS": "master", "PHD": "doctorate"}


@dataclass(frozen=True, slots=True)
class SpeakerRow:
    """One line of the table.

    Attributes:
        part: ``train`` or ``test``.
        region: Dialect region, 1 to 8.
        groups: Harmonised: gender, dialect, and where known age, age_group, height (cm), ethnicity, education.
        groups_raw: The line as it stands, by column.
    """

    part: str
    region: int
    groups: dict[str, str | int | float]
    groups_raw: dict[str, str]


def read_speakers(path: Path) -> dict[str, SpeakerRow]:
    """Return the rows by speaker (``fcjf0``, lower case with the sex letter).

    Raises:
        PedkitError: A line is not of the documented form.
    """
    rows: dict[str, SpeakerRow] = {}
    for number, line in read_lines(path):
        if line.startswith(";"):
            continue
        raw = dict(zip(_COLUMNS, line.split(None, len(_COLUMNS) - 1), strict=False))
        if len(raw) < len(_COLUMNS) - 1 or raw["Use"] not in ("TRN", "TST") or raw["DR"] not in "12345678":
            raise PedkitError(
                f"expected a speaker line ({' '.join(_COLUMNS)}), but got {line!r}", file=path, line=number
            )
        name = (raw["Sex"] + raw["ID"]).lower()
        part = "train" if raw["Use"] == "TRN" else "test"
        rows[name] = SpeakerRow(part, int(raw["DR"]), _groups(raw), raw)
    if not rows:
        raise PedkitError("expected lines of speakers, but the file has none", file=path)
    return rows


def _groups(raw: dict[str, str]) -> dict[str, str | int | float]:
    groups: dict[str, str | int | float] = {"gender": gender(raw["Sex"]), "dialect": DIALECTS[int(raw["DR"])]}
    years = _age(raw["RecDate"], raw["BirthDate"])
    if years is not None:
        groups |= {"age": years, "age_group": age_group(years)}
    centimetres = _height(raw["Ht"])
    if centimetres is not None:
        groups["height"] = centimetres
    if "?" not in raw["Race"]:
        groups["ethnicity"] = _ETHNICITY.get(raw["Race"], raw["Race"].lower())
    if "?" not in raw["Edu"]:
        groups["education"] = _EDUCATION.get(raw["Edu"], raw["Edu"].lower())
    return groups


def _age(recorded: str, born: str) -> int | None:
    then, birth = _date(recorded), _date(born)
    if then is None or birth is None:
        return None
    return then.year - birth.year - ((then.month, then.day) < (birth.month, birth.day))


def _date(text: str) -> date | None:
    month_day, _, year = text.rpartition("/")
    try:  # two-digit years are all of the 1900s; strptime alone would move years before 69 to the 2000s
        return datetime.strptime(f"{month_day}/19{year}", "%m/%d/%Y").date()
    except ValueError:
        return None


def _height(text: str) -> float | None:
    feet, mark, inches = text.rstrip('"').partition("'")
    if not mark or not feet.isdecimal() or not inches.isdecimal():
        return None
    return round((int(feet) * 12 + int(inches)) * 2.54, 1)
