"""What a pair of symbols costs under each cost function, as integer matrices over the symbol table."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pedkit.phones import FEATURE_UNITS
from pedkit.phones.marks import UNUSABLE_PHONES
from pedkit.scoring.features import FeatureSpace
from pedkit.scoring.settings import ScoringSettings
from pedkit.scoring.soft import SoftTiers
from pedkit.scoring.symbols import SymbolTable

# Keys of the aligner pack (cost, tie) into one integer; a sum of ties stays below 2 ** 32.
COST_UNIT = 1 << 32
# Keys of the soft aligner pack (cost, -exact matches, soft matches).
SOFT_COST_UNIT, _EXACT_UNIT = 1 << 40, 1 << 20

MATCH, SUBSTITUTION, DELETION, INSERTION, TIER1, TIER2 = range(6)
"""Classes of a column of two sequences."""
CLASSES = 6

Matrix = NDArray[np.int64]


class CostTables:
    """Matrices of shape (symbols, symbols), row and column 0 for the gap; grows with the symbol table.

    Attributes:
        mismatch: 1 where two symbols differ.
        penalty: Second key of the aligner and fifth key of the grid.
        unit: Packed key of the unit cost.
        kaldi: The same without a second key.
        feature: Articulatory-feature distance in units of 1/48.
        feature_key: The same packed with the second key.
        soft: Packed key of the soft cost.
        unit_classes: Class of a column under the unit cost (uint8).
        soft_classes: Class under the soft cost (uint8).
        unusable: 1 for symbols that equal nothing, shape (symbols,) (uint8).
        feature_unknown: 1 for symbols without features.
        soft_unknown: 1 for symbols in no table of soft equality.
        soft_coverage: Pairs of the second tier of soft equality that the language has.
    """

    def __init__(self, settings: ScoringSettings, symbols: SymbolTable) -> None:
        self._settings, self._symbols = settings, symbols
        self._features = FeatureSpace(symbols.inventory)
        soft = settings.soft_phones()
        self.soft_coverage, self._soft = soft.coverage, SoftTiers(soft)
        self._build()

    def refresh(self) -> None:
        """Take in the symbols that are new in the table."""
        if len(self._symbols) > len(self.mismatch):
            self._build()

    def _build(self) -> None:
        first, size = 1 + len(UNUSABLE_PHONES), len(self._symbols)
        phones = [symbol for symbol in self._symbols.symbols[first:] if symbol is not None]
        self.unusable = np.zeros(size, dtype=np.uint8)
        self.unusable[1:first] = 1
        self.mismatch = 1 - np.eye(size, dtype=np.int64)
        self.mismatch[self.unusable == 1, self.unusable == 1] = 1
        self._features.extend(phones)
        self.feature = _embedded(self._features.distances, size, FEATURE_UNITS)
        self.feature_unknown = _embedded_marks(~self._features.known, size)
        self._tie_keys(phones, first)
        self._soft_keys(phones, first)
        self.unit_classes = self.mismatch.astype(np.uint8)  # MATCH is 0, SUBSTITUTION 1
        self.unit_classes[:, 0], self.unit_classes[0, :] = DELETION, INSERTION

    def _tie_keys(self, phones: list[str], first: int) -> None:
        size = len(self.mismatch)
        kind = np.zeros(size, dtype=np.int64)  # 0 unknown, 1 vowel, 2 consonant
        vowel = np.array([self._symbols.inventory.is_vowel(p) for p in phones], dtype=bool)
        kind[first:] = np.where(self._features.known, np.where(vowel, 1, 2), 0)
        self.penalty = np.zeros((size, size), dtype=np.int64)
        if self._settings.tie == "features":
            self.penalty[first:, first:] = self._features.distances
        elif self._settings.tie == "phonetic":
            known = kind > 0
            self.penalty[:] = (kind[:, None] != kind) & known[:, None] & known
        self.kaldi = self.mismatch * COST_UNIT
        self.unit = self.kaldi + self.penalty
        self.feature_key = self.feature * COST_UNIT + self.penalty

    def _soft_keys(self, phones: list[str], first: int) -> None:
        size = len(self.mismatch)
        self._soft.extend(phones)
        self.soft_unknown = _embedded_marks(~self._soft.known, size)
        tiers = np.zeros((size, size), dtype=np.int64)  # 0 none, 1 first tier, 2 second
        tiers[first:, first:] = self._soft.tiers
        forgiven = (tiers > 0) & (self.mismatch == 1)
        soft_cost = int(self._settings.soft_cost * FEATURE_UNITS)
        self.soft = self.mismatch * FEATURE_UNITS * SOFT_COST_UNIT
        self.soft[forgiven] = soft_cost * SOFT_COST_UNIT + 1
        self.soft[self.mismatch == 0] = -_EXACT_UNIT
        self.soft_classes = np.where(forgiven, SUBSTITUTION + 2 + tiers, self.mismatch).astype(np.uint8)
        self.soft_classes[:, 0], self.soft_classes[0, :] = DELETION, INSERTION


def _embedded(inner: Matrix, size: int, outside: int) -> Matrix:
    out = np.full((size, size), outside, dtype=np.int64)
    out[size - len(inner) :, size - len(inner) :] = inner
    return out


def _embedded_marks(inner: NDArray[np.bool_], size: int) -> NDArray[np.uint8]:
    out = np.zeros(size, dtype=np.uint8)
    out[size - len(inner) :] = inner
    return out
