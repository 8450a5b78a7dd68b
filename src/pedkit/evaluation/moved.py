"""What points at the phones of an utterance, moved along when they are projected."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec.structs import replace

from pedkit.data.utterance import Utterance
from pedkit.errors import PedkitError
from pedkit.phones import UNUSABLE_PHONES, Projector


def moved_marks(utterance: Utterance, projector: Projector) -> dict[str, Any]:
    """Return flags, words and target span over projected canonical phones.

    A flag follows its phone, onto both where it becomes two; the flag of a dropped phone goes with it.
    """
    spans, edges = projector.trace(utterance.canonical or ())
    target = utterance.target_span
    return {
        "flags": {place: mark for index, mark in utterance.flags.items() for place in range(*spans[index])},
        "words": tuple(replace(word, start=edges[word.start], end=edges[word.end]) for word in utterance.words),
        "target_span": None if target is None else (edges[target[0]], edges[target[1]]),
    }


def moved_alignment(columns: str, canonical: Sequence[int], realized: Sequence[int]) -> str:
    """Return an annotated alignment over projected phones; a dropped phone leaves its column.

    Args:
        columns: Letters ``M D I`` over the phones as written (`pedkit.data.utterance.Utterance.alignment`).
        canonical: Number of phones that each canonical symbol became.
        realized: The same for each realized symbol.

    Raises:
        PedkitError: A symbol became several phones, so that the annotator's columns say nothing about them.
    """
    if max((*canonical, *realized), default=0) > 1:
        raise PedkitError(
            "the annotated alignment cannot follow a symbol that becomes several phones or a part of one",
            hint="reference=computed aligns the projected phones anew",
        )
    left, right = iter(canonical), iter(realized)
    letters = {(1, 1): "M", (1, 0): "D", (0, 1): "I", (0, 0): ""}
    return "".join(
        letters[next(left) if column != "I" else 0, next(right) if column != "D" else 0] for column in columns
    )


def became(phones: Sequence[str], projector: Projector) -> list[int]:
    """Return how many phones each symbol became; one that shares its phone with a neighbour counts as two.

    Sounds of unknown identity are not projected and stay one symbol each.
    """
    return [width for stretch in _stretches(phones) for width in _widths(stretch, projector)]


def _stretches(phones: Sequence[str]) -> Iterator[Sequence[str]]:
    """Yield sounds of unknown identity one by one, and what stands between them."""
    start = 0
    for k, phone in enumerate(phones):
        if phone in UNUSABLE_PHONES:
            yield phones[start:k]
            yield phones[k : k + 1]
            start = k + 1
    yield phones[start:]


def _widths(phones: Sequence[str], projector: Projector) -> list[int]:
    if len(phones) == 1 and phones[0] in UNUSABLE_PHONES:
        return [1]
    spans = projector.trace(phones).spans
    return [end - start + (spans.count((start, end)) > 1 and end > start) for start, end in spans]
