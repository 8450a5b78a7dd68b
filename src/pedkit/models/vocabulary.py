"""`PhoneVocabulary`: which output of a CTC model means which phone; it travels with the model, not the data."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from pedkit.data.json_file import read_object, write_object
from pedkit.errors import PedkitError
from pedkit.phones import get_inventory


class PhoneVocabulary:
    """A fixed numbering of phones for the output layer of a CTC model.

    Args:
        phones: The phones, in order; they get the ids 1, 2, ... and the blank is 0.
        inventory: Name of the inventory they belong to.

    Raises:
        PedkitError: There is no phone, a phone stands twice, or one is outside the inventory.

    >>> vocabulary = PhoneVocabulary(["AA", "T"], "cmu39")
    >>> vocabulary.encode(["T", "AA"])
    [2, 1]
    """

    def __init__(self, phones: Sequence[str], inventory: str) -> None:
        phones = tuple(phones)
        twice = sorted({phone for phone in phones if phones.count(phone) > 1})
        if twice:
            raise PedkitError(f"expected each phone of a vocabulary once, but got {twice[0]!r} twice")
        self._fill({phone: i for i, phone in enumerate(phones, start=1)}, inventory, 0, len(phones) + 1)

    @classmethod
    def of_inventory(cls, name: str) -> PhoneVocabulary:
        """Return the vocabulary of all phones of a closed inventory (``cmu39``, ``timit39``, ...).

        Raises:
            PedkitError: The inventory is open (``ipa``) or unknown.
        """
        inventory = get_inventory(name)
        if inventory.is_open:
            raise PedkitError(
                f"the inventory {name!r} is open, so a model cannot have an output for each phone of it"
            )
        return cls(inventory.phones, name)

    @classmethod
    def of_ids(
        cls,
        ids: Mapping[str, int],
        inventory: str,
        *,
        blank: int = 0,
        size: int | None = None,
        spellings: Mapping[str, str] | None = None,
    ) -> PhoneVocabulary:
        """Return a vocabulary with a given numbering, as models from a hub bring it.

        Args:
            ids: Phone -> id. Ids that belong to no phone (``<s>``, ``<unk>``) are simply left out.
            inventory: Name of the inventory of the phones.
            blank: Id of the CTC blank.
            size: Number of outputs of the model; one more than the highest id where ``None``.
            spellings: Phone of another inventory -> how this vocabulary writes it (``CH`` -> ``tʃ``); `encode`
                takes such phones as well, and before own ones of the same name (espeak has an ``N`` of its own).

        Raises:
            PedkitError: Two phones share an id, a phone has the blank's, an id is outside the model's outputs, or
                a spelling is no phone of the vocabulary.
        """
        vocabulary = cls.__new__(cls)
        vocabulary._fill(dict(ids), inventory, blank, max((*ids.values(), blank)) + 1 if size is None else size)
        vocabulary._respell(dict(spellings or {}))
        return vocabulary

    def _fill(self, ids: dict[str, int], inventory: str, blank: int, size: int) -> None:
        known = get_inventory(inventory)
        if not ids:
            raise PedkitError("expected at least one phone in a vocabulary, but got none")
        for phone, number in ids.items():
            if phone not in known:
                raise PedkitError(f"expected phones of the inventory {inventory!r}, but got {phone!r}")
            if not 0 <= number < size or number == blank:
                raise PedkitError(f"the id {number} of {phone!r} is the blank's or outside the {size} outputs")
        if len(set(ids.values())) < len(ids):
            raise PedkitError("expected one id for each phone of a vocabulary, but two phones share one")
        self.phones: tuple[str, ...] = tuple(ids)
        self.inventory, self.blank, self.size = inventory, blank, size
        self._phones = {number: phone for phone, number in ids.items()}
        self._own, self._ids, self.spellings = ids, ids, dict[str, str]()

    def _respell(self, spellings: dict[str, str]) -> None:
        """Let phones of another inventory be encoded, if each has an output."""
        for phone, symbol in spellings.items():
            if symbol not in self._own:
                raise PedkitError(
                    f"expected each spelling to be one of the vocabulary's {len(self._own)} phones, "
                    f"but got {symbol!r} for {phone!r}"
                )
        self._ids = {**self._own, **{phone: self._own[symbol] for phone, symbol in spellings.items()}}
        self.spellings = spellings

    def __len__(self) -> int:
        """Return the number of outputs a model needs: phones, blank and ids without a phone."""
        return self.size

    def __contains__(self, phone: object) -> bool:
        return phone in self._own

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PhoneVocabulary) and self.to_dict() == other.to_dict()

    def __hash__(self) -> int:
        return hash((self.phones, self.inventory, self.blank, self.size))

    def __repr__(self) -> str:
        return f"PhoneVocabulary({len(self.phones)} phones of {self.inventory}, blank {self.blank})"

    def encode(self, phones: Iterable[str]) -> list[int]:
        """Return the ids of phones, or of phones of another inventory that the vocabulary has a spelling for.

        What the model itself wrote goes back to ids by `outputs`: espeak has an ``N`` that is not that of CMU-39.

        Raises:
            PedkitError: A phone is not in the vocabulary; all such phones are named.
        """
        phones = tuple(phones)
        unknown = sorted({phone for phone in phones if phone not in self._ids})
        if unknown:
            raise PedkitError(
                f"the model has no output for {', '.join(map(repr, unknown))}: "
                f"its vocabulary holds {len(self.phones)} phones of the inventory {self.inventory!r}"
            )
        return [self._ids[phone] for phone in phones]

    def outputs(self, phones: Iterable[str]) -> list[int]:
        """Return the ids of phones that the model itself writes: of `phones`, not of their spellings.

        Raises:
            KeyError: A phone is not one of the vocabulary's own.
        """
        return [self._own[phone] for phone in phones]

    def decode(self, ids: Iterable[int]) -> tuple[str, ...]:
        """Return the phones of ids; ids without a phone (blank, special tokens) are left out."""
        return tuple(self._phones[number] for number in ids if number in self._phones)

    def phone(self, number: int) -> str | None:
        """Return the phone of one id, ``None`` for the blank and for ids without a phone."""
        return self._phones.get(number)

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object of ``vocabulary.json``."""
        value = {"inventory": self.inventory, "blank": self.blank, "size": self.size, "ids": dict(self._own)}
        return {**value, "spellings": self.spellings} if self.spellings else value

    @classmethod
    def from_dict(cls, value: Mapping[str, Any]) -> PhoneVocabulary:
        """Build a vocabulary from the object that `to_dict` returns.

        Raises:
            PedkitError: A key is missing or of the wrong type.
        """
        try:
            ids = {str(phone): int(number) for phone, number in value["ids"].items()}
            return cls.of_ids(
                ids,
                value["inventory"],
                blank=int(value["blank"]),
                size=int(value["size"]),
                spellings=dict(value.get("spellings", {})),
            )
        except (KeyError, TypeError, AttributeError) as error:
            raise PedkitError(
                f"expected a vocabulary with inventory, blank, size and ids, but got {error}"
            ) from None

    def save(self, path: str | Path) -> None:
        """Write ``vocabulary.json``."""
        write_object(path, self.to_dict())

    @classmethod
    def load(cls, path: str | Path) -> PhoneVocabulary:
        """Read ``vocabulary.json``.

        Raises:
            PedkitError: The file is missing or holds no vocabulary.
        """
        try:
            return cls.from_dict(read_object(path))
        except PedkitError as error:
            raise error.at(file=path) from None
