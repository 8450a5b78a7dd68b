"""Ids of symbols at the speed of compiled code, where all symbols are known beforehand."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pedkit.scoring.symbol_keys import FACTOR, LONGEST

_BETWEEN = "\0"
_ROOM = 8  # places of the hash table for each symbol


class SpelledIds:
    """Turns the symbols of a closed inventory into ids.

    Args:
        symbols: Symbol of each id; ``None`` for the gap.
    """

    def __init__(self, symbols: Sequence[str | None]) -> None:
        size = 1 << (_ROOM * len(symbols)).bit_length()
        self._keys, self._values = np.zeros(size, dtype=np.uint64), np.zeros(size, dtype=np.uint16)
        for number, symbol in enumerate(symbols):
            spelled = (symbol or "").encode()
            if not 0 < len(spelled) <= LONGEST:  # the gap, or too long: never found, so left to the caller
                continue
            key = int.from_bytes(spelled, "big")
            slot = (key * FACTOR % (1 << 64) >> 32) % size
            while self._keys[slot]:
                slot = (slot + 1) % size
            self._keys[slot], self._values[slot] = key, number

    def of(self, sequences: Sequence[Sequence[str]], offsets: NDArray[np.int64]) -> NDArray[np.uint16] | None:
        """Return the ids of all symbols, ``None`` where one of them is not known or no text.

        Args:
            sequences: The symbols.
            offsets: Where each sequence starts among all symbols.
        """
        from pedkit.scoring.kernels.spelled import read_ids

        try:
            text = _BETWEEN.join(map(_BETWEEN.join, sequences)).encode()
        except (TypeError, UnicodeEncodeError):
            return None
        ids = np.empty(offsets[-1], dtype=np.uint16)
        known = read_ids(np.frombuffer(bytearray(text), np.uint8), offsets, self._keys, self._values, ids)
        return ids if known else None
