"""The design of a whole set: which words, which of them with an error, and which voice says each."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from pedkit.errors import PedkitError
from pedkit.phones import Lexicon, strip_stress
from synthetic.design.cast import drawn
from synthetic.design.item import DesignItem, DesignWord, design_id
from synthetic.design.operations import Operation, Pronunciation
from synthetic.design.settings import SPLITS, DesignSettings
from synthetic.design.sources import ErrorSource
from synthetic.design.words import shuffled_words
from synthetic.engines.protocol import SpeechRequest

T = TypeVar("T")
Spoken = Callable[[str, SpeechRequest], Pronunciation | None]

MANY = 10_000
"""Of so many words it is looked up first whether the lexicon has them; it takes half a second."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """A text that the engine would not say as asked.

    Attributes:
        engine: Which engine.
        text: What should have been said, in letters.
        requested: The realized pronunciation it was asked for.
        spoken: What it would say instead; ``None`` where it refused the request.
        reason: Why it refused the request, in its own words.
    """

    engine: str
    text: str
    requested: Pronunciation
    spoken: Pronunciation | None
    reason: str | None = None


@dataclass(slots=True)
class Design:
    """A finished design: its items in the order of `SPLITS`, and what the engine's self-check refused."""

    items: list[DesignItem] = field(default_factory=list)
    refused: list[Refusal] = field(default_factory=list)

    @property
    def checked(self) -> int:
        """Number of requests that the self-check looked at."""
        return len(self.items) + len(self.refused)


def draw_design(
    settings: DesignSettings,
    lexicon: Lexicon,
    source: ErrorSource,
    spoken: Spoken,
) -> Design:
    """Draw the items of all splits; the same arguments give the same design.

    A word gives way to the next one where no operation of the wanted kind makes it differ from all its
    pronunciations in the lexicon, or where the engine would not say it as asked; so the shares stay exact.

    Args:
        settings: The numbers.
        lexicon: Where words and their pronunciations come from.
        source: Where errors come from.
        spoken: What the engine would say (`SpeechEngine.spoken`), ``None`` where it cannot know.

    Raises:
        PedkitError: The words run out.
    """
    return _Drawing(settings, lexicon, source, spoken).run()


class _Drawing:
    def __init__(
        self,
        settings: DesignSettings,
        lexicon: Lexicon,
        source: ErrorSource,
        spoken: Spoken,
    ) -> None:
        self.settings, self.lexicon, self.source, self.spoken = settings, lexicon, source, spoken
        self.design = Design()
        self.words = self._shuffled()

    def _shuffled(self) -> Iterator[tuple[str, Pronunciation]]:
        return shuffled_words(
            self.lexicon,
            random.Random(f"{self.settings.seed}/words"),
            min_phones=self.settings.min_phones,
            max_phones=self.settings.max_phones,
            excluded=self.settings.excluded_words,
        )

    def _expect_enough(self) -> None:
        wanted = sum(self.settings.sizes.values())
        there = sum(1 for _ in self._shuffled()) if wanted > MANY else wanted
        if wanted > there:
            raise PedkitError(
                f"expected at most {there} words in all splits, as many as the lexicon has, but got {wanted}",
                hint="ask for fewer words in synthetic.sizes, or for more lengths in synthetic.words",
            )

    def run(self) -> Design:
        self._expect_enough()
        for split in SPLITS:
            rng = random.Random(f"{self.settings.seed}/{split}")
            size = self.settings.sizes[split]
            edited = round(size * self.settings.error_share)
            kinds = [*apportion(edited, self.settings.operations), *[None] * (size - edited)]
            rng.shuffle(kinds)
            voices = self._voices(split, size, rng)
            for number, (kind, speaker) in enumerate(zip(kinds, voices, strict=True)):
                self.design.items.append(self._item(split, number, kind, speaker, rng))
        return self.design

    def _voices(self, split: str, size: int, rng: random.Random) -> Iterator[tuple[str, str]]:
        """Yield engine and voice of each item: engines by weight, the voices of each equally often."""
        casts = {name: cast for name, cast in self.settings.casts.items() if size and cast.voices(split)}
        if len(casts) == 1:  # decks are shuffled when they are needed, between the draws of the items
            ((name, cast),) = casts.items()
            yield from ((name, voice) for voice in _dealt(cast.voices(split), size, rng))
            return
        numbers = Counter(apportion(size, {name: cast.weight for name, cast in casts.items()}) if casts else ())
        voices = [(n, voice) for n, cast in casts.items() for voice in _dealt(cast.voices(split), numbers[n], rng)]
        rng.shuffle(voices)
        yield from voices

    def _item(
        self, split: str, number: int, kind: str | None, speaker: tuple[str, str], rng: random.Random
    ) -> DesignItem:
        engine, voice = speaker
        for word, canonical in self.words:
            operation = None if kind is None else self._operation(kind, word, canonical, rng)
            if kind is not None and operation is None:
                continue
            operations = () if operation is None else (operation,)
            realized = canonical if operation is None else operation.apply(canonical).realized
            request = self._request(realized, engine, voice, rng)
            heard = self.spoken(engine, request)
            if heard is not None and heard != realized:
                self.design.refused.append(Refusal(engine, word, realized, heard))
                continue
            return DesignItem(
                id=f"{split}-{number:05d}-{word}",
                split=split,
                level="word",
                text=word,
                words=(DesignWord(word, 0, len(canonical)),),
                canonical=canonical,
                operations=operations,
                source=self.source.name if operations else None,
                source_id=design_id(word, operations),
                target_span=(0, len(canonical)),
                engine=engine,
                request=request,
            )
        raise PedkitError(
            f"expected a lexicon with enough words for all splits, but they ran out in '{split}'",
            hint="ask for fewer words in synthetic.sizes, or for more lengths in synthetic.words",
        )

    def _operation(self, kind: str, word: str, canonical: Pronunciation, rng: random.Random) -> Operation | None:
        known = {strip_stress(variant) for variant in self.lexicon.pronunciations(word)}
        weighted = self.source.operations(kind, canonical)
        while weighted:
            operations, weights = zip(*weighted, strict=True)
            index: int = rng.choices(range(len(operations)), weights)[0]
            operation: Operation = operations[index]
            if strip_stress(operation.apply(canonical).realized) not in known:
                return operation
            del weighted[index]
        return None

    def _request(self, phones: Pronunciation, engine: str, voice: str, rng: random.Random) -> SpeechRequest:
        cast = self.settings.casts[engine]
        return SpeechRequest(
            phones=phones,
            voice=voice,
            rate=drawn(cast.rate, rng),
            pitch=drawn(cast.pitch, rng),
            noise_seed=rng.randrange(1 << 31),
        )


def apportion(count: int, weights: Mapping[str, float]) -> list[str]:
    """Return ``count`` names in numbers that follow the weights as closely as whole numbers can.

    The method is that of largest remainders; of equal remainders the first name wins.
    """
    total = sum(weights.values())
    shares = {name: count * weight / total for name, weight in weights.items()}
    numbers = {name: int(share) for name, share in shares.items()}
    by_remainder = sorted(shares, key=lambda name: numbers[name] - shares[name])
    for name in by_remainder[: count - sum(numbers.values())]:
        numbers[name] += 1
    return [name for name, number in numbers.items() for _ in range(number)]


def _dealt(cards: Sequence[T], count: int, rng: random.Random) -> Iterator[T]:
    """Yield ``count`` cards from freshly shuffled decks, so that each comes up equally often (or once more)."""
    while count > 0:
        deck = list(cards)
        rng.shuffle(deck)
        yield from deck[:count]
        count -= len(deck)
