"""Soft equality of the symbols that a scoring run meets."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pedkit.phones import SoftPhones


class SoftTiers:
    """Which tier makes two symbols soft-equal, in the order in which they were met.

    Args:
        soft: Decides about two symbols.

    Attributes:
        tiers: int64, shape (symbols, symbols): 0 not soft-equal or the same symbol, 1 first tier, 2 second.
        known: True where a symbol is in the table, shape (symbols,).
    """

    def __init__(self, soft: SoftPhones) -> None:
        self._soft = soft
        self.tiers = np.zeros((0, 0), dtype=np.int64)
        self.known = np.zeros(0, dtype=bool)

    def extend(self, symbols: Sequence[str]) -> None:
        """Take in the symbols behind those that are known already."""
        old, size = len(self.known), len(symbols)
        if size == old:
            return
        self.known = np.append(self.known, [self._soft.known(symbol) for symbol in symbols[old:]])
        tiers = np.zeros((size, size), dtype=np.int64)
        tiers[:old, :old] = self.tiers
        for i in range(old, size):
            for j in range(i):
                tiers[i, j] = tiers[j, i] = self._soft.tier(symbols[i], symbols[j]) or 0
        self.tiers = tiers
