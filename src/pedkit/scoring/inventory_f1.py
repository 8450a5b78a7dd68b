"""F1-PI: how well the set of phones that a system uses for a language matches the set that the language has."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from pedkit.phones import FEATURE_UNITS, get_inventory, normalize_ipa
from pedkit.scoring.features import FeatureSpace

_EMPTY_PREDICTION, _EMPTY_REFERENCE = "no predicted phones", "no reference phones"


@dataclass(frozen=True, slots=True)
class InventoryScore:
    """Precision, recall and F1 of one phone inventory; all ``None`` where one of the two is empty.

    Attributes:
        precision: Share of predicted phones that the language has.
        recall: Share of the language's phones that were predicted.
        f1: Harmonic mean of the two.
        reason: Why the score is undefined.
    """

    precision: float | None
    recall: float | None
    f1: float | None
    reason: str | None = None


def inventory_f1(
    predicted: Iterable[str], reference: Iterable[str], *, inventory: str = "ipa", fuzzy: bool = False
) -> InventoryScore:
    """Compare two phone inventories (F1-PI of PRiSM, with the intersection that its printed formula lacks).

    With A the predicted and B the reference inventory P = |A and B| / |A| and R = |A and B| / |B|. The fuzzy
    variant replaces membership of a phone by its greatest similarity to a phone of the other inventory, where
    similarity is 1 - share of articulatory features that differ.

    Args:
        predicted: Phones that the system used; repetitions count once.
        reference: Phones of the language.
        inventory: Inventory that both come from; IPA is compared in pedkit's normal form.
        fuzzy: Compare by features.

    Example:
        >>> inventory_f1("p b t".split(), "p b d k".split(), fuzzy=False).recall
        0.5
    """
    ours, theirs = (sorted(_normal(phones, inventory)) for phones in (predicted, reference))
    if not ours or not theirs:
        return InventoryScore(None, None, None, _EMPTY_REFERENCE if ours else _EMPTY_PREDICTION)
    similarity = np.array([[float(a == b) for b in theirs] for a in ours])
    if fuzzy:
        similarity = _similarity(ours, theirs, inventory)
    precision, recall = float(similarity.max(axis=1).mean()), float(similarity.max(axis=0).mean())
    total = precision + recall
    return InventoryScore(precision, recall, 2 * precision * recall / total if total else 0.0)


@dataclass(frozen=True, slots=True)
class MacroInventoryScore:
    """Mean over languages.

    Attributes:
        f1: Mean F1 of the languages that have one; ``None`` where none has.
        languages: How many went into the mean.
        undefined: How many were left out because a prediction or a reference was empty.
    """

    f1: float | None
    languages: int
    undefined: int


def macro_inventory_f1(scores: Mapping[str, InventoryScore]) -> MacroInventoryScore:
    """Average the F1 of each language, every language alike."""
    defined = [score.f1 for score in scores.values() if score.f1 is not None]
    mean = sum(defined) / len(defined) if defined else None
    return MacroInventoryScore(mean, len(defined), len(scores) - len(defined))


def _normal(phones: Iterable[str], inventory: str) -> set[str]:
    return {normalize_ipa(phone) if get_inventory(inventory).is_open else phone for phone in phones}


def _similarity(
    ours: list[str], theirs: list[str], inventory: str
) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    chosen = get_inventory(inventory)
    space = FeatureSpace(chosen)
    symbols = list(chosen.phones) or sorted({*ours, *theirs})
    space.extend(symbols)
    position = {symbol: i for i, symbol in enumerate(symbols)}
    rows, columns = [position[s] for s in ours], [position[s] for s in theirs]
    return np.asarray(1 - space.distances[np.ix_(rows, columns)] / FEATURE_UNITS)
