"""`ErrorSettings`: how many errors, of which kinds, where, and what they may make of a word."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from pedkit.errors import PedkitError
from synthetic.design.operations import OPERATIONS
from synthetic.design.where import Where


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorSettings:
    """How errors are dealt to texts.

    Attributes:
        share: Share of a split's texts with errors, 0 to 1; the number is rounded to a whole text.
        operations: Weight of each kind of operation; the numbers of errors follow them as closely as they can.
            ``None`` leaves the kinds to the source.
        per_item: Errors in a text that has any: a number, or the fewest and the most; ``None`` is one.
        rate: In place of ``share`` and ``per_item``: the share of phones with an error, 0 to 1, each phone by
            itself; ``source`` takes the rates of the source, phone by phone.
        where: Which phones may be changed, and into what.
        phonotactics: ``legal``: only errors after which the word could be one; ``illegal``: only others.
        minimal_pairs: ``words``: only errors that make another word of the lexicon; ``voices``: each text twice,
            with and without its errors, by the same voice in the same manner.

    Raises:
        PedkitError: One of these does not hold.
    """

    share: float = 0.5
    operations: Mapping[str, float] | None = None
    per_item: int | tuple[int, int] | None = None
    rate: float | Literal["source"] | None = None
    where: Where = field(default_factory=Where)
    phonotactics: Literal["legal", "illegal"] | None = None
    minimal_pairs: Literal["words", "voices"] | None = None

    def __post_init__(self) -> None:
        if not 0 <= self.share <= 1:
            raise PedkitError(f"expected an error share from 0 to 1, but got {self.share}")
        if self.rate is not None and self.rate != "source" and not 0 <= self.rate <= 1:
            raise PedkitError(f"expected an error rate from 0 to 1, or 'source', but got {self.rate}")
        fewest, most = self.numbers
        if not 1 <= fewest <= most:
            raise PedkitError(f"expected per_item to be 1 or more, or [fewest, most], but got {self.per_item}")
        if self.minimal_pairs == "voices" and (self.share != 0.5 or self.rate is not None):
            raise PedkitError(
                "expected half of the texts to have errors with minimal_pairs=voices, but got "
                f"{'a rate' if self.rate is not None else f'a share of {self.share}'}",
                hint="say share=0.5 and rate=null beside it",
            )
        if self.operations is not None:
            self._check_operations(self.operations)

    def _check_operations(self, operations: Mapping[str, float]) -> None:
        if self.rate == "source":
            raise PedkitError("rate=source takes the kinds of errors from the source too", hint="operations=null")
        if unknown := sorted(set(operations) - set(OPERATIONS)):
            raise PedkitError(f"there is no operation '{unknown[0]}' (there are: {', '.join(OPERATIONS)})")
        weights = operations.values()
        if min(weights, default=-1) < 0 or not sum(weights) > 0:
            raise PedkitError(f"expected weights of {', '.join(OPERATIONS)}, but got {dict(operations)}")

    @property
    def numbers(self) -> tuple[int, int]:
        """Fewest and most errors in a text that has any."""
        if self.per_item is None or isinstance(self.per_item, int):
            return (self.per_item if self.per_item is not None else 1,) * 2
        return self.per_item
