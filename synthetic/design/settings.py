"""What a design is drawn from, checked before anything is drawn."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from pedkit.errors import PedkitError
from synthetic.design.cast import Cast
from synthetic.design.embedding import Carriers
from synthetic.design.error_settings import ErrorSettings
from synthetic.design.sources import ErrorSource
from synthetic.design.word_settings import WordSettings

SPLITS = ("test_unseen", "test_seen", "dev", "train")
"""In the order in which words are dealt: a larger training set leaves the test sets as they are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Addition:
    """Items that follow the others in ``train``, with texts and errors of their own.

    Attributes:
        count: How many.
        observed: Table (``.tsv``) or manifest (``.jsonl``) of errors that were observed, to be copied one by one,
            in place of ``source``. Of ``words`` it looks at ``lexicon`` and ``not_in`` alone, of ``errors`` at
            ``minimal_pairs=voices``; nothing else may be set then.
        words: What is said.
        errors: How errors are dealt.
        source: Where errors are drawn from, in place of ``observed``.

    Raises:
        PedkitError: The number is below 1, or odd where every text is said twice; there is nothing to take errors
            from; or a setting would not be looked at.
    """

    count: int
    observed: str | None = None
    words: WordSettings = field(default_factory=WordSettings)
    errors: ErrorSettings = field(default_factory=lambda: ErrorSettings(share=1.0))
    source: ErrorSource | None = None

    def __post_init__(self) -> None:
        if self.count < 1:
            raise PedkitError(f"expected an addition of 1 item or more, but got {self.count}")
        if (self.observed is None) == (self.source is None):
            raise PedkitError("expected an addition to have either observed errors or a source of errors")
        if self.count % 2 and self.errors.minimal_pairs == "voices":
            raise PedkitError(
                f"expected an even number of items with minimal_pairs=voices, but the addition has {self.count}"
            )
        if self.observed is not None and (ignored := next(self._ignored(), None)):
            key, usual = ignored
            raise PedkitError(
                f"observed errors are copied as they are, so addition.{key} would change nothing",
                hint=f"leave it out, or say synthetic.addition.{key}={json.dumps(usual, default=lambda _: None)}",
            )

    def _ignored(self) -> Iterator[tuple[str, Any]]:
        """Yield key and usual value of each setting that is another and does not matter for observed errors."""
        in_pairs = self.errors.minimal_pairs == "voices"
        errors = ErrorSettings(share=0.5, minimal_pairs="voices") if in_pairs else ErrorSettings(share=1.0)
        words = WordSettings(lexicon=self.words.lexicon, not_in=self.words.not_in)
        for name, given, usual in (("words", self.words, words), ("errors", self.errors, errors)):
            for key in (key.name for key in fields(given)):
                if getattr(given, key) != getattr(usual, key):
                    yield f"{name}.{key}", getattr(usual, key)


def share_of_addition(minimal_pairs: Any) -> float:
    """Return the share of an addition's items that have errors where nobody says it: all, or one of each pair."""
    return 0.5 if minimal_pairs == "voices" else 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class DesignSettings:
    """The numbers behind a design.

    Attributes:
        seed: Seed of everything that is drawn, 0 or more.
        sizes: Number of items of each split of `SPLITS`.
        casts: The voices of each engine, by the name that the design gives the engine.
        words: What is said.
        errors: How errors are dealt.
        addition: More items with texts and errors of their own.
        carriers: Sentences or passages around each word, at its errors, or ``None`` for the bare texts.

    Raises:
        PedkitError: One of these does not hold.
    """

    seed: int
    sizes: Mapping[str, int]
    casts: Mapping[str, Cast]
    words: WordSettings = field(default_factory=WordSettings)
    errors: ErrorSettings = field(default_factory=ErrorSettings)
    addition: Addition | None = None
    carriers: Carriers | None = None

    def __post_init__(self) -> None:
        if self.seed < 0:
            raise PedkitError(f"expected a seed of 0 or more, but got {self.seed}")
        if set(self.sizes) != set(SPLITS) or min(self.sizes.values()) < 0:
            raise PedkitError(f"expected a size for each of {', '.join(SPLITS)}, but got {dict(self.sizes)}")
        for split, size in self.sizes.items():
            if size and not any(cast.voices(split) for cast in self.casts.values()):
                raise PedkitError(
                    f"expected at least one voice for the {size} items of {split}, but there is none",
                    hint=f"name voices in synthetic.speech, or set synthetic.sizes.{split}=0",
                )
            if size % 2 and self.errors.minimal_pairs == "voices":
                raise PedkitError(
                    f"expected an even number of items with minimal_pairs=voices, but {split} has {size}"
                )
