"""Articulatory-feature distances of the symbols that a scoring run meets."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pedkit.phones import FEATURE_UNITS, TIMIT_TO_IPA, Inventory, feature_distances
from pedkit.phones.features import ipa_targets

_FEATURES = 24


class FeatureSpace:
    """Distances in units of 1/48 between the symbols of an inventory, in the order in which they were met.

    ``cmu39`` has a shipped matrix; the others are looked up in panphon through their IPA spelling. A symbol
    without features is at the full distance from every other one.

    Attributes:
        distances: int64, shape (symbols, symbols).
        known: True where a symbol has features, shape (symbols,).
    """

    def __init__(self, inventory: Inventory) -> None:
        self._inventory = inventory
        self._targets = np.zeros((0, 2, _FEATURES), dtype=np.int64)
        self.known = np.zeros(0, dtype=bool)
        self.distances = np.zeros((0, 0), dtype=np.int64)
        if inventory.name == "cmu39":
            self.distances = feature_distances("cmu39")
            self.known = np.ones(len(inventory), dtype=bool)

    def extend(self, symbols: Sequence[str]) -> None:
        """Take in the symbols behind those that are known already."""
        old, size = len(self.known), len(symbols)
        if size == old:
            return
        found = [self._look_up(symbol) for symbol in symbols[old:]]
        self.known = np.append(self.known, [targets is not None for targets in found])
        filled = [np.zeros((2, _FEATURES), dtype=np.int64) if t is None else t for t in found]
        self._targets = np.concatenate([self._targets, np.stack(filled)])
        both = self.known[:, None] & self.known
        distances = np.full((size, size), FEATURE_UNITS, dtype=np.int64)
        distances[:old, :old] = self.distances
        for i in range(old, size):
            row = np.count_nonzero(self._targets != self._targets[i], axis=(1, 2))
            distances[i] = distances[:, i] = np.where(both[i], row, FEATURE_UNITS)
            distances[i, i] = 0
        self.distances = distances

    def _look_up(self, symbol: str) -> NDArray[np.int64] | None:
        spelled: str | None = symbol
        if self._inventory.name.startswith("timit"):
            spelled = TIMIT_TO_IPA.get(symbol)
        return None if spelled is None else ipa_targets(spelled)
