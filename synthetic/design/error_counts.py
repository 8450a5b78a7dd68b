"""What speakers did with each phone, counted in a manifest: the numbers behind estimated error rates."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from pedkit.data.manifest import iter_manifest
from pedkit.data.utterance import Utterance
from pedkit.errors import PedkitError
from pedkit.phones import Projector
from synthetic.arpabet import CMU39

if TYPE_CHECKING:
    from pedkit.scoring import Item

NOTHING = ""
"""What a deleted phone becomes, and what an inserted one stood for."""

Columns = list[tuple[str | None, str | None]]


class Surroundings(NamedTuple):
    """Class of the canonical neighbours of a place: ``V``, ``C``, or ``#`` at the edge of the word.

    ``#`` on the left is word-initial, on the right word-final; anything else is medial.
    """

    left: str
    right: str


def surroundings(before: str | None, after: str | None) -> Surroundings:
    """Return the surroundings of a place between two canonical phones without stress."""
    return Surroundings(
        *("#" if phone is None else "V" if phone in CMU39.vowels else "C" for phone in (before, after))
    )


@dataclass(slots=True)
class ErrorCounts:
    """Counts of one population.

    Attributes:
        said: Canonical phone, surroundings and what was said -> how often; `NOTHING` for a deletion.
        inserted: Surroundings and what was inserted -> how often; `NOTHING` for places where nothing was.
        utterances: Utterances that were counted.
    """

    said: Counter[tuple[str, Surroundings, str]] = field(default_factory=Counter)
    inserted: Counter[tuple[Surroundings, str]] = field(default_factory=Counter)
    utterances: int = 0

    @classmethod
    def of_manifest(cls, path: str | Path) -> ErrorCounts:
        """Count all utterances of a manifest that have canonical and realized phones.

        Phones are projected onto CMU-39 and aligned by pedkit's evaluator; places in words follow ``words`` where
        an utterance has it, else the whole utterance is one word. Sounds of unknown identity are not counted. Of
        several phones inserted in one place each is counted.

        Raises:
            PedkitError: The manifest cannot be read, or no utterance has both.
        """
        counts = cls()
        for columns, words in aligned_words(iter_manifest(path)):
            counts.utterances += 1
            for start, end in words:
                counts._add(columns[start:end])
        if not counts.utterances:
            raise PedkitError(
                "expected a manifest with canonical and realized phones, but no utterance has both", file=path
            )
        return counts

    def _add(self, columns: Columns) -> None:
        """Count the columns of one word; an insertion belongs to the word that it stands before, or ends."""
        canonical = [phone for phone, _ in columns if phone is not None]
        edges = [None, *canonical, None]
        places: Counter[int] = Counter()
        at = 0
        for phone, heard in columns:
            if phone is None:
                if heard in CMU39:
                    self.inserted[surroundings(edges[at], edges[at + 1]), str(heard)] += 1
                    places[at] += 1
                continue
            if heard is None or heard in CMU39:
                self.said[phone, surroundings(edges[at], edges[at + 2]), heard or NOTHING] += 1
            at += 1
        for place in range(len(canonical) + 1):
            if not places[place]:
                self.inserted[surroundings(edges[place], edges[place + 1]), NOTHING] += 1


def aligned_words(utterances: Iterable[Utterance]) -> Iterator[tuple[Columns, list[tuple[int, int]]]]:
    """Yield the columns of canonical and realized CMU-39 phones of each utterance, and the columns of its words.

    Utterances without both are passed over.
    """
    for _, columns, words in aligned(utterances):
        yield columns, [span for _, span in words]


def aligned(
    utterances: Iterable[Utterance],
) -> Iterator[tuple[Utterance, Columns, list[tuple[str, tuple[int, int]]]]]:
    """Yield each utterance with its columns, and each of its words with the columns ``[start, end)`` it takes.

    A column between two words belongs to the later one; one after the last word to the last.
    """
    from pedkit.scoring import Item, Scorer, ScoringSettings  # most designs count nothing

    scorer = Scorer(ScoringSettings(inventory="cmu39", soft_preset="none"))
    kept: list[Utterance] = []

    def items() -> Iterator[Item]:
        for utterance in utterances:
            if utterance.canonical and utterance.realized is not None:
                # Words point at canonical phones as they are written.
                canonical, realized = (_projected(utterance, role) for role in ("canonical", "realized"))
                kept.append(utterance)
                yield Item(utterance.id, canonical, realized, realized)

    for number, scored in enumerate(scorer.score(items())):
        utterance = kept[number]
        columns: Columns = [(column.canonical, column.realized) for column in scored.alignment.columns]
        yield utterance, columns, _words(utterance, columns)


def _projected(utterance: Utterance, role: str) -> tuple[str, ...]:
    phones: tuple[str, ...] = getattr(utterance, role)
    if utterance.inventory in (None, "cmu39"):
        return phones
    return Projector(utterance.inventory)(phones).phones


def _words(utterance: Utterance, columns: Columns) -> list[tuple[str, tuple[int, int]]]:
    whole = [(utterance.text or utterance.id, (0, len(columns)))]
    at = [index for index, (phone, _) in enumerate(columns) if phone is not None]
    if not utterance.words or len(at) != len(utterance.canonical or ()):  # a projection moved the words' phones
        return whole
    ends = [at[word.end - 1] + 1 if word.end else 0 for word in utterance.words]
    ends[-1] = len(columns)
    starts = [0, *ends[:-1]]
    return [(word.text, span) for word, span in zip(utterance.words, zip(starts, ends, strict=True), strict=True)]
