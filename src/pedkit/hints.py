"""Values against type hints: what a configuration or a file holds, looked at before anything works with it."""

from __future__ import annotations

import functools
import inspect
import json
import math
import os
from collections.abc import Callable, Collection, Iterable, Mapping
from numbers import Integral, Real
from typing import Annotated, Any, Literal, NotRequired, get_args, get_origin, get_type_hints, is_typeddict

from pedkit.errors import PedkitError
from pedkit.hint_words import UNIONS, is_container, words


def conform(value: Any, hint: Any, key: str) -> Any:
    """Return a value in the form that a type hint asks for: lists become tuples where it says so.

    Understood are numbers (never NaN), text, true and false, null, paths, classes, ``Literal``, unions, lists,
    mappings, ``TypedDict`` (which may hold more than its keys) and ``Annotated``, whose text describes the value
    in the error. Hints of other kinds take anything, and so does what `pedkit.building.build` has still to build.

    Args:
        value: The value.
        hint: The hint, resolved as by `typing.get_type_hints`.
        key: What the user calls the value.

    Raises:
        PedkitError: The value does not fit; the key is named, with the place inside the value.
    """
    try:
        return _formed(value, hint, key)
    except _MisfitError as misfit:
        given = misfit.value
        shown = repr(given) if given is not None and not isinstance(given, bool) else json.dumps(given)
        quotes = _is_number(given) and "text" in misfit.words and not misfit.key.endswith("]")
        hint = f"in quotes it is text: '{misfit.key}=\"{given}\"'" if quotes else None
        raise PedkitError(f"expected {misfit.key} to be {misfit.words}, but got {shown}", hint=hint) from None


def check_arguments(target: Callable[..., Any], arguments: Mapping[str, Any], place: str = "") -> None:
    """Check arguments against the type hints of what will be called with them.

    Args:
        target: A class or function; parameters without a hint, or with one that cannot be resolved, take anything.
        arguments: Name -> value; names that are no parameters are not looked at.
        place: Dotted name of the arguments in the configuration.

    Raises:
        PedkitError: A value does not fit.
    """
    for name, (hint, default) in _parameters(target).items():
        if name in arguments and not (arguments[name] is None and default is None):
            conform(arguments[name], hint, f"{place}.{name}" if place else name)


def keywords(
    cls: type, settings: Mapping[str, Any], *, place: str = "", lists: Collection[str] = ()
) -> dict[str, Any]:
    """Return plain keywords, as a configuration or a call gives them, in the forms that a dataclass asks for.

    Args:
        cls: The dataclass.
        settings: Name of a field -> value.
        place: Dotted name of the settings in the configuration.
        lists: Fields whose value may be one name instead of a list of names.

    Raises:
        PedkitError: A keyword is unknown, or a value does not fit.
    """
    hints = get_type_hints(cls, include_extras=True)
    prefix = f"{place}." if place else ""
    unknown = sorted(set(settings) - set(hints))
    if unknown:
        raise PedkitError(f"unknown setting '{prefix}{unknown[0]}'", hint=f"there are: {', '.join(hints)}")
    single = {key: (settings[key],) for key in lists if isinstance(settings.get(key), str)}
    return {key: conform(value, hints[key], prefix + key) for key, value in {**settings, **single}.items()}


@functools.cache
def _parameters(target: Callable[..., Any]) -> dict[str, tuple[Any, Any]]:
    """Return name -> (hint, default) of the parameters that can be checked."""
    try:
        called = target.__init__ if isinstance(target, type) else target  # type: ignore[misc]
        hints = get_type_hints(called, include_extras=True)
        parameters = inspect.signature(target).parameters.values()
    except (NameError, TypeError, ValueError):  # hints for type checkers only, or code without a signature
        return {}
    variable = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    return {p.name: (hints[p.name], p.default) for p in parameters if p.name in hints and p.kind not in variable}


class _MisfitError(Exception):
    def __init__(self, key: str, expected: str, value: Any) -> None:
        self.key, self.words, self.value = key, expected, value


def _formed(value: Any, hint: Any, key: str) -> Any:
    to_be_built = isinstance(value, Mapping) and "_target_" in value
    return value if hint is Any or to_be_built else _way(hint)(value, hint, key)


def _way(hint: Any) -> Callable[[Any, Any, str], Any]:
    """Return the function that looks at values of a hint."""
    kind = get_origin(hint) or hint
    if kind in (Annotated, Literal):
        return _of_annotated if kind is Annotated else _of_literal
    if kind in UNIONS:
        return _of_union
    if is_typeddict(hint):
        return _of_typed_dict
    if not isinstance(kind, type) or getattr(kind, "_is_protocol", False):
        return lambda value, *_: value
    if not is_container(kind):
        return _of_class
    return _of_mapping if issubclass(kind, Mapping) else _of_list


def _of_class(value: Any, hint: Any, key: str) -> Any:
    kind = get_origin(hint) or hint
    if kind is bool:
        fits = type(value) is bool
    elif kind in (int, float):
        fits = _is_number(value) and (isinstance(value, Integral) if kind is int else not math.isnan(value))
    elif issubclass(kind, os.PathLike):
        fits = isinstance(value, str | os.PathLike)
    else:
        fits = isinstance(value, kind)
    if not fits:
        raise _MisfitError(key, words(hint), value)
    return value


def _is_number(value: Any) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool)


def _of_annotated(value: Any, hint: Any, key: str) -> Any:
    try:
        return _formed(value, get_args(hint)[0], key)
    except _MisfitError as misfit:
        raise (_MisfitError(key, words(hint), value) if misfit.key == key else misfit) from None


def _of_literal(value: Any, hint: Any, key: str) -> Any:
    if not any(type(value) is type(choice) and value == choice for choice in get_args(hint)):
        raise _MisfitError(key, words(hint), value)
    return value


def _of_union(value: Any, hint: Any, key: str) -> Any:
    misfits = []
    for one in get_args(hint):
        try:
            return _formed(value, one, key)
        except _MisfitError as misfit:
            misfits.append(misfit)
    deepest = max(misfits, key=lambda misfit: len(misfit.key))
    raise _MisfitError(key, words(hint), value) if deepest.key == key else deepest


def _of_typed_dict(value: Any, hint: Any, key: str) -> Any:
    if not isinstance(value, Mapping):
        raise _MisfitError(key, words(Mapping), value)
    for name, inner in get_type_hints(hint, include_extras=True).items():
        optional = get_origin(inner) is NotRequired
        if name in value:
            _formed(value[name], get_args(inner)[0] if optional else inner, f"{key}.{name}")
        elif not optional:
            raise _MisfitError(f"{key}.{name}", words(inner), None)
    return value


def _of_mapping(value: Any, hint: Any, key: str) -> Any:
    if not isinstance(value, Mapping):
        raise _MisfitError(key, words(hint), value)
    arguments = get_args(hint)
    if not arguments:
        return value
    return {name: _formed(entry, arguments[1], f"{key}.{name}") for name, entry in value.items()}


def _of_list(value: Any, hint: Any, key: str) -> Any:
    if isinstance(value, str | bytes | Mapping) or not isinstance(value, Iterable):
        raise _MisfitError(key, words(hint), value)
    kind, arguments = get_origin(hint) or hint, get_args(hint)
    if not isinstance(value, Collection) or not arguments:  # what can be read only once is left alone
        return value
    hints = arguments
    if kind is not tuple or arguments[-1] is Ellipsis:
        hints = (arguments[0],) * len(value)
    elif len(value) != len(hints):
        raise _MisfitError(key, f"a list of {len(hints)}", value)
    entries = [_formed(entry, one, f"{key}[{i}]") for i, (entry, one) in enumerate(zip(value, hints, strict=True))]
    return tuple(entries) if kind is tuple else entries if isinstance(value, list) else value
