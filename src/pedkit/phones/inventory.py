"""Named phone inventories: which symbols a corpus, a lexicon or a model may use."""

from __future__ import annotations

import functools
import unicodedata
from dataclasses import dataclass, field

from pedkit.errors import PedkitError
from pedkit.phones._tables import read_tsv

INVENTORY_NAMES = ("cmu39", "timit61", "timit48", "timit39", "ipa")

# Vowel letters of the IPA chart (2020), the r-coloured ones, and espeak's reduced vowels U+1D7B and U+1D7F.
IPA_VOWEL_LETTERS = frozenset("iyɨʉɯuɪʏʊeøɘɵɤoəɛœɜɞʌɔæɐaɶɑɒɚɝᵻᵿ")


@dataclass(frozen=True, slots=True)
class Inventory:
    """A named set of phones.

    Attributes:
        name: One of ``cmu39 timit61 timit48 timit39 ipa``.
        phones: The phones in their fixed order; empty for the open inventory ``ipa``.
        vowels: The vowels among ``phones``; for ``ipa`` the vowel letters.
        is_open: True for ``ipa``, which takes any IPA symbol.
    """

    name: str
    phones: tuple[str, ...]
    vowels: frozenset[str]
    is_open: bool = False
    _index: dict[str, int] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        self._index.update((phone, i) for i, phone in enumerate(self.phones))

    def __contains__(self, phone: object) -> bool:
        if self.is_open:
            return isinstance(phone, str) and bool(phone) and not any(c.isspace() for c in phone)
        return phone in self._index

    def __len__(self) -> int:
        return len(self.phones)

    def index(self, phone: str) -> int:
        """Return the position of ``phone`` in ``phones``, counted from 0.

        Raises:
            PedkitError: The phone is not in the inventory, or the inventory is open and has no order.
        """
        try:
            return self._index[phone]
        except KeyError:
            raise unknown_phone(phone, self) from None

    def is_vowel(self, phone: str) -> bool:
        """Return True for a vowel; in ``ipa`` a symbol is one if its first letter is a vowel letter."""
        if not self.is_open:
            return phone in self.vowels
        letters = (c for c in unicodedata.normalize("NFD", phone) if unicodedata.category(c)[0] == "L")
        return next(letters, "") in self.vowels


def get_inventory(name: str) -> Inventory:
    """Return the inventory called ``name``.

    The TIMIT inventories are the 61 labels of the corpus and the 48 and 39 classes of Lee and Hon (1989,
    "Speaker-independent phone recognition using hidden Markov models"), as folded by Kaldi's TIMIT recipe.
    ``timit39`` is not ``cmu39``: it merges ao with aa and zh with sh and keeps dx and sil.

    Raises:
        PedkitError: There is no inventory of that name.
    """
    if name not in INVENTORY_NAMES:
        raise PedkitError(f"expected an inventory out of {', '.join(INVENTORY_NAMES)}, but got {name!r}")
    return _load(name)


def is_vowel(phone: str, inventory: str) -> bool:
    """Return whether ``phone`` is a vowel in the inventory of that name."""
    return get_inventory(inventory).is_vowel(phone)


def unknown_phone(phone: object, inventory: Inventory, hint: str | None = None) -> PedkitError:
    """Return the error that names a phone outside an inventory."""
    if inventory.is_open:
        return PedkitError(f"the open inventory '{inventory.name}' gives phones no index (phone {phone!r})")
    return PedkitError(f"expected phones of the inventory '{inventory.name}', but got {phone!r}", hint=hint)


@functools.cache
def _load(name: str) -> Inventory:
    if name == "ipa":
        return Inventory("ipa", (), IPA_VOWEL_LETTERS, is_open=True)
    column, table = ("phone", "cmu39.tsv") if name == "cmu39" else (name, "timit.tsv")
    rows = [row for row in read_tsv(table) if row[column]]
    phones = tuple(dict.fromkeys(row[column] for row in rows))
    return Inventory(name, phones, frozenset(row[column] for row in rows if row["class"] == "vowel"))
