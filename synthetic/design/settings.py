"""What a design is drawn from, checked before anything is drawn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pedkit.errors import PedkitError
from synthetic.design.operations import OPERATIONS

SPLITS = ("test_unseen", "test_seen", "dev", "train")
"""In the order in which words are dealt: a larger training set leaves the test sets as they are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DesignSettings:
    """The numbers behind a design.

    Attributes:
        seed: Seed of everything that is drawn, 0 or more.
        sizes: Number of items of each split of `SPLITS`.
        seen_voices: Voices of train, dev and test_seen.
        unseen_voices: Voices of test_unseen; none of them is in ``seen_voices``.
        error_share: Share of a split's words with one error, 0 to 1; the number is rounded to a whole word.
        operations: Weight of each kind of operation; the numbers of words follow them as closely as they can.
        min_phones: Shortest canonical pronunciation, in phones.
        max_phones: Longest canonical pronunciation, in phones.
        excluded_words: Words that no split may use, because other test sets hold them.
        rate: Lowest and highest speaking rate, 80 to 450 words a minute, which is what espeak-ng can do.
        pitch: Lowest and highest pitch, 0 to 99.

    Raises:
        PedkitError: One of these does not hold.
    """

    seed: int
    sizes: Mapping[str, int]
    seen_voices: Sequence[str]
    unseen_voices: Sequence[str]
    error_share: float = 0.5
    operations: Mapping[str, float]
    min_phones: int = 3
    max_phones: int = 8
    excluded_words: frozenset[str] = frozenset()
    rate: tuple[int, int] = (140, 190)
    pitch: tuple[int, int] = (35, 65)

    def __post_init__(self) -> None:
        if self.seed < 0:
            raise PedkitError(f"expected a seed of 0 or more, but got {self.seed}")
        if set(self.sizes) != set(SPLITS) or min(self.sizes.values()) < 0:
            raise PedkitError(f"expected a size for each of {', '.join(SPLITS)}, but got {dict(self.sizes)}")
        if not self.seen_voices or not self.unseen_voices:
            raise PedkitError("expected at least one seen and one unseen voice")
        if common := sorted(set(self.seen_voices) & set(self.unseen_voices)):
            raise PedkitError(f"expected unseen voices not to be seen ones, but '{common[0]}' is in both lists")
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
        for name, (low, high), (least, most) in (("rate", self.rate, (80, 450)), ("pitch", self.pitch, (0, 99))):
            if not least <= low <= high <= most:
                raise PedkitError(
                    f"expected {name} to be [lowest, highest] from {least} to {most}, but got [{low}, {high}]"
                )

    def voices(self, split: str) -> Sequence[str]:
        """Return the voices that say a split."""
        return self.unseen_voices if split == "test_unseen" else self.seen_voices
