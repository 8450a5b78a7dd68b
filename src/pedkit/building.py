"""From a part of a configuration to the object that it describes."""

from __future__ import annotations

import pydoc
from collections.abc import Mapping
from typing import Any

from pedkit.errors import PedkitError
from pedkit.hints import check_arguments, conform

_UNSAID = "???"
"""What stands in a configuration where a value must be given."""


def build(settings: Any, place: str, /, **kwargs: Any) -> Any:
    """Instantiate what ``_target_`` names, with plain containers inside.

    Args:
        settings: A part of a configuration as plain containers.
        place: Its dotted name, for errors.
        kwargs: More arguments of the object.

    Raises:
        PedkitError: A value does not fit what takes it, or a constructor refused it; the setting is named.
    """
    from hydra.errors import InstantiationException
    from hydra.utils import instantiate

    if not isinstance(settings, Mapping) or "_target_" not in settings:
        raise PedkitError(f"expected {place} to be a preset or to have the key _target_, but got {settings!r}")
    check(settings, place)
    try:
        return instantiate(settings, _convert_="all", **kwargs)
    except InstantiationException as error:
        cause = error.__cause__ or error
        if isinstance(cause, PedkitError):
            raise cause from None
        if not _is_refusal(cause):
            raise cause from None  # a fault of ours, or one that explains itself, such as that of a missing file
        raise PedkitError(
            f"{place} cannot be built from these settings: {' '.join(str(cause).split())}"
        ) from error


def check(settings: Any, place: str = "") -> None:
    """Check the arguments of every object that a part of a configuration describes, before any is built.

    Args:
        settings: The part: mappings and lists, one in the other.
        place: Its dotted name.

    Raises:
        PedkitError: A value is missing, or does not fit the type hints of what takes it; the setting is named.
    """
    if isinstance(settings, Mapping):
        if "_target_" in settings:
            _expect_said(settings, place)
            check_arguments(_target(settings["_target_"], place), settings, place)
        for key in settings:
            check(settings[key], f"{place}.{key}" if place else str(key))
    elif isinstance(settings, list | tuple):
        for number, entry in enumerate(settings):
            check(entry, f"{place}[{number}]")


def _expect_said(settings: Mapping[str, Any], place: str) -> None:
    for key, value in settings.items():
        if isinstance(value, str) and value == _UNSAID:
            full_key = f"{place}.{key}" if place else str(key)
            raise PedkitError(f"the setting {full_key} must be given", hint=f"add {full_key}=... to the command")


def _target(name: Any, place: str) -> Any:
    """Return what a ``_target_`` names; Hydra's own search would print what it cannot find."""
    try:
        target = pydoc.locate(conform(name, str, f"{place}._target_"))
    except pydoc.ErrorDuringImport as error:
        raise PedkitError(f"{place}._target_ {name!r} cannot be imported: {error.value}") from None
    if target is None:
        raise PedkitError(f"{place}._target_ names {name!r}, which does not exist")
    return target


def _is_refusal(error: BaseException) -> bool:
    """Return whether a constructor raised this to say that its arguments cannot be."""
    return isinstance(error, ValueError | TypeError | ImportError) or "Misconfiguration" in type(error).__name__
