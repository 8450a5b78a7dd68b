"""What a cell means in a field: missing values, numbers, marks, phones, group values. Nothing is guessed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from pedkit.data.readers.cells import MISSING_MARKS, present
from pedkit.data.readers.columns import Cell
from pedkit.data.readers.demography import OLDEST, gender
from pedkit.errors import PedkitError
from pedkit.phones import UNUSABLE_PHONES, get_inventory, normalize_ipa, tokenize_ipa

_TRUTH = {"true": True, "yes": True, "false": False, "no": False}
PHONE_FORMS = ("separated", "flat")


def attribute(cell: Cell) -> Any:
    """Return a cell that describes something, ``None`` where it says that the value is missing.

    Texts come without blanks around them; ``NA``, ``null`` and their like are missing (`present`).
    """
    if cell.mapped or not isinstance(cell.value, str):
        return cell.value
    return present(cell.value)


def text(cell: Cell) -> str | None:
    """Return a cell as text: a word, or a whole number as it is written.

    Raises:
        PedkitError: The cell is something else.
    """
    value = attribute(cell)
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if value is not None and not isinstance(value, str):
        raise _unexpected(cell, "text")
    return value


def verbatim(cell: Cell, missing: Sequence[str] | None) -> Any:
    """Return a cell of prompts or phones, where ``none`` is an English word and ``na`` are two IPA symbols.

    Args:
        cell: The cell.
        missing: What says that the value is missing, exactly as written; ``None`` = nobody has said.

    Raises:
        PedkitError: The cell reads like a mark of missing values and nobody has said what it is.
    """
    if cell.mapped or not isinstance(cell.value, str):
        return cell.value
    stripped = cell.value.strip()
    if not stripped or stripped in (missing or ()):
        return None
    if missing is None and stripped.lower() in MISSING_MARKS:
        raise PedkitError(
            f"the cell {stripped!r} of the column {cell.column!r} may be a missing value or what was said",
            hint=f'missing=["{stripped}"] makes it a missing value, missing=[] takes it as it is written',
        )
    return stripped


def number(cell: Cell) -> int | float | None:
    """Return a cell as a number: ``12``, ``12.5``, not ``12,5`` or ``12 years``.

    Raises:
        PedkitError: The cell is no finite number.
    """
    value = attribute(cell)
    if isinstance(value, str):
        try:  # Python also reads 1_000
            value = float("_" if "_" in value else value)
        except ValueError:
            raise _unexpected(cell, "a number") from None
        value = int(value) if value.is_integer() else value
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise _unexpected(cell, "a number")
    return value


def truth(cell: Cell) -> bool | None:
    """Return a cell as true or false: ``true``, ``yes``, ``false``, ``no`` in any case.

    Raises:
        PedkitError: The cell is something else; ``0`` and ``1`` are, because corpora use them both ways.
    """
    value = attribute(cell)
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str) and value.lower() in _TRUTH:
        return _TRUTH[value.lower()]
    raise _unexpected(cell, "true, false, yes or no")


def group_value(key: str, cell: Cell, *, numeric: bool) -> str | int | float | bool | None:
    """Return a group value in the words of ``docs/manifest.md``: lower case, genders by name, ages as numbers.

    Raises:
        PedkitError: The cell cannot be such a value.
    """
    if key == "age":
        return _age(cell)
    if numeric:
        return number(cell)
    if key == "native":
        return truth(cell)
    if cell.mapped:
        return None if cell.value is None else _one_word(key, cell)
    if key == "gender":
        return _gender(cell)
    value = text(cell)
    return None if value is None else value.lower()


@dataclass(frozen=True, slots=True)
class PhoneCells:
    """How a cell of phones is split, and what it may hold.

    Args:
        inventory: Name of the inventory. Of ``cmu39`` the stress digits go and case does not matter; ``ipa`` is
            brought into normal form.
        form: ``separated`` = phones with a separator between them; ``flat`` = IPA without, split by
            `tokenize_ipa`.
        separator: What stands between phones; blanks by default.
        drop: Symbols that are no phones, such as ``sil``: left out.

    Raises:
        PedkitError: A value is none of these.
    """

    inventory: str
    form: str = "separated"
    separator: str = " "
    drop: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        get_inventory(self.inventory)
        if self.form not in PHONE_FORMS:
            raise PedkitError(f"expected 'phones' to be one of {', '.join(PHONE_FORMS)}, but got {self.form!r}")
        if self.form == "flat" and self.inventory != "ipa":
            raise PedkitError(f"only IPA can be split without separators, but 'inventory' is {self.inventory}")

    def split(self, value: Any, column: str) -> tuple[str, ...]:
        """Return the phones of a cell: a text, or a list of texts.

        Raises:
            PedkitError: The cell is neither, or a symbol is not in the inventory.
        """
        if isinstance(value, str):
            symbols = self._symbols(value)
        elif isinstance(value, Sequence) and all(isinstance(symbol, str) for symbol in value):
            symbols = [symbol.strip() for symbol in value]
        else:
            raise PedkitError(f"expected phones in the column {column!r}, but got {value!r}")
        return tuple(self._phone(symbol, column) for symbol in symbols if symbol and symbol not in self.drop)

    def _symbols(self, value: str) -> Sequence[str]:
        if self.form == "flat":
            return self._flat_symbols(value)
        parts = value.split(self.separator.strip() or None)
        return [symbol for part in parts for symbol in part.split()]

    def _flat_symbols(self, value: str) -> list[str]:
        symbols: list[str] = []
        whole = self.drop | {"<unk>"}
        for is_whole, parts in groupby(value.split(), key=whole.__contains__):
            run = list(parts)
            symbols += run if is_whole else tokenize_ipa(" ".join(run))
        return symbols

    def _phone(self, symbol: str, column: str) -> str:
        if symbol in UNUSABLE_PHONES:
            return symbol
        if self.inventory == "ipa":
            return normalize_ipa(symbol)
        phone = symbol.rstrip("012").upper() if self.inventory == "cmu39" else symbol
        if phone not in get_inventory(self.inventory):
            raise PedkitError(
                f"the symbol {symbol!r} of the column {column!r} is not in the inventory {self.inventory}",
                hint=f'drop=["{symbol}"] leaves it out wherever it stands',
            )
        return phone


def _age(cell: Cell) -> int | float | None:
    value = number(cell)
    if value is not None and not 0 < value <= OLDEST:
        raise _unexpected(cell, f"an age of up to {OLDEST} years")
    return value


def _gender(cell: Cell) -> str | None:
    value = text(cell)
    if value is None:
        return None
    try:
        return gender(value)
    except PedkitError:
        if value.replace("-", "").replace(" ", "").isalpha() and len(value) > 1:
            return value.lower()
        raise _unexpected(cell, "a gender") from None


def _one_word(key: str, cell: Cell) -> str | int | float | bool:
    if not isinstance(cell.value, str | int | float):
        raise PedkitError(f"expected 'groups.{key}' to be one word or number, but got {cell.value!r}")
    return cell.value


def _unexpected(cell: Cell, expected: str) -> PedkitError:
    return PedkitError(
        f"expected {expected} in the column {cell.column!r}, but got {cell.value!r}",
        hint="'values' can say what such a cell means",
    )
