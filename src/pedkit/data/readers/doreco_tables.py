"""The tables of a DoReCo bundle: phones, words, recordings (``doreco_<glottocode>_{ph,wd,metadata}.csv``)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite
from pathlib import Path

from pedkit.data.readers.cells import Row, iter_table
from pedkit.data.readers.demography import age_group, gender, require_years
from pedkit.errors import PedkitError

PAUSE, FILLER = "<p:>", "****"
_LABEL = re.compile(r"<{1,2}(?P<tag>\w+)>.*")
_SILENT_TAGS = frozenset({"wip"})  # a pause within a word
_MISSING = frozenset({"", "na"})  # as the corpus writes it; a word may well be "na"
_RECORDED = ("rec_date", "genre", "sound_quality", "background_noise")


@dataclass(frozen=True, slots=True)
class PhoneRow:
    """One line of the phone table; times in seconds.

    Attributes:
        label: X-SAMPA, or what stands in its place (``<p:>``, ``<<fp>um>``, ``****``).
        word: Id of the word in the word table.
        line: Line number, for messages.
    """

    label: str
    start: float
    end: float
    word: str
    line: int

    @property
    def is_silent(self) -> bool:
        """True for pauses."""
        return self.label == PAUSE or self.tag in _SILENT_TAGS

    @property
    def tag(self) -> str | None:
        """What kind of label it is (``fp``, ``ui``, ``****``); ``None`` for a phone and a silent pause."""
        if self.label == FILLER:
            return FILLER
        match = None if self.label == PAUSE else _LABEL.fullmatch(self.label)
        return match["tag"] if match else None


@dataclass(frozen=True, slots=True)
class WordRow:
    """One line of the word table: the unit of annotation it belongs to (``ref``) and the word as transcribed."""

    ref: str
    text: str


@dataclass(frozen=True, slots=True)
class Recording:
    """One line of the metadata: group values by speaker code, raw and harmonised, and facts about the file."""

    groups: Mapping[str, Mapping[str, str | int]]
    groups_raw: Mapping[str, Mapping[str, str]]
    facts: Mapping[str, str]


def read_phones(path: Path, glottocode: str) -> dict[tuple[str, str], list[PhoneRow]]:
    """Return the time-aligned phones by file and speaker, in order of time; the extended set has none.

    Raises:
        PedkitError: A column is missing, a time is no number, or the table is of another language.
    """
    found: dict[tuple[str, str], list[PhoneRow]] = {}
    for row in iter_table(path):
        cell = _cells(row, path, ("file", "speaker", "ph", "start", "end", "wd_ID"))
        language = cell.get("lang", glottocode)
        if language not in (glottocode, ""):
            hint = (
                "version 7 of the deposit of Beja was packed so; take version 6"
                if glottocode == "beja1238"
                else None
            )
            raise PedkitError(
                f"expected phones of {glottocode}, but got {language}", file=path, line=row.line, hint=hint
            )
        if cell.get("core_extended") == "extended":
            continue
        word = cell["wd_ID"].split()[-1:]  # some phones of Evenki name two words; the last is theirs
        start, end = (_seconds(cell[name], path, row.line) for name in ("start", "end"))
        phone = PhoneRow(cell["ph"], start, end, word[0] if word else "", row.line)
        found.setdefault((cell["file"], cell["speaker"]), []).append(phone)
    for rows in found.values():
        rows.sort(key=lambda phone: phone.start)
    return found


def read_words(path: Path) -> dict[str, WordRow]:
    """Return the words by id.

    Raises:
        PedkitError: A column is missing.
    """
    words: dict[str, WordRow] = {}
    for row in iter_table(path):
        cell = _cells(row, path, ("wd_ID", "ref", "wd"))
        words[cell["wd_ID"]] = WordRow(cell["ref"], cell["wd"])
    return words


def read_recordings(path: Path, glottocode: str) -> dict[str, Recording]:
    """Return what the metadata say of each file, under the name that the phone table uses.

    Raises:
        PedkitError: A column is missing, or a value is not as documented.
    """
    found: dict[str, Recording] = {}
    for row in iter_table(path):
        cell = _cells(row, path, ("name", "spk_code", "spk_age", "spk_sex"))
        facts = {name: cell[name] for name in _RECORDED if cell.get(name, "") not in _MISSING}
        try:
            raw = _by_speaker(cell)
            groups = {code: _groups(values) for code, values in raw.items()}
        except PedkitError as error:
            raise error.at(file=path, line=row.line) from None
        name = cell["name"].removeprefix(f"doreco_{glottocode}_")
        found[f"doreco_{glottocode}_{name}"] = Recording(groups, raw, facts)
    return found


def _by_speaker(cell: Mapping[str, str]) -> dict[str, dict[str, str]]:
    """Return the speaker columns by speaker: several values are parted by slashes, one value is that of all."""
    codes = cell["spk_code"].split("/")
    raw: dict[str, dict[str, str]] = {code: {} for code in codes}
    for column in ("spk_age", "spk_age_c", "spk_sex"):
        values = cell.get(column, "").split("/")
        if len(values) not in (1, len(codes)):
            raise PedkitError(f"expected {len(codes)} values of '{column}', but got {cell[column]!r}")
        for code, value in zip(codes, values * len(codes), strict=False):
            if value not in _MISSING:
                raw[code][column] = value
    return raw


def _groups(raw: Mapping[str, str]) -> dict[str, str | int]:
    groups: dict[str, str | int] = {}
    if "spk_sex" in raw:
        groups["gender"] = gender(raw["spk_sex"])
    if "spk_age" in raw:
        age = require_years(raw["spk_age"])
        groups |= {"age": age, "age_group": age_group(age)}
    return groups


def _cells(row: Row, path: Path, needed: tuple[str, ...]) -> dict[str, str]:
    """Return the cells as they are written: ``na``, ``null`` and ``none`` are words of many languages."""
    cells = {name.strip(): cell.strip() for name, cell in row.written.items()}
    for name in needed:
        if name not in cells:
            raise PedkitError(f"expected a column {name!r}", file=path, line=1)
    return cells


def _seconds(text: str, path: Path, line: int) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = float("nan")
    if not isfinite(seconds) or seconds < 0:
        raise PedkitError(f"expected a time in seconds, but got {text!r}", file=path, line=line)
    return seconds
