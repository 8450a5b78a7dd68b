"""The tables of the CMU Kids Corpus (LDC97S63): prompts, speakers, transcripts, pronouncing dictionary.

Layout: Lhotse's and Kaldi's readers of the corpus and a public script that uses its dictionary.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple, TypeVar

from pedkit.data.readers.cells import decoded, present
from pedkit.data.readers.demography import age_group, gender, require_years
from pedkit.errors import PedkitError
from pedkit.phones import Lexicon, Projector, get_inventory

T = TypeVar("T")

_UTTERANCE = re.compile(r"[fm][a-z]{3}[0-9a-z]{3}[12]", re.IGNORECASE)
_HEADER_LINES = 2
_VARIANT = re.compile(r"\(\d+\)$")
SPHINX_STOPS = {"BD": "B", "DD": "D", "GD": "G", "KD": "K", "PD": "P", "TD": "T"}
"""Stops at the end of a word, a symbol of their own in Sphinx-II."""


class UtteranceName(NamedTuple):
    """The parts of an id such as ``fabm2aa1``."""

    id: str
    speaker: str
    sentence: str
    bin: int


class SpeakerRow(NamedTuple):
    """A line of ``speaker.tbl``: group values, and the line as it stands by column."""

    groups: dict[str, str | int | float]
    raw: dict[str, str]


def utterance_name(text: str) -> UtteranceName:
    """Return the parts of an utterance's id: speaker (4 characters), sentence (3) and bin (1 or 2).

    Raises:
        PedkitError: It is not of that form.
    """
    if _UTTERANCE.fullmatch(text) is None:
        raise PedkitError(f"expected an id of 8 characters such as fabm2aa1, but got {text!r}")
    name = text.lower()
    return UtteranceName(name, name[:4], name[4:7], int(name[7]))


def read_sentences(path: Path) -> dict[str, str]:
    """Read ``sentence.tbl``: id, count and prompt, parted by tabs.

    Raises:
        PedkitError: A line is not of that form, or an id stands twice.
    """

    def sentence(line: str) -> tuple[str, str]:
        fields = [field.strip() for field in line.split("\t")]
        if len(fields) != 3 or len(fields[0]) != 3 or not fields[2]:
            raise PedkitError(f"expected 'id TAB count TAB sentence', but got {line!r}")
        return fields[0].lower(), fields[2]

    return _table(path, sentence)


def read_speakers(path: Path) -> dict[str, SpeakerRow]:
    """Read ``speaker.tbl``: two lines of headers, then ID, LOC, GR/AGE, TOT, BIN2 parted by tabs.

    Raises:
        PedkitError: A line is not of that form, or a speaker stands twice.
    """
    return _table(path, _speaker, skip=_HEADER_LINES)


def read_transcripts(path: Path) -> dict[str, str]:
    """Read ``transcrp.tbl``: id, blank, transcript, which may be empty.

    Raises:
        PedkitError: A line has no such id, or an id stands twice.
    """

    def transcript(line: str) -> tuple[str, str]:
        name, *rest = line.split(None, 1)
        return utterance_name(name).id, rest[0].strip() if rest else ""

    return _table(path, transcript)


def read_dictionary(path: Path) -> dict[str, list[str]]:
    """Read ``alignmnt.dic``: word (padded with blanks), tab, phones of Sphinx-II; pronunciations in CMU-39.

    Entries of silences and noises, and those with a symbol that is no phone, are left out: whoever says such a
    word says a word that the dictionary lacks.

    Raises:
        PedkitError: A line has no word and phones, or there is no word at all.
    """
    entries: dict[str, list[str]] = {}
    for number, line in _lines(path, 0):
        word, tab, phones = line.partition("\t")
        if not tab or not word.strip() or not phones.strip():
            raise PedkitError(f"expected a word, a tab and its phones, but got {line!r}", file=path, line=number)
        try:
            pronunciation = sphinx_phones(phones.split())
        except PedkitError:
            continue
        if pronunciation:
            name = _VARIANT.sub("", word.strip()).lower()
            entries.setdefault(name, []).append(" ".join(pronunciation))
    if not entries:
        raise PedkitError("expected words and their phones, but the file has none", file=path)
    return entries


def sphinx_phones(symbols: list[str]) -> tuple[str, ...]:
    """Return CMU-39 phones for symbols of Sphinx-II in either letter case; silences become nothing.

    Raises:
        PedkitError: A symbol is none of them.
    """
    plain = [part for symbol in symbols for part in _plain(symbol.upper())]
    projected = _PROJECTOR(plain)
    if projected.dropped or not all(phone in get_inventory("cmu39") for phone in projected.phones):
        raise PedkitError(f"expected phones of Sphinx-II, but got {' '.join(symbols)!r}")
    return projected.phones


def with_fallback(entries: dict[str, list[str]], fallback: Lexicon) -> Lexicon:
    """Return a dictionary with the words of ``entries`` and, of the others, those of ``fallback``."""
    return Lexicon({**_entries(fallback), **entries})


@functools.cache
def _entries(lexicon: Lexicon) -> dict[str, list[str]]:
    return {word: [" ".join(phones) for phones in lexicon.pronunciations(word)] for word in lexicon}


_PROJECTOR = Projector("arpabet", "cmu39")


def _plain(symbol: str) -> tuple[str, ...]:
    return ("T", "S") if symbol == "TS" else (SPHINX_STOPS.get(symbol, symbol),)


def _speaker(line: str) -> tuple[str, SpeakerRow]:
    fields = [field.strip() for field in line.split("\t")]
    if len(fields) != 5 or len(fields[0]) != 4 or "/" not in fields[2]:
        raise PedkitError(f"expected ID, LOC, GR/AGE, TOT and BIN2 parted by tabs, but got {line!r}")
    raw = dict(zip(("ID", "LOC", "GR/AGE", "TOT", "BIN2"), fields, strict=True))
    name, place = fields[0].lower(), present(fields[1])
    grade, _, age = fields[2].partition("/")
    groups: dict[str, str | int | float] = {"gender": gender(name[0])}
    if (cell := present(grade)) is not None:
        if not cell.isdecimal() or len(cell) > 2:
            raise PedkitError(f"expected a grade in whole numbers or NA, but got {cell!r}")
        groups["grade"] = int(cell)
    if (cell := present(age)) is not None:
        years = require_years(cell)
        groups |= {"age": years, "age_group": age_group(years)}
    if place is not None:
        groups["population"] = place.lower()
    return name, SpeakerRow(groups, raw)


def _table(path: Path, convert: Callable[[str], tuple[str, T]], skip: int = 0) -> dict[str, T]:
    found: dict[str, T] = {}
    for number, line in _lines(path, skip):
        try:
            name, value = convert(line)
            if name in found:
                raise PedkitError(f"{name!r} stands twice")
        except PedkitError as error:
            raise error.at(file=path, line=number) from None
        found[name] = value
    if not found:
        raise PedkitError("expected lines of the corpus, but the file has none", file=path)
    return found


def _lines(path: Path, skip: int) -> Iterator[tuple[int, str]]:
    text = decoded(path, "latin-1").removeprefix("\xef\xbb\xbf")  # a byte order mark of UTF-8, as editors leave it
    for number, line in enumerate(text.splitlines(), start=1):
        if number > skip and line.strip():
            yield number, line.rstrip()
