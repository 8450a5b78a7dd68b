"""Praat TextGrids as corpora have them: every form, every encoding, and odd intervals kept instead of dropped.

Praat's text format is a stream of numbers, quoted strings and flags; whatever else stands in the long form
(``xmin =``, ``intervals [3]:``) is a comment (Praat manual, "TextGrid file formats"): one parser reads both forms.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from math import isfinite
from pathlib import Path
from typing import NamedTuple

from pedkit.data.readers.cells import decoded
from pedkit.errors import PedkitError

_TOKEN = re.compile(
    r'"(?P<text>[^"]*(?:""[^"]*)*)"'
    r"|(?P<flag><\w+>)"
    r"|(?<!\S)(?P<number>[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)(?!\S)"
    r"|![^\r\n]*"
    r'|(?P<open>")'
)


class Interval(NamedTuple):
    """A label from ``start`` to ``end`` in seconds, as written: ``end`` may be ``start`` or even before it."""

    start: float
    end: float
    label: str


@dataclass(frozen=True, slots=True)
class Tier:
    """A tier.

    Attributes:
        name: As written.
        intervals: In the order of the file. A point tier's points are intervals of no length.
        start: Where the tier says that it starts, in seconds. ``end``: where it ends.
        is_points: True for a point tier.
    """

    name: str
    intervals: tuple[Interval, ...]
    start: float
    end: float
    is_points: bool = False

    def oddities(self) -> tuple[str, ...]:
        """Return a sentence for each interval without length, reversed, outside the tier or overlapping.

        Boundaries written with different numbers of digits count as equal (to 1 microsecond).
        """
        found = []
        for number, interval in enumerate(self.intervals, start=1):
            if interval.end < interval.start:
                found.append(f"{_named(number, interval)} ends before it starts")
            elif interval.end == interval.start and not self.is_points:
                found.append(f"{_named(number, interval)} has no length")
            if interval.start < self.start - _SLACK or interval.end > self.end + _SLACK:
                found.append(
                    f"{_named(number, interval)} lies outside the tier ({self.start:g} to {self.end:g} s)"
                )
        for number, (left, right) in enumerate(pairwise(self.intervals), start=2):
            if right.start < left.end - _SLACK:
                found.append(f"{_named(number, right)} overlaps the one before it")
        return tuple(found)


@dataclass(frozen=True, slots=True)
class TextGrid:
    """A TextGrid file: its tiers in the order of the file."""

    path: Path
    tiers: tuple[Tier, ...]

    def tier(self, name: str) -> Tier:
        """Return the tier of that name; letter case and blanks around it do not matter.

        Raises:
            PedkitError: There is no such tier, or there are several.
        """
        found = [tier for tier in self.tiers if tier.name.strip().lower() == name.strip().lower()]
        if len(found) == 1:
            return found[0]
        have = ", ".join(shown(tier.name) for tier in self.tiers) or "none"
        count = len(found) or "none"
        raise PedkitError(f"expected one tier named {name!r}, but got {count} (its tiers: {have})", file=self.path)


def read_textgrid(path: str | Path) -> TextGrid:
    """Read a TextGrid: long or short form, UTF-8 or UTF-16 with or without a byte-order mark, any line ends.

    Zero-length, overlapping and outlying intervals are kept as they are (`Tier.oddities` lists them).

    Raises:
        PedkitError: The file is missing, in another encoding, no TextGrid in text form, or breaks off.
    """
    path = Path(path)
    try:
        source = _Tokens(path, decoded(path))
    except PedkitError as error:
        hint = error.hint and "let Praat save it as UTF-8"
        raise PedkitError(error.message, file=path, hint=hint) from None
    if not source.text("the file type").startswith("ooTextFile") or source.text("the class") != "TextGrid":
        hint = 'it begins with File type = "ooTextFile" and Object class = "TextGrid"'
        raise PedkitError("expected a TextGrid as a text file of Praat", file=path, hint=hint)
    source.number("where the file starts")
    source.number("where the file ends")
    if source.flag() != "<exists>":
        return TextGrid(path, ())
    tiers = tuple(_tier(source) for _ in range(source.count("the number of tiers")))
    source.expect_end()
    return TextGrid(path, tiers)


_SLACK = 1e-6


def shown(text: str) -> str:
    """Return text as a message shows it: in quotes, on one line, not longer than some 40 characters."""
    return repr(text if len(text) <= 40 else f"{text[:40]}...")


def _named(number: int, interval: Interval) -> str:
    return f"interval {number} ({shown(interval.label)}, {interval.start:g} to {interval.end:g} s)"


def _tier(source: _Tokens) -> Tier:
    kind = source.text("the class of a tier")
    if kind not in ("IntervalTier", "TextTier"):
        raise source.error(f"expected an IntervalTier or a TextTier, but got {shown(kind)}")
    name = source.text("the name of a tier")
    start, end = source.number("where the tier starts"), source.number("where the tier ends")
    intervals = []
    for _ in range(source.count("the number of intervals")):
        first = source.number("where an interval starts")
        last = first if kind == "TextTier" else source.number("where an interval ends")
        intervals.append(Interval(first, last, source.text("a label")))
    return Tier(name, tuple(intervals), start, end, is_points=kind == "TextTier")


class _Tokens:
    """The numbers, strings and flags of a file, one after the other."""

    def __init__(self, path: Path, text: str) -> None:
        self._path, self._text = path, text
        self._matches: Iterator[re.Match[str]] = _TOKEN.finditer(text)
        self._at = 0

    def text(self, what: str) -> str:
        return self._next("text", what).replace('""', '"')

    def number(self, what: str) -> float:
        number = float(self._next("number", what))
        if not isfinite(number):
            raise self.error(f"expected {what}, but got a number too large")
        return number

    def count(self, what: str) -> int:
        number = self.number(what)
        if number < 0 or not number.is_integer():
            raise self.error(f"expected {what}, but got {number:g}")
        return int(number)

    def flag(self) -> str:
        return self._next("flag", "<exists> or <absent>")

    def expect_end(self) -> None:
        for match in self._matches:
            if match.lastgroup is not None:
                self._at = match.start()
                raise self.error(f"expected the end of the file, but got {shown(match[0])}: a count is wrong")

    def error(self, message: str) -> PedkitError:
        before = self._text[: self._at]
        line = max(before.count("\n"), before.count("\r")) + 1
        return PedkitError(message, file=self._path, line=line)

    def _next(self, kind: str, what: str) -> str:
        for match in self._matches:
            if match.lastgroup is None:  # a comment
                continue
            self._at = match.start()
            if match.lastgroup == "open":
                raise self.error(f"the file breaks off within quotes: expected {what}")
            if match.lastgroup != kind:
                raise self.error(f"expected {what}, but got {shown(match[0])}")
            return match[kind]
        self._at = len(self._text)
        raise self.error(f"the file breaks off: expected {what}")
