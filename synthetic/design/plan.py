"""The design of a whole set: which texts, which of them with errors, and which voice says each."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from pedkit.errors import PedkitError
from pedkit.phones import Lexicon
from synthetic.design.asking import Asking, Delivery, Refusal, Spoken
from synthetic.design.dealing import deal_kinds, deal_voices
from synthetic.design.drawing import Placed
from synthetic.design.edits import ordered
from synthetic.design.embedding import Carrier
from synthetic.design.error_settings import ErrorSettings
from synthetic.design.item import DesignItem, design_id
from synthetic.design.listed_texts import read_lexicon
from synthetic.design.operations import Operation
from synthetic.design.parts import DrawnPart, ObservedPart, Part
from synthetic.design.settings import SPLITS, Addition, DesignSettings
from synthetic.design.sources import ErrorSource
from synthetic.design.text import Skipped, Text


@dataclass(slots=True)
class Design:
    """A finished design.

    Attributes:
        items: In the order of `SPLITS`.
        refused: What the engines' self-check refused.
        skipped: Texts and observed errors that cannot be used, such as words without a pronunciation.
        checked: Number of requests that the self-check looked at.
    """

    items: list[DesignItem] = field(default_factory=list)
    refused: list[Refusal] = field(default_factory=list)
    skipped: list[Skipped] = field(default_factory=list)
    checked: int = 0


def draw_design(
    settings: DesignSettings,
    lexicon: Lexicon,
    source: ErrorSource,
    spoken: Spoken,
    taken: Callable[[DesignItem], None] | None = None,
) -> Design:
    """Draw the items of all splits; the same arguments give the same design.

    A text gives way to the next one where no errors of the wanted kinds can be had, or where the engine would not
    say it as asked; so the shares stay exact. An item that no carrier takes is left out and named: the others are
    those that the same seed gives without carriers.

    Args:
        settings: The numbers.
        lexicon: Where words and their pronunciations come from.
        source: Where errors come from.
        spoken: What an engine would say (`SpeechEngine.spoken`), from its name in ``settings.casts`` and a
            request; ``None`` where it cannot know.
        taken: Called with each item as soon as it stands, so that it can be said while others are drawn.

    Raises:
        PedkitError: The texts run out, a file cannot be read, or a voice refuses everything.
    """
    return _Drawing(settings, lexicon, source, spoken).run(taken or (lambda _: None))


@dataclass(frozen=True, slots=True)
class _Draft:
    """An item before it is embedded."""

    id: str
    split: str
    text: Text
    placed: tuple[Placed, ...]
    source: str | None
    source_id: str
    delivery: Delivery


class _Dealer(NamedTuple):
    """A part of the set, and how many items each of its texts makes."""

    part: Part
    errors: ErrorSettings

    @property
    def step(self) -> int:
        return 2 if self.errors.minimal_pairs == "voices" else 1


class _Drawing:
    def __init__(self, settings: DesignSettings, lexicon: Lexicon, source: ErrorSource, spoken: Spoken) -> None:
        self.settings, self.lexicon, self.source = settings, lexicon, source
        self.asking = Asking(settings.casts, spoken)
        self.carriers = None if settings.carriers is None else settings.carriers.read(lexicon)
        self.skipped: list[Skipped] = []

    def run(self, taken: Callable[[DesignItem], None]) -> Design:
        seed, errors = self.settings.seed, self.settings.errors
        part = DrawnPart(self.settings.words, errors, self.source, lexicon=self.lexicon, seed=f"{seed}/words")
        dealer = _Dealer(part, errors)
        self._expect_enough(part, sum(self.settings.sizes.values()) // dealer.step)
        self.asking.expect_ranges([split for split in SPLITS if self.settings.sizes[split]])
        drafts: list[tuple[_Draft, ...]] = []
        items: list[DesignItem] = []
        rng = random.Random(f"{seed}/carriers")

        def finish(groups: Iterator[tuple[_Draft, ...]]) -> None:
            for group in groups:
                drafts.append(group)
                for item in self._finished(group, rng):
                    items.append(item)
                    taken(item)

        for split in SPLITS:
            finish(self._drafts(dealer, split, range(self.settings.sizes[split]), f"{seed}/{split}"))
        if self.settings.addition is not None:
            finish(self._added(self.settings.addition, drafts))
        return Design(items, self.asking.refused, self.skipped, self.asking.checked)

    def _added(self, addition: Addition, drafts: Sequence[tuple[_Draft, ...]]) -> Iterator[tuple[_Draft, ...]]:
        seed, words = f"{self.settings.seed}/addition", addition.words
        lexicon = self.lexicon if words.lexicon is None else read_lexicon(words.lexicon)
        part: Part
        if addition.source is None:
            part = ObservedPart(
                str(addition.observed),
                lexicon=lexicon,
                seed=seed,
                for_testing=words.excluded(lexicon),
                held_out=_words(draft for draft, *_ in drafts if draft.split != "train"),
            )
        else:
            used = _words(draft for draft, *_ in drafts)
            part = DrawnPart(words, addition.errors, addition.source, lexicon=lexicon, seed=seed, used=used)
        dealer = _Dealer(part, addition.errors)
        self._expect_enough(part, addition.count // dealer.step)
        first = self.settings.sizes["train"]
        return self._drafts(dealer, "train", range(first, first + addition.count), f"{seed}/items")

    def _expect_enough(self, part: Part, wanted: int) -> None:
        part.expect_enough(wanted)
        self.skipped += part.skipped

    def _drafts(self, dealer: _Dealer, split: str, numbers: range, seed: str) -> Iterator[tuple[_Draft, ...]]:
        """Yield the items of a split, each with its twin where every text is said with and without its errors."""
        rng, step = random.Random(seed), dealer.step
        kinds = deal_kinds(len(numbers) // step, dealer.errors, rng)
        voices = deal_voices(len(numbers) // step, split, self.settings.casts, rng)
        for number, own, speaker in zip(numbers[::step], kinds, voices, strict=True):
            draft = self._draft(dealer, own, split, speaker, rng)
            group = (draft,) if step == 1 else (draft, replace(draft, placed=(), source=None))
            yield tuple(replace(one, id=f"{split}-{number + k:05d}-{one.id}") for k, one in enumerate(group))

    def _draft(
        self, dealer: _Dealer, kinds: Sequence[str], split: str, speaker: tuple[str, str], rng: random.Random
    ) -> _Draft:
        for text, placed, source, source_id in dealer.part.candidates(kinds, rng):
            delivery = self.asking.delivery(speaker, rng)
            wanted = [placed, ()][: dealer.step]
            if all(self._granted(delivery, text, errors) for errors in wanted):
                origin = source_id or design_id(text.text, _positions(text, placed))
                return _Draft(text.slug, split, text, placed, source, origin, delivery)
        refused = self.asking.refused
        raise PedkitError(
            f"expected a lexicon or list with enough words for all splits, but they ran out in '{split}'"
            + (f"; the engines refused {len(refused)}, the last one '{refused[-1].text}'" if refused else ""),
            hint="ask for fewer words in synthetic.sizes, or for more lengths in synthetic.words",
        )

    def _granted(self, delivery: Delivery, text: Text, placed: tuple[Placed, ...]) -> bool:
        return self.asking.granted(delivery.engine, text.text, delivery.request(text, placed))

    def _finished(self, group: tuple[_Draft, ...], rng: random.Random) -> list[DesignItem]:
        """Return the items of a group: embedded, unless no carrier takes them, in one carrier for all."""
        if self.carriers is None or self.settings.carriers is None:
            span = (0, len(group[0].text.canonical)) if len(group[0].text.words) == 1 else None
            return [_item(draft, draft.text, draft.placed, span) for draft in group]
        level = self.settings.carriers.level
        for carrier in rng.sample(self.carriers, len(self.carriers)):
            embedded = [(draft, carrier.around(draft.text, level), _moved(draft, carrier)) for draft in group]
            if all(_takes(carrier, draft) for draft in group) and all(
                self._granted(draft.delivery, text, placed) for draft, text, placed in embedded
            ):
                start = len(carrier.phones_before)
                span = start, start + len(group[0].text.canonical)
                return [_item(draft, text, placed, span) for draft, text, placed in embedded]
        self.skipped += [Skipped(draft.text.text, "no carrier takes it", draft.id) for draft in group]
        return []


def _words(drafts: Iterable[_Draft]) -> frozenset[str]:
    return frozenset(word.lower() for draft in drafts for word, _ in draft.text.words)


def _takes(carrier: Carrier, draft: _Draft) -> bool:
    return carrier.takes(draft.text.canonical, draft.delivery.request(draft.text, draft.placed).phones)


def _moved(draft: _Draft, carrier: Carrier) -> tuple[Placed, ...]:
    return tuple(Placed(p.word + len(carrier.words_before), p.operation) for p in draft.placed)


def _positions(text: Text, placed: Sequence[Placed]) -> tuple[Operation, ...]:
    return ordered(p.operation.moved(text.starts[p.word]) for p in placed)


def _item(
    draft: _Draft, text: Text, placed: tuple[Placed, ...], target_span: tuple[int, int] | None
) -> DesignItem:
    return DesignItem(
        id=draft.id,
        split=draft.split,
        level=text.level,
        text=text.text,
        words=text.spans,
        canonical=text.canonical,
        operations=_positions(text, placed),
        source=draft.source,
        source_id=draft.source_id,
        target_span=target_span,
        engine=draft.delivery.engine,
        request=draft.delivery.request(text, placed),
    )
