"""Symbol ids of sequences that are spelled out in one text."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pedkit.scoring.kernels.jit import kernel
from pedkit.scoring.symbol_keys import FACTOR, LONGEST

_FACTOR, _HALF, _BYTE = np.uint64(FACTOR), np.uint64(32), np.uint64(8)


@kernel("b1(u1[::1], i8[::1], u8[::1], u2[::1], u2[::1])")
def read_ids(
    text: NDArray[np.uint8],
    offsets: NDArray[np.int64],
    keys: NDArray[np.uint64],
    values: NDArray[np.uint16],
    ids: NDArray[np.uint16],
) -> bool:
    """Read the id of each symbol, and return whether the text is what it should be.

    Args:
        text: Symbols of all sequences; a zero byte stands between symbols and between sequences.
        offsets: Sequence k has the symbols ``offsets[k]:offsets[k + 1]``.
        keys: Hash table: the bytes of a symbol as one integer, 0 where a place is free; its size a power of 2.
        values: Id of each key.
        ids: Written, shape (symbols,).
    """
    mask = np.uint64(len(keys) - 1)
    place = 0
    for k in range(len(offsets) - 1):
        for symbol in range(offsets[k], offsets[k + 1]):
            if symbol > offsets[k]:
                place += 1  # a symbol ends before a zero byte or at the end of the text
            start, key = place, np.uint64(0)
            while place < len(text) and text[place] != 0:
                key = key << _BYTE | np.uint64(text[place])
                place += 1
            if not 0 < place - start <= LONGEST:
                return False
            slot = key * _FACTOR >> _HALF & mask
            while keys[slot] != key:
                if keys[slot] == 0:
                    return False
                slot = slot + np.uint64(1) & mask
            ids[symbol] = values[slot]
        if k < len(offsets) - 2:
            if place >= len(text) or text[place] != 0:
                return False
            place += 1
    return place == len(text)
