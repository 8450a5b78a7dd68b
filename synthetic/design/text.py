"""`Text`: what is to be said, with the pronunciation of each word."""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass

from synthetic.design.item import DesignWord
from synthetic.design.operations import Pronunciation


@dataclass(frozen=True, slots=True)
class Text:
    """A word, a sentence or a passage as it should be said.

    Attributes:
        text: In letters.
        words: Each word with its pronunciation, ARPAbet with stress.
        level: ``word``, ``sentence`` or ``passage``.
    """

    text: str
    words: tuple[tuple[str, Pronunciation], ...]
    level: str = "word"

    @property
    def canonical(self) -> Pronunciation:
        """The pronunciation of the whole."""
        return tuple(itertools.chain.from_iterable(phones for _, phones in self.words))

    @property
    def starts(self) -> tuple[int, ...]:
        """Canonical position at which each word begins."""
        lengths = (len(phones) for _, phones in self.words)
        return tuple(itertools.accumulate(lengths, initial=0))[:-1]

    @property
    def spans(self) -> tuple[DesignWord, ...]:
        """The words over the canonical phones."""
        return tuple(
            DesignWord(word, start, start + len(phones))
            for (word, phones), start in zip(self.words, self.starts, strict=True)
        )

    @property
    def slug(self) -> str:
        """The text as part of a file name: letters, digits and hyphens, at most 32."""
        return re.sub(r"[^a-z0-9]+", "-", self.text.lower()).strip("-")[:32].rstrip("-")


@dataclass(frozen=True, slots=True)
class Skipped:
    """A text that cannot be used, and why; ``id`` is that of the item where it was one already."""

    text: str
    reason: str
    id: str | None = None
