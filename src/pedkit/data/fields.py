"""Checks of single values in JSON lines: each returns the value or says what was expected and what came."""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping
from typing import Any

from pedkit.errors import PedkitError
from pedkit.phones.marks import GAP


def typed(value: Any, key: str, kind: type | tuple[type, ...], words: str) -> Any:
    """Return ``value`` where it is of a kind; ``words`` describe the kind in the error.

    Raises:
        PedkitError: It is not.
    """
    if type(value) is not kind and (not isinstance(value, kind) or isinstance(value, bool)):
        raise PedkitError(f"expected '{key}' to be {words}, but got {value!r}")
    return value


def identifier(line: Mapping[str, Any]) -> str:
    """Return the id of a line.

    Raises:
        PedkitError: It is missing, empty, not a string, or holds control characters.
    """
    name = line.get("id")
    if not isinstance(name, str) or not name:
        raise PedkitError(f"expected 'id' to be a non-empty string, but got {name!r}")
    if not name.isprintable():  # a newline or half a surrogate pair would break every table it stands in
        raise PedkitError(f"expected 'id' to be printable text, but got {name!r}")
    return name


def phones_field(value: Any, key: str) -> tuple[str, ...]:
    """Read phones given as a list of strings or as one space-separated string.

    Raises:
        PedkitError: The value is something else, or a phone is empty, not a string, or the gap symbol ``-``.
    """
    phones = value.split() if isinstance(value, str) else value
    if not isinstance(phones, list | tuple):
        raise PedkitError(f"expected '{key}' to be a list of phones or one string, but got {value!r}")
    try:
        return tuple(map(_SYMBOLS.__getitem__, phones))
    except (LookupError, TypeError):
        wrong = next(phone for phone in phones if not _is_symbol(phone))
        raise PedkitError(f"expected each phone of '{key}' to be one symbol, but got {wrong!r}") from None


class _Symbols(dict[str, str]):
    """Symbols met so far: each is checked once and held once, however often it stands in a manifest."""

    def __missing__(self, symbol: Any) -> str:
        if not _is_symbol(symbol):
            raise LookupError
        if len(self) < _MOST_SYMBOLS:
            self[symbol] = symbol
        return str(symbol)


_MOST_SYMBOLS = 10_000  # far more than any inventory; a file of nonsense must not fill the memory
_SYMBOLS = _Symbols()


def _is_symbol(phone: Any) -> bool:
    return isinstance(phone, str) and phone.split() == [phone] and phone != GAP


def whole_number(value: Any, key: str) -> int:
    """Read a whole number that is not negative.

    Raises:
        PedkitError: The value is something else.
    """
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise PedkitError(f"expected '{key}' to be a whole number, 0 or more, but got {value!r}")
    return value


_LARGEST = sys.float_info.max


def finite_number(value: Any, key: str) -> float:
    """Read a number.

    Raises:
        PedkitError: The value is not a number, or not finite.
    """
    if isinstance(value, bool) or not isinstance(value, int | float) or not -_LARGEST <= value <= _LARGEST:
        raise PedkitError(f"expected '{key}' to be a finite number, but got {value!r}")
    return float(value)


def span(value: Any, key: str) -> tuple[int, int]:
    """Read ``[start, end]`` with whole numbers, start <= end.

    Raises:
        PedkitError: The value is something else.
    """
    if not isinstance(value, list | tuple) or len(value) != 2:
        raise PedkitError(f"expected '{key}' to be [start, end], but got {value!r}")
    start, end = (whole_number(v, key) for v in value)
    if start > end:
        raise PedkitError(f"expected '{key}' to be [start, end] with start <= end, but got {value!r}")
    return start, end


def named_values(value: Any, key: str) -> dict[str, Any]:
    """Read an object whose numbers are finite (its own nested values are not looked at).

    Raises:
        PedkitError: The value is something else.
    """
    values: dict[str, Any] = value if type(value) is dict else dict(typed(value, key, Mapping, "an object"))
    for name, entry in values.items():
        if isinstance(entry, float) and not math.isfinite(entry):
            raise PedkitError(f"expected '{key}.{name}' to be finite, but got {entry!r}", hint="leave it out")
    return values


def group_values(value: Any, key: str) -> dict[str, Any]:
    """Read an object of group keys: each value is a text, a finite number, or true/false; null is missing.

    Raises:
        PedkitError: A value is something else.
    """
    groups = {name: entry for name, entry in named_values(value, key).items() if entry is not None}
    for name, entry in groups.items():
        number = isinstance(entry, int | float)
        if (number and not -_LARGEST <= entry <= _LARGEST) or not (number or (isinstance(entry, str) and entry)):
            raise PedkitError(
                f"expected '{key}.{name}' to be one word or number, but got {entry!r}",
                hint="leave it out where it is missing",
            )
    return groups
