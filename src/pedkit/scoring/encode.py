"""From items to flat arrays of symbol ids, with every input checked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pedkit.errors import PedkitError
from pedkit.phones.marks import UNUSABLE_PHONES
from pedkit.scoring.item import Item
from pedkit.scoring.symbols import Sequences, SymbolTable

MOST_PHONES = 1 << 13
"""Longest sequence that is aligned, ten minutes of speech; the table of costs of two of them takes 512 MiB."""


@dataclass(frozen=True, slots=True)
class Encoded:
    """A batch as arrays.

    Attributes:
        items: The items themselves.
        reference: What the error rates are computed against, with its unusable symbols still in it.
        predicted: What the system heard.
        judged: True for utterances with both canonical and realized phones, shape (utterances,).
        canonical: Canonical phones of the judged utterances; the other utterances are empty.
        realized: Realized phones of the judged utterances.
        judged_predicted: ``predicted`` of the judged utterances.
        flags: 1 for each canonical phone that the corpus marks as wrong, shape (canonical phones,).
    """

    items: Sequence[Item]
    reference: Sequences
    predicted: Sequences
    judged: NDArray[np.bool_]
    canonical: Sequences
    realized: Sequences
    judged_predicted: Sequences
    flags: NDArray[np.uint8]

    def hearing(self, predictions: Sequence[tuple[str, ...]], table: SymbolTable) -> Encoded:
        """Return the same utterances with other predictions, one an utterance, whose phones the table knows."""
        predicted, judged_predicted = _encode_predicted(predictions, self.judged.tolist(), table)
        return replace(self, predicted=predicted, judged_predicted=judged_predicted)


def encode_batch(items: Sequence[Item], table: SymbolTable, per_reference: str) -> Encoded:
    """Encode a batch.

    Raises:
        PedkitError: A sequence is missing, is a string, is too long or holds something that is no phone of the
            inventory, or a flag points outside the canonical phones; the error names the utterance.
    """
    for item in items:
        _check_kinds(item, per_reference)
    judged = [item.canonical is not None and item.realized is not None for item in items]
    try:
        canonical = table.encode([i.canonical or () if j else () for i, j in zip(items, judged, strict=True)])
        realized = table.encode([i.realized or () if j else () for i, j in zip(items, judged, strict=True)])
        predicted, judged_predicted = _encode_predicted([i.predicted for i in items], judged, table)
        if all(judged):
            reference = realized if per_reference == "realized" else canonical
        else:
            reference = table.encode([getattr(i, per_reference) for i in items])
    except (PedkitError, TypeError):
        raise _located(items, table) from None
    _check_canonical(items, canonical, table)
    for sequences in (canonical, realized, predicted, reference):
        _check_lengths(items, sequences)
    return Encoded(
        items, reference, predicted, np.array(judged), canonical, realized, judged_predicted,
        _flags(items, canonical),
    )  # fmt: skip


def _encode_predicted(
    predictions: Sequence[tuple[str, ...]], judged: Sequence[bool], table: SymbolTable
) -> tuple[Sequences, Sequences]:
    """Return the predictions of all utterances, and those of the judged ones."""
    predicted = table.encode(predictions)
    if all(judged):
        return predicted, predicted
    return predicted, table.encode([p if j else () for p, j in zip(predictions, judged, strict=True)])


def _check_kinds(item: Item, per_reference: str) -> None:
    if getattr(item, per_reference) is None:
        other = "per_reference=canonical scores against the G2P reference"
        raise PedkitError(
            f"expected '{per_reference}' phones, but there are none",
            utterance=item.id,
            hint=other if per_reference == "realized" and item.canonical is not None else None,
        )
    for key in ("canonical", "realized", "predicted"):
        value = getattr(item, key)
        if not isinstance(value, tuple | list) and (value is not None or key == "predicted"):
            raise PedkitError(
                f"expected '{key}' to be a list of phones, but got {value!r}", utterance=item.id,
                hint="split a string into phones first" if isinstance(value, str) else None,
            )  # fmt: skip


def _located(items: Iterable[Item], table: SymbolTable) -> PedkitError:
    for item in items:
        for key in ("canonical", "realized", "predicted"):
            try:
                table.encode([getattr(item, key) or ()])
            except PedkitError as error:
                return PedkitError(f"'{key}': {error.message}", utterance=item.id, hint=error.hint)
            except TypeError as error:
                return PedkitError(f"expected each phone of '{key}' to be a string: {error}", utterance=item.id)
    raise AssertionError("a batch failed to encode, but each of its utterances encodes")


def _check_canonical(items: Sequence[Item], canonical: Sequences, table: SymbolTable) -> None:
    marks = np.zeros(len(table), dtype=np.uint8)
    marks[1 : 1 + len(UNUSABLE_PHONES)] = 1
    bad = np.flatnonzero(canonical.marked(marks))
    if len(bad):
        raise PedkitError(
            f"expected phones that can be asked for in 'canonical', not {' or '.join(UNUSABLE_PHONES)}",
            utterance=items[int(bad[0])].id,
        )


def _check_lengths(items: Sequence[Item], sequences: Sequences) -> None:
    longest = int(sequences.lengths.argmax())
    if sequences.lengths[longest] > MOST_PHONES:
        raise PedkitError(
            f"expected at most {MOST_PHONES} phones, but got {sequences.lengths[longest]}",
            utterance=items[longest].id,
            hint="split the recording",
        )


def _flags(items: Sequence[Item], canonical: Sequences) -> NDArray[np.uint8]:
    flags = np.zeros(len(canonical.ids), dtype=np.uint8)
    for k, item in enumerate(items):
        if not item.flags:
            continue
        start, length = canonical.offsets[k], canonical.lengths[k]
        for index in item.flags:
            if not _is_index(index, len(item.canonical or ())):
                raise PedkitError(
                    f"expected 'flags' to be indices of the {len(item.canonical or ())} canonical phones, "
                    f"but got {index!r}",
                    utterance=item.id,
                )
            if index < length:
                flags[start + index] = 1
    return flags


def _is_index(value: Any, length: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < length
