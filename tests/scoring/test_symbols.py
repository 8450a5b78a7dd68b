"""Symbols as integers: the compiled way gives what the dictionary gives, or leaves a sequence to it."""

import random

import numpy as np
import pytest

from pedkit.errors import PedkitError
from pedkit.phones import get_inventory
from pedkit.scoring.spelled import SpelledIds
from pedkit.scoring.symbols import SymbolTable


def offsets(sequences):
    return np.cumsum([0, *map(len, sequences)])


@pytest.mark.parametrize("inventory", ["cmu39", "timit61", "timit48", "timit39"])
def test_ids_of_a_closed_inventory(inventory):
    table, draw = SymbolTable(get_inventory(inventory)), random.Random(1)
    known = [symbol for symbol in table.symbols if symbol is not None]
    sequences = [known, [], [], *(draw.choices(known, k=k % 7) for k in range(50)), []]
    ids = SpelledIds(table.symbols).of(sequences, offsets(sequences))
    expected = [table.symbols.index(symbol) for sequence in sequences for symbol in sequence]
    assert ids.tolist() == table.encode(sequences).ids.tolist() == expected


@pytest.mark.parametrize(
    "sequences",
    [
        [["T", "TT"]],
        [["T"], ["\u0259"]],
        [["T\0D"], ["S", "Z"]],
        [["T", "\0"], ["S"]],
        [[""], ["T"]],
        [["T"], [""]],
        [["T", 3]],
        [["T", None]],
        [["T", "\ud800"]],
        [["T", "AAAAAAAAT"]],
    ],
)
def test_anything_else_is_left_to_the_dictionary_which_words_the_fault(sequences):
    table = SymbolTable(get_inventory("cmu39"))
    assert SpelledIds(table.symbols).of(sequences, offsets(sequences)) is None
    with pytest.raises(PedkitError, match="expected phones of the inventory 'cmu39', but got"):
        table.encode(sequences)
