"""What a type hint asks for, in words for errors."""

from __future__ import annotations

import os
import types
from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Literal, Union, get_args, get_origin

UNIONS = (Union, types.UnionType)

_WORDS: Mapping[Any, str] = {
    bool: "true or false", int: "a whole number", float: "a number", str: "text", types.NoneType: "null",
}  # fmt: skip


def words(hint: Any) -> str:
    """Return what a value of a hint has to be.

    >>> words(int | float | None)
    'a number or null'
    >>> words(Literal["fast", "slow"])
    'fast or slow'
    """
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return str(arguments[1])
    if origin is Literal:
        return " or ".join(map(str, arguments))
    if origin in UNIONS:
        return _union_words(arguments)
    kind = origin or hint
    return _WORDS.get(kind) or (_class_words(kind) if isinstance(kind, type) else "something else")


def is_container(kind: type) -> bool:
    """Return whether a class is one of Python's own for several values, such as ``list`` and ``Mapping``."""
    plain = kind.__module__ in ("builtins", "collections.abc") and kind not in (str, bytes)
    return plain and issubclass(kind, Iterable)


def _class_words(kind: type) -> str:
    if issubclass(kind, os.PathLike):
        return "text"
    if not is_container(kind):
        return "an object with the key _target_"
    return "keys with values" if issubclass(kind, Mapping) else "a list"


def _union_words(hints: tuple[Any, ...]) -> str:
    found = {word for one in hints if not _is_object(one) for word in words(one).split(" or ")}
    if "a number" in found:
        found.discard("a whole number")
    ordered = [word for one in hints for word in words(one).split(" or ") if not found or word in found]
    return " or ".join(sorted(dict.fromkeys(ordered), key=lambda word: word == "null"))


def _is_object(hint: Any) -> bool:
    """Return whether a hint is a class that nobody can write down in a configuration."""
    return isinstance(hint, type) and hint not in _WORDS and _class_words(hint).startswith("an object")
