"""Symbols as small integers: 0 is the gap, then the phones of the inventory, then whatever an open one meets."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pedkit.errors import PedkitError
from pedkit.phones import GAP, UNUSABLE_PHONES, Inventory, normalize_ipa
from pedkit.scoring.spelled import SpelledIds

_MOST_SYMBOLS = 0xD7FF  # ids travel as UTF-16 code units below the surrogates


class Sequences(NamedTuple):
    """Symbol ids of many utterances; utterance k is ``ids[offsets[k]:offsets[k + 1]]``."""

    ids: NDArray[np.uint16]
    offsets: NDArray[np.int64]

    @property
    def lengths(self) -> NDArray[np.int64]:
        """Number of symbols of each utterance."""
        return np.diff(self.offsets)

    def marked(self, marks: NDArray[np.uint8]) -> NDArray[np.int64]:
        """Return how many symbols of each utterance are marked; ``marks`` holds 0 or 1 for each id."""
        total = np.zeros(len(self.ids) + 1, dtype=np.int64)
        np.cumsum(marks[self.ids], out=total[1:])
        return total[self.offsets[1:]] - total[self.offsets[:-1]]

    def without(self, marks: NDArray[np.uint8]) -> Sequences:
        """Return the sequences without the marked symbols."""
        kept = marks[self.ids] == 0
        offsets = np.zeros_like(self.offsets)
        np.cumsum(self.lengths - self.marked(marks), out=offsets[1:])
        return Sequences(self.ids[kept], offsets)


class SymbolTable:
    """The symbols met so far.

    Args:
        inventory: A closed inventory fixes the table; an open one lets it grow.
    """

    def __init__(self, inventory: Inventory) -> None:
        self.inventory = inventory
        self.symbols: list[str | None] = [None, *UNUSABLE_PHONES, *inventory.phones]
        self._spelled = None if inventory.is_open else SpelledIds(self.symbols)
        self._characters = _Characters(self)
        self._characters.update((s, chr(i)) for i, s in enumerate(self.symbols) if s is not None)

    def __len__(self) -> int:
        return len(self.symbols)

    def encode(self, sequences: Sequence[Sequence[str]]) -> Sequences:
        """Turn phones into ids.

        Raises:
            PedkitError: A symbol is not a phone of the inventory.
            TypeError: A symbol cannot be hashed.
        """
        offsets = np.zeros(len(sequences) + 1, dtype=np.int64)
        np.cumsum(np.fromiter(map(len, sequences), dtype=np.int64, count=len(sequences)), out=offsets[1:])
        if self._spelled is not None and (ids := self._spelled.of(sequences, offsets)) is not None:
            return Sequences(ids, offsets)
        # One character a phone: joining a string is twice as fast as filling an array from integers.
        text = "".join(map(self._characters.__getitem__, chain.from_iterable(sequences)))
        return Sequences(np.frombuffer(bytearray(text, "utf-16-le"), dtype=np.dtype("<u2")), offsets)

    def add(self, symbol: object) -> str:
        """Register a symbol that is met for the first time and return its character.

        In an open inventory spellings of one normal form (``g`` and ``ɡ``) are one symbol.
        """
        if not isinstance(symbol, str) or symbol not in self.inventory or symbol == GAP:
            hint = None if isinstance(symbol, str) else "phones are strings"
            raise PedkitError(
                f"expected phones of the inventory '{self.inventory.name}', but got {symbol!r}", hint=hint
            )
        normal = normalize_ipa(symbol)
        if normal != symbol:
            self._characters[symbol] = self._characters[normal]
            return self._characters[symbol]
        if len(self.symbols) > _MOST_SYMBOLS:
            raise PedkitError(f"expected at most {_MOST_SYMBOLS} different symbols, but {symbol!r} is one more")
        character = chr(len(self.symbols))
        self.symbols.append(symbol)
        self._characters[symbol] = character
        return character


class _Characters(dict[str, str]):
    """Symbol -> the character whose code is its id."""

    def __init__(self, table: SymbolTable) -> None:
        super().__init__()
        self._table = table

    def __missing__(self, symbol: str) -> str:
        return self._table.add(symbol)
