"""What a reviewer is to hear, and in which order: chosen by one seed, shuffled anew for each reviewer."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pedkit.data.utterance import Utterance
from pedkit.errors import PedkitError
from pedkit.phones import ARPABET_TO_IPA
from synthetic.acceptance.near_misses import Columns, aligned


@dataclass(frozen=True, slots=True)
class Group:
    """The phones of one word, or of what lies between words.

    Attributes:
        word: The word; empty where it is the whole text.
        target: Whether it is the word under test in a longer text.
        columns: Canonical beside realized phones.
    """

    word: str
    target: bool
    columns: Columns


@dataclass(frozen=True, slots=True)
class Card:
    """One recording as the page shows it: nothing that another reviewer or a recognizer made of it, and no voice.

    Attributes:
        id: Of the utterance.
        text: What was to be read.
        canonical: Its canonical phones in IPA.
        realized: The phones it should say, in IPA.
        groups: The phones word by word.
        errors: Each error in words.
    """

    id: str
    text: str
    canonical: str
    realized: str
    groups: tuple[Group, ...]
    errors: tuple[str, ...]


def chosen(ids: Iterable[str], sample: int | None, seed: int, reviewer: str) -> list[str]:
    """Return the ids to hear, in the order of one reviewer.

    Args:
        ids: All ids.
        sample: How many to draw; all where ``None``. Every reviewer hears the same ones.
        seed: Seed of the sample and of the orders.
        reviewer: Whose order it is.

    Raises:
        PedkitError: The sample is empty or larger than the set.
    """
    drawn = sorted(ids, key=lambda name: _draw(seed, "sample", name))
    if sample is not None:
        if not 1 <= sample <= len(drawn):
            raise PedkitError(f"expected a sample of 1 to {len(drawn)} recordings, but got {sample}")
        drawn = drawn[:sample]
    return sorted(drawn, key=lambda name: _draw(seed, f"order of {reviewer}", name))


def cards(utterances: Sequence[Utterance]) -> list[Card]:
    """Return the cards of utterances.

    Raises:
        PedkitError: An utterance lacks canonical or realized phones.
    """
    return [_card(one, columns) for one, columns in zip(utterances, aligned(utterances), strict=True)]


def _draw(seed: int, purpose: str, name: str) -> bytes:
    return hashlib.sha256(f"{seed}\n{purpose}\n{name}".encode()).digest()


def _card(utterance: Utterance, columns: Columns) -> Card:
    return Card(
        utterance.id,
        utterance.text or "",
        _ipa(utterance.canonical or ()),
        _ipa(utterance.realized or ()),
        tuple(_groups(utterance, columns)),
        tuple(_in_words(canonical, realized) for canonical, realized in columns if canonical != realized),
    )


def _ipa(phones: Sequence[str]) -> str:
    return " ".join(ARPABET_TO_IPA[phone] for phone in phones)


def _in_words(canonical: str | None, realized: str | None) -> str:
    if canonical is None:
        return f"{realized} is added"
    return f"{canonical} is left out" if realized is None else f"{canonical} becomes {realized}"


def _groups(utterance: Utterance, columns: Columns) -> list[Group]:
    """Cut the columns at the words; an insertion belongs to the word before it."""
    words = utterance.words
    if len(words) < 2:
        return [Group("", False, columns)]
    starts = {word.start: word for word in words}
    groups: list[tuple[str, bool, list[tuple[str | None, str | None]]]] = []
    position = 0
    for canonical, realized in columns:
        if canonical is not None and position in starts:
            word = starts[position]
            groups.append((word.text, utterance.target_span == (word.start, word.end), []))
        elif not groups:
            groups.append(("", False, []))
        groups[-1][2].append((canonical, realized))
        position += canonical is not None
    return [Group(word, target, tuple(own)) for word, target, own in groups]
