"""Checks of readers' options: on a command line ``corpus=762`` is a number and ``drop=sil`` a text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pedkit.errors import PedkitError


def require_texts(**options: Any) -> None:
    """Check that each option is text or not given.

    Raises:
        PedkitError: One is something else.
    """
    for name, value in options.items():
        if not isinstance(value, str | None):
            raise PedkitError(f"expected '{name}' to be text, but got {value!r}", hint=f"{name}='\"{value}\"'")
        if value is not None and "\0" in value:
            raise PedkitError(f"expected '{name}' to be text without NUL, but got {value!r}")


def require_text_lists(**options: Any) -> None:
    """Check that each option is a list of texts or not given.

    Raises:
        PedkitError: One is something else, such as a single text.
    """
    for name, value in options.items():
        is_list = isinstance(value, list | tuple | set | frozenset)
        if value is not None and not (is_list and all(isinstance(item, str) for item in value)):
            raise PedkitError(
                f"expected '{name}' to be a list of texts, but got {value!r}", hint=f'{name}=["..."]'
            )


def require_text_maps(**options: Any) -> None:
    """Check that each option is an object with texts or not given.

    Raises:
        PedkitError: One is something else.
    """
    for name, value in options.items():
        is_map = isinstance(value, Mapping)
        if value is not None and not (is_map and all(isinstance(item, str) for item in value.values())):
            raise PedkitError(f"expected '{name}' to be an object of texts, but got {value!r}")
