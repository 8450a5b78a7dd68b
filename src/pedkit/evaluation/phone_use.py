"""Which phones a system uses in each language, against those of the reference (F1-PI)."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import asdict
from typing import Any

from pedkit.phones import UNUSABLE_PHONES
from pedkit.scoring import InventoryScore, Item, inventory_f1, macro_inventory_f1

KINDS = {"exact": False, "fuzzy": True}


class PhoneUse:
    """Collects the phones of references and predictions by language while utterances stream past.

    The inventory of a language is what its references hold: the realized phones of the manifest, or the canonical
    ones with ``per_reference=canonical``.
    """

    def __init__(self) -> None:
        self._predicted: defaultdict[str, set[str]] = defaultdict(set)
        self._reference: defaultdict[str, set[str]] = defaultdict(set)

    def add(self, item: Item, language: str, per_reference: str) -> None:
        """Take in one utterance."""
        self._predicted[language].update(item.predicted)
        self._reference[language].update(getattr(item, per_reference))

    def scores(self, inventory: str, *, fuzzy: bool) -> dict[str, InventoryScore]:
        """Return the score of each language, by its code.

        Args:
            inventory: Inventory that all phones come from.
            fuzzy: Compare phones by features (`pedkit.scoring.inventory_f1`).
        """
        return {
            language: inventory_f1(
                self._predicted[language].difference(UNUSABLE_PHONES),
                phones.difference(UNUSABLE_PHONES),
                inventory=inventory,
                fuzzy=fuzzy,
            )
            for language, phones in sorted(self._reference.items())
        }

    def to_json(self, inventory: str) -> dict[str, Any]:
        """Return the "inventory_f1" object of ``scores.json``: exact and fuzzy, by language and their mean."""
        out: dict[str, Any] = {}
        for kind, fuzzy in KINDS.items():
            scores = self.scores(inventory, fuzzy=fuzzy)
            out[kind] = {
                "macro": asdict(macro_inventory_f1(scores)),
                "languages": {language: asdict(score) for language, score in scores.items()},
            }
        return out
