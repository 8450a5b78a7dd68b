"""Dealing in exact numbers: kinds of errors to texts, and voices to items."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeVar

from synthetic.design.cast import Cast
from synthetic.design.drawing import ANY
from synthetic.design.error_settings import ErrorSettings

T = TypeVar("T")


def deal_kinds(size: int, errors: ErrorSettings, rng: random.Random) -> list[tuple[str, ...]]:
    """Return the kinds of errors of each of ``size`` texts, in random order; none for a text without errors."""
    paired = errors.minimal_pairs == "voices"  # every text is said with its errors; its twin is no text of its own
    edited = size if paired else round(size * errors.share)
    fewest, most = errors.numbers
    numbers = [fewest if fewest == most else rng.randint(fewest, most) for _ in range(edited)]
    total = sum(numbers)
    kinds = [ANY] * total if errors.operations is None else apportion(total, errors.operations)
    if most > 1:
        rng.shuffle(kinds)
    supply = iter(kinds)
    dealt = [tuple(next(supply) for _ in range(number)) for number in numbers] + [()] * (size - edited)
    rng.shuffle(dealt)
    return dealt


def deal_voices(size: int, split: str, casts: Mapping[str, Cast], rng: random.Random) -> Iterator[tuple[str, str]]:
    """Yield engine and voice of each item: engines by weight, the voices of each equally often (or once more)."""
    speaking = {name: cast for name, cast in casts.items() if size and cast.voices(split)}
    if len(speaking) == 1:  # decks are shuffled when they are needed, between the draws of the items
        ((name, cast),) = speaking.items()
        yield from ((name, voice) for voice in _from_decks(cast.voices(split), size, rng))
        return
    numbers = Counter(apportion(size, {name: cast.weight for name, cast in speaking.items()}) if speaking else ())
    voices = [
        (name, voice)
        for name, cast in speaking.items()
        for voice in _from_decks(cast.voices(split), numbers[name], rng)
    ]
    rng.shuffle(voices)
    yield from voices


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


def _from_decks(cards: Sequence[T], count: int, rng: random.Random) -> Iterator[T]:
    """Yield ``count`` cards from freshly shuffled decks."""
    while count > 0:
        deck = list(cards)
        rng.shuffle(deck)
        yield from deck[:count]
        count -= len(deck)
