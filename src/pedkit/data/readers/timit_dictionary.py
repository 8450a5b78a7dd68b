"""TIMIT's own dictionary TIMITDIC.TXT: the canonical phones of a sentence, in TIMIT's lexical symbols."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rapidfuzz.distance import Levenshtein

from pedkit.data.readers.files import read_lines
from pedkit.errors import PedkitError
from pedkit.phones import Projector

_ENTRY = re.compile(r"(?P<word>\S+)\s+/(?P<phones>[^/]*)/")


@dataclass(frozen=True, slots=True)
class Entry:
    """A dictionary line: ``form`` is the word as it stands there (``live~v``), phones carry no stress."""

    form: str
    phones: tuple[str, ...]


class TimitDictionary:
    """Pronunciations by word; a word such as ``live`` has one for each part of speech (``live~v``, ``live~adj``).

    Args:
        path: TIMITDIC.TXT.

    Raises:
        PedkitError: A line is not of the form ``word  /phones/``.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._coarse = Projector("timit61", "cmu39")
        self._entries: dict[str, list[Entry]] = {}
        for number, line in read_lines(path):
            if line.startswith(";"):
                continue
            match = _ENTRY.fullmatch(line.strip())
            if match is None:
                raise PedkitError(f"expected 'word  /phones/', but got {line!r}", file=path, line=number)
            form = match["word"].lower()
            phones = tuple(phone.rstrip("0123456789") for phone in match["phones"].split())
            self._entries.setdefault(form.partition("~")[0], []).append(Entry(form, phones))
        if not self._entries:
            raise PedkitError("expected words and their phones, but the file has none", file=path)

    def find(self, word: str, spoken: Sequence[str]) -> Entry | None:
        """Return the entry of ``word``, or ``None`` where the dictionary has none.

        Where a part of speech must be chosen, the entry nearest to ``spoken`` (the PHN labels in the word's time)
        is taken, the first of equals: somebody who says /l ay v/ read the adjective. Both are compared in CMU-39,
        where closures and flaps do not count.
        """
        plain = word.lower()
        entries = self._entries.get(plain) or self._entries.get(plain.strip("'-")) or []
        if len(entries) < 2:
            return entries[0] if entries else None
        heard = self._coarse(spoken).phones
        return min(entries, key=lambda entry: Levenshtein.distance(self._coarse(entry.phones).phones, heard))
