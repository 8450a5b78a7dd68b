"""Articulatory-feature distances between phones, as exact integers."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from pedkit.errors import PedkitError
from pedkit.phones._tables import read_tsv
from pedkit.phones.ipa import normalize_ipa, strip_marks

if TYPE_CHECKING:
    from numpy.typing import NDArray

# Reduced vowels of espeak that panphon lacks, as the letters whose bars they carry.
_ESPEAK_LETTERS = str.maketrans({"ᵻ": "ɨ", "ᵿ": "ʊ"})

#: Distances are counted in units of 1/48: 24 features, two targets a phone.
FEATURE_UNITS = 48


def feature_distances(inventory: str = "cmu39") -> NDArray[np.int64]:
    """Return the matrix of articulatory-feature distances of an inventory.

    d(x, y) is the share of panphon's 24 features that differ (Hamming over the values -1, 0, +1). A diphthong
    is two targets, onset and glide; every other phone holds its one target; d is the mean over the two targets.
    So 0 is "the same phone" and ``FEATURE_UNITS`` would be "every feature differs".

    Args:
        inventory: ``cmu39``, the one inventory with a shipped matrix.

    Returns:
        Read-only int64 array of shape (phones, phones) in units of 1/48, in the order of the inventory; symmetric,
        zero only on the diagonal.

    Raises:
        PedkitError: No matrix ships for that inventory.
    """
    if inventory != "cmu39":
        raise PedkitError(
            f"expected 'cmu39', the inventory with a shipped feature matrix, but got {inventory!r}",
            hint="ipa_feature_distances computes one for IPA symbols",
        )
    return _shipped()


def ipa_feature_distances(symbols: Sequence[str]) -> NDArray[np.int64]:
    """Compute the same distances between any IPA symbols with panphon.

    A symbol of several panphon segments counts with its first and last one. A symbol that panphon does not know is
    at the full distance, ``FEATURE_UNITS``, from every other.

    Args:
        symbols: IPA symbols.

    Returns:
        Symmetric int64 array of shape (symbols, symbols) in units of 1/48.
    """
    targets = [ipa_targets(symbol) for symbol in symbols]
    out = np.full((len(symbols), len(symbols)), FEATURE_UNITS, dtype=np.int64)
    for i, first in enumerate(targets):
        for j, second in enumerate(targets):
            if first is not None and second is not None:
                out[i, j] = np.count_nonzero(first != second)
            elif symbols[i] == symbols[j]:
                out[i, j] = 0
    return out


def ipa_targets(symbol: str) -> NDArray[np.int64] | None:
    """Return panphon's features of a symbol's first and last segment, shape (2, 24), or ``None`` if unknown."""
    table = _panphon()
    spelled = normalize_ipa(symbol).translate(_ESPEAK_LETTERS)
    segments: list[str] = table.ipa_segs(spelled)
    # panphon leaves out what it does not know; a lost mark is tolerable, a lost letter is not.
    if not segments or strip_marks("".join(segments)) != strip_marks(spelled):
        return None
    return np.array([table.fts(segments[k]).numeric() for k in (0, -1)], dtype=np.int64)


def feature_names() -> tuple[str, ...]:
    """Return the names of the 24 features of `ipa_targets`, as panphon calls them (``syl``, ``son``, ...)."""
    return tuple(_panphon().names)


@functools.cache
def _panphon() -> Any:
    import panphon

    return panphon.FeatureTable()


@functools.cache
def _shipped() -> NDArray[np.int64]:
    rows = read_tsv("cmu39_feature_distances.tsv")
    matrix = np.array([[int(row[other["phone"]]) for other in rows] for row in rows], dtype=np.int64)
    matrix.setflags(write=False)
    return matrix
