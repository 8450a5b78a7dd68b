"""Carrier sentences and passages: the same word with the same error, in the middle of correct speech."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pedkit.data.spoken_words import spoken_words
from pedkit.errors import PedkitError
from pedkit.phones import Lexicon
from synthetic.arpabet import base
from synthetic.design.lists import numbered_lines
from synthetic.design.operations import Pronunciation
from synthetic.design.text import Text

TABLES = Path(__file__).parent / "tables"
SLOT = "{}"


@dataclass(frozen=True, slots=True)
class Carrier:
    """A sentence or a passage with a place for one word."""

    before: str
    after: str
    words_before: tuple[tuple[str, Pronunciation], ...]
    words_after: tuple[tuple[str, Pronunciation], ...]

    def around(self, word: Text, level: str) -> Text:
        """Return the carrier with a text in its place."""
        words = (*self.words_before, *word.words, *self.words_after)
        return Text(f"{self.before}{word.text}{self.after}", words, level)

    def takes(self, canonical: Pronunciation, realized: Pronunciation) -> bool:
        """Return whether no phone at the edges of the word stands beside an equal one of the carrier.

        The word is looked at as it should be said and as it is said: two equal phones sound like one long phone,
        and what was inserted or deleted there would be a matter of taste.
        """
        left = self.words_before[-1][1][-1] if self.words_before else ""
        right = self.words_after[0][1][0] if self.words_after else ""
        return all(
            base(left) != base(phones[0]) and base(right) != base(phones[-1]) for phones in (canonical, realized)
        )

    @property
    def phones_before(self) -> Pronunciation:
        """The pronunciation up to the place."""
        return tuple(itertools.chain.from_iterable(phones for _, phones in self.words_before))


@dataclass(frozen=True, slots=True, kw_only=True)
class Carriers:
    """What words are embedded in.

    Attributes:
        level: ``sentence`` or ``passage``.
        table: A list, one carrier a line with ``{}`` where the word goes; ``None`` for the shipped one.
    """

    level: Literal["sentence", "passage"]
    table: str | None = None

    def read(self, lexicon: Lexicon) -> tuple[Carrier, ...]:
        """Return the carriers with their pronunciations: the first of each word in the lexicon.

        Raises:
            PedkitError: The list is empty, a line has not one ``{}``, or the lexicon lacks a word (line named).
        """
        path = TABLES / f"carrier_{self.level}s.txt" if self.table is None else Path(self.table)
        carriers = tuple(_carriers(path, lexicon))
        if not carriers:
            raise PedkitError("expected carriers, one a line, but there are none", file=path)
        return carriers


def _carriers(path: Path, lexicon: Lexicon) -> Iterator[Carrier]:
    for number, line in numbered_lines(path):
        try:
            yield _carrier(line, lexicon)
        except PedkitError as error:
            raise error.at(file=path, line=number) from None


def _carrier(line: str, lexicon: Lexicon) -> Carrier:
    if line.count(SLOT) != 1:
        raise PedkitError(f"expected a carrier with {SLOT} once, where the word goes, but got {line!r}")
    before, after = line.split(SLOT)
    return Carrier(before, after, _pronounced(before, lexicon), _pronounced(after, lexicon))


def _pronounced(part: str, lexicon: Lexicon) -> tuple[tuple[str, Pronunciation], ...]:
    words = []
    for word in spoken_words(part, lexicon):
        found = lexicon.pronunciations(word.form)
        if not found:
            raise PedkitError(f"expected words of the lexicon, but it has no pronunciation of '{word.text}'")
        words.append((word.text, found[0]))
    return tuple(words)
