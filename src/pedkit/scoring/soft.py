"""Soft equality of the symbols that a scoring run meets."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pedkit.phones import ARPABET_TO_IPA, TIMIT_TO_IPA, Inventory


class SoftTiers:
    """Which tier makes two symbols of an inventory soft-equal, in the order in which they were met.

    Attributes:
        tiers: int64, shape (symbols, symbols): 0 not soft-equal or the same symbol, 1 first tier, 2 second.
        known: True where a symbol is in the tables of the preset, shape (symbols,).
    """

    def __init__(self, preset: str, language: str, inventory: Inventory) -> None:
        from pedkit.phones import SoftPhones

        self._soft = SoftPhones(preset, language)
        self._inventory = inventory
        self._spelled: list[str] = []
        self.tiers = np.zeros((0, 0), dtype=np.int64)
        self.known = np.zeros(0, dtype=bool)

    def extend(self, symbols: Sequence[str | None]) -> None:
        """Take in the symbols behind those that are known already."""
        old, size = len(self._spelled), len(symbols)
        if size == old:
            return
        self._spelled += [self._spell(symbol or "") for symbol in symbols[old:]]
        self.known = np.array([self._soft.known(symbol) for symbol in self._spelled], dtype=bool)
        tiers = np.zeros((size, size), dtype=np.int64)
        tiers[:old, :old] = self.tiers
        for i in range(old, size):
            for j in range(i):
                tiers[i, j] = tiers[j, i] = self._soft.tier(self._spelled[i], self._spelled[j]) or 0
        self.tiers = tiers

    def _spell(self, symbol: str) -> str:
        if self._inventory.name == "cmu39":
            return ARPABET_TO_IPA[symbol]
        if self._inventory.name.startswith("timit"):
            return TIMIT_TO_IPA.get(symbol, symbol)
        return symbol
