"""What a design is drawn from, checked before anything is drawn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pedkit.errors import PedkitError
from synthetic.design.cast import Cast
from synthetic.design.operations import OPERATIONS

SPLITS = ("test_unseen", "test_seen", "dev", "train")
"""In the order in which words are dealt: a larger training set leaves the test sets as they are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DesignSettings:
    """The numbers behind a design.

    Attributes:
        seed: Seed of everything that is drawn, 0 or more.
        sizes: Number of items of each split of `SPLITS`.
        casts: The voices of each engine, by the name that the design gives the engine.
        error_share: Share of a split's words with one error, 0 to 1; the number is rounded to a whole word.
        operations: Weight of each kind of operation; the numbers of words follow them as closely as they can.
        min_phones: Shortest canonical pronunciation, in phones.
        max_phones: Longest canonical pronunciation, in phones.
        excluded_words: Words that no split may use, because other test sets hold them.

    Raises:
        PedkitError: One of these does not hold.
    """

    seed: int
    sizes: Mapping[str, int]
    casts: Mapping[str, Cast]
    error_share: float = 0.5
    operations: Mapping[str, float]
    min_phones: int = 3
    max_phones: int = 8
    excluded_words: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        if self.seed < 0:
            raise PedkitError(f"expected a seed of 0 or more, but got {self.seed}")
        if set(self.sizes) != set(SPLITS) or min(self.sizes.values()) < 0:
            raise PedkitError(f"expected a size for each of {', '.join(SPLITS)}, but got {dict(self.sizes)}")
        for split, size in self.sizes.items():
            if size and not any(cast.voices(split) for cast in self.casts.values()):
                raise PedkitError(
                    f"expected at least one voice for the {size} items of {split}, but there is none"
                )
        if not 0 <= self.error_share <= 1:
            raise PedkitError(f"expected an error share from 0 to 1, but got {self.error_share}")
        if unknown := sorted(set(self.operations) - set(OPERATIONS)):
            raise PedkitError(f"there is no operation '{unknown[0]}' (there are: {', '.join(OPERATIONS)})")
        weights = self.operations.values()
        if min(weights, default=-1) < 0 or not sum(weights) > 0:
            raise PedkitError(f"expected weights of {', '.join(OPERATIONS)}, but got {dict(self.operations)}")
        if not 1 <= self.min_phones <= self.max_phones:
            raise PedkitError(
                f"expected 1 <= min_phones <= max_phones, but got {self.min_phones}, {self.max_phones}"
            )
