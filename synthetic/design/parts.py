"""Parts of a set: where its texts and their errors come from."""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import NamedTuple, Protocol

from pedkit.errors import PedkitError
from pedkit.phones import Lexicon, strip_stress
from synthetic.design.drawing import ErrorDrawer, Placed
from synthetic.design.error_settings import ErrorSettings
from synthetic.design.listed_texts import listed_texts
from synthetic.design.observed import observed_errors
from synthetic.design.sources import ErrorSource
from synthetic.design.text import Skipped, Text
from synthetic.design.word_settings import WordSettings
from synthetic.design.words import shuffled_words

_KEPT = "it is kept for testing by a manifest of synthetic.words.not_in"
_HELD_OUT = "it, or a word that sounds like it, is in dev or in a test set"
MANY = 10_000
"""Of so many words it is looked up first whether the lexicon has them; it takes half a second."""


class Candidate(NamedTuple):
    """A text with its errors; ``source_id`` is the recording whose errors they are, if they are copied."""

    text: Text
    placed: tuple[Placed, ...]
    source: str | None
    source_id: str | None


class Part(Protocol):
    """Texts with errors, in random order; what was offered once is not offered again.

    Attributes:
        skipped: Texts that cannot be used.
    """

    skipped: Sequence[Skipped]

    def expect_enough(self, wanted: int) -> None:
        """Raise a `PedkitError` where it is clear that there are fewer texts than wanted."""

    def candidates(self, kinds: Sequence[str], rng: random.Random) -> Iterator[Candidate]:
        """Yield texts with errors of these kinds until somebody takes one."""


class DrawnPart:
    """Texts of a lexicon, a list or a manifest, with errors from a source.

    Args:
        words: What is said.
        errors: How errors are dealt.
        source: Where errors come from.
        lexicon: Where words and their pronunciations come from.
        seed: Of the order of the texts.
        used: Words that other parts have.

    Raises:
        PedkitError: The list or a manifest cannot be read.
    """

    def __init__(
        self,
        words: WordSettings,
        errors: ErrorSettings,
        source: ErrorSource,
        *,
        lexicon: Lexicon,
        seed: str,
        used: Collection[str] = (),
    ) -> None:
        self._words, self._lexicon, self._seed = words, lexicon, seed
        for_testing = words.excluded(lexicon)
        self._excluded = for_testing | frozenset(used)
        self._by_rate = errors.rate is not None
        self._drawer = ErrorDrawer(errors, lexicon, source)
        self._listed: list[Text] | None = None
        self.skipped: Sequence[Skipped] = ()
        if words.texts is not None:
            listed, skipped = listed_texts(words.texts, lexicon, words.level)
            is_for_testing, is_used = _known(for_testing, lexicon), _known(used, lexicon)
            self.skipped = [*skipped, *(Skipped(text.text, _KEPT) for text in listed if is_for_testing(text))]
            self._listed = [text for text in listed if not is_for_testing(text) and not is_used(text)]
        self._texts = self._shuffled()

    def expect_enough(self, wanted: int) -> None:
        """Raise a `PedkitError` where it is clear that there are fewer texts than wanted."""
        if self._listed is not None:
            there, place = len(self._listed), f"'{self._words.texts}' has"
        elif wanted > MANY:
            there, place = sum(1 for _ in self._shuffled()), "the lexicon has"
        else:
            return
        if wanted > there:
            skipped = (
                f" ({len(self.skipped)} more cannot be used; '{self.skipped[0].text}': {self.skipped[0].reason})"
                if self.skipped
                else ""
            )
            raise PedkitError(
                f"expected at most {there} words in all splits, as many as {place}{skipped}, but got {wanted}",
                hint="ask for fewer in synthetic.sizes, or for more in synthetic.words",
            )

    def candidates(self, kinds: Sequence[str], rng: random.Random) -> Iterator[Candidate]:
        """Yield texts with errors of these kinds until somebody takes one."""
        for text in self._texts:
            placed = self._drawer.draw_by_rate(text, rng) if self._by_rate else self._drawer.draw(kinds, text, rng)
            if placed is not None:
                yield Candidate(text, placed, self._drawer.label(placed, text), None)

    def _shuffled(self) -> Iterator[Text]:
        rng = random.Random(self._seed)
        if self._listed is not None:
            yield from rng.sample(self._listed, len(self._listed))
            return
        words = self._words
        drawn = shuffled_words(
            self._lexicon,
            rng,
            min_phones=words.min_phones,
            max_phones=words.max_phones,
            excluded=self._excluded,
        )
        for word, pronunciation in drawn:
            yield Text(word, ((word, pronunciation),))


class ObservedPart:
    """Errors that somebody observed, copied one by one.

    Args:
        observed: Table or manifest (`observed_errors`).
        lexicon: Where stress comes from.
        seed: Of the order.
        for_testing: Words that other manifests keep for testing.
        held_out: Words of the other splits of this set.

    Raises:
        PedkitError: The file cannot be read.
    """

    def __init__(
        self,
        observed: str,
        *,
        lexicon: Lexicon,
        seed: str,
        for_testing: Collection[str] = (),
        held_out: Collection[str] = (),
    ) -> None:
        found, skipped = observed_errors(observed, lexicon)
        is_for_testing, is_held_out = _known(for_testing, lexicon), _known(held_out, lexicon)
        kept = []
        for one in found:
            if is_for_testing(one.text):
                skipped.append(Skipped(one.text.text, _KEPT))
            elif is_held_out(one.text):
                skipped.append(Skipped(one.text.text, _HELD_OUT))
            else:
                kept.append(one)
        self.skipped: Sequence[Skipped] = skipped
        self._place, self._there = observed, len(kept)
        self._observed = iter(random.Random(seed).sample(kept, len(kept)))

    def expect_enough(self, wanted: int) -> None:
        """Raise a `PedkitError` where there are fewer errors than wanted."""
        if wanted > self._there:
            skipped = f"; {len(self.skipped)} cannot be copied" if self.skipped else ""
            raise PedkitError(
                f"expected at most {self._there} copies of observed errors, as many as can be copied{skipped}, "
                f"but got {wanted}",
                file=self._place,
                hint="ask for fewer in synthetic.addition.count",
            )

    def candidates(self, _kinds: Sequence[str], _rng: random.Random) -> Iterator[Candidate]:
        """Yield words with the errors that were observed in them."""
        for one in self._observed:
            placed = tuple(Placed(0, operation) for operation in one.operations)
            yield Candidate(one.text, placed, "observed", one.source_id)


def _known(words: Collection[str], lexicon: Lexicon) -> Callable[[Text], bool]:
    """Return what tells whether a text is made of these words alone, or of what sounds like them."""
    forms = frozenset(words)
    sounds = {strip_stress(variant) for word in forms for variant in lexicon.pronunciations(word)}
    return lambda text: all(word.lower() in forms or strip_stress(phones) in sounds for word, phones in text.words)
