"""`Cast`: the voices of one engine, and how fast and how high they speak."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from pedkit.errors import PedkitError

Range = tuple[float, float] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Cast:
    """Who speaks for one engine.

    Attributes:
        seen: Voices of train, dev and test_seen.
        unseen: Voices of test_unseen; none of them is in ``seen``.
        rate: Lowest and highest speaking rate in the engine's own unit; ``None`` for each voice's own.
        pitch: Lowest and highest pitch in the engine's own unit; ``None`` for each voice's own.
        weight: Share of the items, relative to the weights of the other engines; over 0.

    Raises:
        PedkitError: One of these does not hold.
    """

    seen: Sequence[str]
    unseen: Sequence[str]
    rate: Range = None
    pitch: Range = None
    weight: float = 1.0

    def __post_init__(self) -> None:
        if common := sorted(set(self.seen) & set(self.unseen)):
            raise PedkitError(f"expected unseen voices not to be seen ones, but '{common[0]}' is in both lists")
        for name, limits in (("rate", self.rate), ("pitch", self.pitch)):
            if limits is not None and limits[0] > limits[1]:
                raise PedkitError(f"expected {name} to be [lowest, highest], but got {list(limits)}")
        if not self.weight > 0:
            raise PedkitError(f"expected the weight of an engine to be over 0, but got {self.weight}")

    def voices(self, split: str) -> Sequence[str]:
        """Return the voices that say a split."""
        return self.unseen if split == "test_unseen" else self.seen


def drawn(limits: Range, rng: random.Random) -> float | None:
    """Return a number between the limits: a whole one where both are whole, else one of three decimals."""
    if limits is None:
        return None
    low, high = limits
    if isinstance(low, int) and isinstance(high, int):
        return rng.randint(low, high)
    return round(rng.uniform(low, high), 3)
