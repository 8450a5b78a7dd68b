"""Scoring plain lists, without a manifest: references against predictions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pedkit.errors import PedkitError
from pedkit.phones import get_inventory
from pedkit.scoring.columns import align, classes
from pedkit.scoring.costs import COST_UNIT, DELETION, INSERTION, MATCH, SUBSTITUTION, CostTables
from pedkit.scoring.counts import Counts
from pedkit.scoring.item import Item
from pedkit.scoring.scorer import Scorer
from pedkit.scoring.settings import ScoringSettings
from pedkit.scoring.symbols import SymbolTable


def score_pairs(references: Any, predictions: Any, settings: ScoringSettings | None = None) -> Counts:
    """Score predictions against references without MDD.

    A collection of utterances is a list of strings (phones separated by spaces), of sequences of phones, or of
    sequences, arrays or tensors of integer ids. One string, or one sequence of integers, is one utterance.

    Args:
        references: What was said.
        predictions: What was heard.
        settings: Default: the open inventory ``ipa``, PER equal to Soft PER.

    Raises:
        PedkitError: The two differ in length, or something is no phone.

    Example:
        >>> score_pairs(["θ ɪ ŋ"], ["s ɪ ŋ"]).per.value
        0.3333333333333333
    """
    ours, theirs = _utterances(references), _utterances(predictions)
    if len(ours) != len(theirs):
        raise PedkitError(
            f"expected one prediction a reference, but got {len(ours)} references and {len(theirs)} predictions"
        )
    scorer = Scorer(settings or ScoringSettings(inventory="ipa", soft_preset="none"))
    pairs = enumerate(zip(ours, theirs, strict=True))
    return scorer.total(Item(f"pair {k}", None, reference, predicted) for k, (reference, predicted) in pairs)


def edit_counts(
    references: Sequence[Sequence[str]], predictions: Sequence[Sequence[str]], inventory: str = "cmu39"
) -> NDArray[np.int64]:
    """Return matches, substitutions, deletions and insertions of each utterance, and nothing else.

    Args:
        references: Phones that were said.
        predictions: Phones that were heard, one sequence a reference.
        inventory: Inventory of both.

    Returns:
        int64, shape (utterances, 4).

    Raises:
        PedkitError: The two differ in length, or a symbol is no phone of the inventory.
    """
    if len(references) != len(predictions):
        raise PedkitError(
            f"expected one prediction a reference, but got {len(references)} references "
            f"and {len(predictions)} predictions"
        )
    table = SymbolTable(get_inventory(inventory))
    tables = CostTables(ScoringSettings(inventory=inventory, soft_preset="none"), table)
    return np.concatenate(list(_edit_counts(references, predictions, table, tables)))


def _edit_counts(
    references: Sequence[Sequence[str]],
    predictions: Sequence[Sequence[str]],
    table: SymbolTable,
    tables: CostTables,
    batch_size: int = 1024,
) -> Iterator[NDArray[np.int64]]:
    yield np.zeros((0, 4), dtype=np.int64)
    for start in range(0, len(references), batch_size):
        ours = table.encode(references[start : start + batch_size])
        theirs = table.encode(predictions[start : start + batch_size])
        tables.refresh()
        found = classes(align(ours, theirs, tables.unit, COST_UNIT), tables.unit_classes)
        yield found[:, [MATCH, SUBSTITUTION, DELETION, INSERTION]]


def _utterances(value: Any) -> list[tuple[str, ...]]:
    if isinstance(value, str):
        return [tuple(value.split())]
    listed = value.tolist() if hasattr(value, "tolist") else list(value)
    if listed and all(isinstance(entry, int) for entry in listed):
        return [tuple(map(str, listed))]
    return [_phones(entry) for entry in listed]


def _phones(value: Any) -> tuple[str, ...]:
    if isinstance(value, str):
        return tuple(value.split())
    listed = value.tolist() if hasattr(value, "tolist") else value
    return tuple(str(entry) if isinstance(entry, int) else entry for entry in listed)
