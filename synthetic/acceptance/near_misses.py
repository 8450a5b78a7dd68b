"""What else might have been said: the canonical phones, and other errors at the same place."""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Iterable, Iterator, Sequence
from functools import cache

import numpy as np

from pedkit.data.utterance import Utterance
from pedkit.errors import PedkitError
from pedkit.phones import feature_distances, get_inventory
from pedkit.scoring import Item, Scorer, ScoringSettings

INVENTORY = "cmu39"
"""The one inventory with feature distances, and that of every set that is made."""

Columns = tuple[tuple[str | None, str | None], ...]
"""Canonical beside realized phones; ``None`` is the gap of an insertion or a deletion."""


def aligned(utterances: Sequence[Utterance]) -> Iterator[Columns]:
    """Yield canonical beside realized phones of each utterance.

    Raises:
        PedkitError: An utterance lacks one of them, or they are of another inventory than CMU-39.
    """
    for one in utterances:
        if one.canonical is None or one.realized is None:
            raise PedkitError("expected canonical and realized phones", utterance=one.id)
        if one.inventory != INVENTORY:
            raise PedkitError(f"expected phones of {INVENTORY}, but got {one.inventory}", utterance=one.id)
    scorer = Scorer(ScoringSettings(inventory=INVENTORY, soft_preset="none"))
    items = (Item(one.id, one.canonical, one.realized, one.realized or ()) for one in utterances)
    for scored in scorer.score(items):
        yield tuple((column.canonical, column.realized) for column in scored.alignment.columns)


def error_type(columns: Columns) -> str:
    """Return ``unedited``, ``substitution``, ``deletion``, ``insertion``, or ``several`` for more than one."""
    wrong = [(canonical, realized) for canonical, realized in columns if canonical != realized]
    if len(wrong) != 1:
        return "several" if wrong else "unedited"
    canonical, realized = wrong[0]
    return "insertion" if canonical is None else "deletion" if realized is None else "substitution"


def near_misses(columns: Columns, neighbours: int, site: int) -> list[tuple[str, ...]]:
    """Return the phone sequences that must lose against the realized ones, none of them twice.

    For each error these are: the same with the error undone; with another error of the same kind, namely each of
    the phones nearest in articulation to the one said (to the one left out, if it was left out); and, for a
    substitution, with a deletion instead. Vowels stand for vowels and consonants for consonants, and no phone
    comes to stand beside an equal one. Of several errors one at a time is changed, and all are undone at once.

    Where nothing is wrong, the errors possible at one place are what must lose: each of the nearest phones, and
    a deletion.

    Args:
        columns: Canonical beside realized phones.
        neighbours: Number of nearest phones.
        site: The column that is doubted where nothing is wrong.

    Raises:
        PedkitError: A phone is not of CMU-39.
    """
    realized = _phones(said for _, said in columns)
    wrong = [i for i, (canonical, said) in enumerate(columns) if canonical != said]
    rivals = [_phones(canonical for canonical, _ in columns)]
    for i in wrong or [site]:
        canonical, said = columns[i]
        others: list[str | None] = list(nearest(said or canonical or "", INVENTORY)[: neighbours + 1])
        others = [phone for phone in others if phone not in (canonical, said)][:neighbours]
        if canonical is not None and said is not None:
            others.append(None)
        if canonical != said:
            others.insert(0, canonical)
        for other in others:
            changed = _phones(other if k == i else phone for k, (_, phone) in enumerate(columns))
            if other == canonical or not _doubles(changed, realized):
                rivals.append(changed)
    return [rival for rival in dict.fromkeys(rivals) if rival and rival != realized]


def doubted_column(utterance: Utterance, columns: Columns) -> int:
    """Return the column at which an utterance without errors is doubted, drawn by its id.

    It lies in the word under test, where the utterance names one.
    """
    start, end = utterance.target_span or (0, len(columns))
    return start + int.from_bytes(hashlib.sha256(utterance.id.encode()).digest()[:8]) % max(1, end - start)


@cache
def nearest(phone: str, inventory: str) -> tuple[str, ...]:
    """Return the other vowels (for a consonant: consonants), nearest in articulation first.

    Distances are those of `pedkit.phones.feature_distances`; equal ones stand in the order of the inventory.
    """
    known = get_inventory(inventory)
    row = feature_distances(inventory)[known.index(phone)]
    order = [known.phones[i] for i in np.argsort(row, kind="stable")]
    alike = phone in known.vowels
    return tuple(other for other in order if other != phone and (other in known.vowels) == alike)


def _phones(column: Iterable[str | None]) -> tuple[str, ...]:
    return tuple(phone for phone in column if phone is not None)


def _doubles(phones: Sequence[str], realized: Sequence[str]) -> bool:
    """Return whether more phones stand beside an equal one than in the realized sequence."""
    return _double_count(phones) > _double_count(realized)


def _double_count(phones: Sequence[str]) -> int:
    return sum(a == b for a, b in itertools.pairwise(phones))
