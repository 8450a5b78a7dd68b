"""Pronouncing dictionaries in the format of the CMU Pronouncing Dictionary."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from pedkit.errors import PedkitError
from pedkit.phones._tables import TABLES

_COMMENT = re.compile(r"^;;;.*|#.*")
_VARIANT = re.compile(r"\(\d+\)$")


class Lexicon:
    """Words and their pronunciations in ARPAbet with stress digits.

    Args:
        entries: For each lower-case word its pronunciations, phones separated by blanks, the usual one first.
    """

    def __init__(self, entries: Mapping[str, list[str]]) -> None:
        self._entries = entries

    @classmethod
    @functools.cache
    def cmudict(cls) -> Lexicon:
        """Return the CMU Pronouncing Dictionary that ships with pedkit, read once a process."""
        return cls.from_file(TABLES / "cmudict" / "cmudict.dict")

    @classmethod
    def from_file(cls, path: str | Path) -> Lexicon:
        """Read a file in cmudict format: ``word PH ON EZ``, variants as ``word(2)``, comments after ``#``.

        Raises:
            PedkitError: The file cannot be read, or a line has a word and no phones.
        """
        try:
            text = Path(path).read_text(encoding="utf-8-sig")
        except (OSError, UnicodeDecodeError) as error:
            raise PedkitError(
                f"expected a dictionary in UTF-8, but reading it failed: {error}", file=path
            ) from None
        entries: dict[str, list[str]] = {}
        for number, line in enumerate(text.splitlines(), start=1):
            fields = (line if "#" not in line and ";" not in line else _COMMENT.sub("", line)).split(None, 1)
            if len(fields) == 2:
                word, phones = fields
                if word[-1] == ")":
                    word = _VARIANT.sub("", word)
                entries.setdefault(word.lower(), []).append(phones)
            elif fields:
                raise PedkitError(f"expected a word and its phones, but got {line!r}", file=path, line=number)
        return cls(entries)

    def pronunciations(self, word: str) -> tuple[tuple[str, ...], ...]:
        """Return every pronunciation of ``word`` in the order of the dictionary; empty if it has none.

        Case and typographic apostrophes do not matter. Phones keep their stress digits; see ``strip_stress``.
        """
        found = self._entries.get(_key(word), ())
        return tuple(tuple(phones.split()) for phones in found)

    def __contains__(self, word: str) -> bool:
        return _key(word) in self._entries

    def __len__(self) -> int:
        return len(self._entries)

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)


def _key(word: str) -> str:
    return word.lower().replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")
