"""Drawing the errors of one text, by the rules that hold for every source."""

from __future__ import annotations

import functools
import random
from collections.abc import Sequence
from dataclasses import dataclass

from pedkit.errors import PedkitError
from pedkit.phones import Lexicon, strip_stress
from synthetic.design.edits import apart, apply_all, audible, ordered, unambiguous
from synthetic.design.error_settings import ErrorSettings
from synthetic.design.operations import OPERATIONS, Insertion, Operation, Pronunciation
from synthetic.design.phonotactics import Phonotactics
from synthetic.design.sources import ErrorSource, Weighted
from synthetic.design.text import Text

ANY = "any"
"""In place of a kind of operation: all kinds, as likely as the source makes them."""


@dataclass(frozen=True, slots=True)
class Placed:
    """An error in one word of a text; ``operation`` counts the phones of that word."""

    word: int
    operation: Operation


class ErrorDrawer:
    """Draws errors that the settings allow.

    Args:
        settings: What is allowed.
        lexicon: No error makes a word into another of its pronunciations there.
        source: Where errors come from.

    Raises:
        PedkitError: ``settings.rate`` is ``source``, and the source has no rates.
    """

    def __init__(self, settings: ErrorSettings, lexicon: Lexicon, source: ErrorSource) -> None:
        if settings.rate == "source" and not source.has_rates:
            raise PedkitError(
                f"expected a source that knows how often errors happen for rate=source, but got '{source.name}'",
                hint="synthetic/source=estimated",
            )
        self.settings, self.lexicon, self.source = settings, lexicon, source
        self._phonotactics = Phonotactics.of(lexicon) if settings.phonotactics else None

    def draw(self, kinds: Sequence[str], text: Text, rng: random.Random) -> tuple[Placed, ...] | None:
        """Return errors of these kinds in a text, or ``None`` where the text cannot have them all."""
        placed: tuple[Placed, ...] = ()
        for kind in kinds:
            following = self._next(kind, text, placed, rng)
            if following is None:
                return None
            placed = (*placed, following)
        return placed

    def draw_by_rate(self, text: Text, rng: random.Random) -> tuple[Placed, ...]:
        """Return as many errors as ``settings.rate`` gives a text; those that find no place are left out."""
        rate = self.settings.rate
        if rate == "source":
            return self._by_rates_of_source(text, rng)
        assert isinstance(rate, int | float)
        placed: tuple[Placed, ...] = ()
        for _ in range(sum(rng.random() < rate for _ in text.canonical)):
            weights = self.settings.operations
            kind = ANY if weights is None else rng.choices(list(weights), list(weights.values()))[0]
            following = self._next(kind, text, placed, rng)
            if following is not None:
                placed = (*placed, following)
        return placed

    def label(self, placed: Sequence[Placed], text: Text) -> str | None:
        """Return what records call the source of these errors."""
        labels = (self.source.label(p.operation, text.words[p.word][1]) for p in placed)
        return " + ".join(dict.fromkeys(labels)) or None

    def _by_rates_of_source(self, text: Text, rng: random.Random) -> tuple[Placed, ...]:
        """Decide at each phone, and at each place between two, by itself."""
        placed: tuple[Placed, ...] = ()
        by_place: dict[tuple[int, int, bool], list[tuple[Placed, float]]] = {}
        for candidate, weight in self._candidates(ANY, text, ()):
            at = candidate.operation
            place = (candidate.word, at.position, not isinstance(at, Insertion))
            by_place.setdefault(place, []).append((candidate, weight))
        for _, candidates in sorted(by_place.items()):
            left = rng.random()
            for candidate, weight in candidates:
                left -= weight
                if left < 0:
                    if self._fits(candidate, text, placed):
                        placed = (*placed, candidate)
                    break
        return placed

    def _next(self, kind: str, text: Text, placed: tuple[Placed, ...], rng: random.Random) -> Placed | None:
        weighted = self._candidates(kind, text, placed)
        while weighted:
            candidates, weights = zip(*weighted, strict=True)
            index: int = rng.choices(range(len(candidates)), weights)[0]
            if self._fits(candidates[index], text, placed):
                candidate: Placed = candidates[index]
                return candidate
            del weighted[index]
        return None

    def _candidates(self, kind: str, text: Text, placed: tuple[Placed, ...]) -> list[tuple[Placed, float]]:
        kinds = tuple(OPERATIONS) if kind == ANY else (kind,)
        canonical, starts = text.canonical, text.starts
        several = len(text.words) > 1
        before = [p.operation.moved(starts[p.word]) for p in placed]
        found = []
        for word, (_, phones) in enumerate(text.words):
            for operation, weight in self._of_word(kinds, phones):
                here = operation.moved(starts[word]) if several else operation
                # A source knows the word alone, not its neighbours.
                if (not several or audible(here, canonical)) and (
                    not before or all(apart(here, other) for other in before)
                ):
                    found.append((Placed(word, operation), weight))
        return found

    def _of_word(self, kinds: Sequence[str], phones: Pronunciation) -> list[Weighted]:
        where = self.settings.where
        if where.is_anywhere:
            return [weighted for kind in kinds for weighted in self.source.operations(kind, phones)]
        return [
            (operation, weight)
            for kind in kinds
            for operation, weight in self.source.operations(kind, phones)
            if where.allows(operation, phones)
        ]

    def _fits(self, candidate: Placed, text: Text, placed: tuple[Placed, ...]) -> bool:
        """Return whether an error may join others: it can be heard, and it is the word that the settings want."""
        starts = text.starts
        together = ordered(p.operation.moved(starts[p.word]) for p in (*placed, candidate))
        if placed and not all(
            apart(candidate.operation.moved(starts[candidate.word]), p.operation.moved(starts[p.word]))
            for p in placed
        ):
            return False
        if placed and not unambiguous(together, text.canonical):
            return False
        word, phones = text.words[candidate.word]
        own = [p.operation for p in (*placed, candidate) if p.word == candidate.word]
        realized = strip_stress(apply_all(own, phones))
        if realized in {strip_stress(variant) for variant in self.lexicon.pronunciations(word)}:
            return False
        if self._phonotactics is not None:
            legal = self._phonotactics.pronounceable(realized)
            return legal == (self.settings.phonotactics == "legal")
        return self.settings.minimal_pairs != "words" or realized in self._words

    @functools.cached_property
    def _words(self) -> frozenset[tuple[str, ...]]:
        """Every pronunciation of the lexicon, without stress."""
        lexicon = self.lexicon
        return frozenset(strip_stress(variant) for word in lexicon for variant in lexicon.pronunciations(word))
