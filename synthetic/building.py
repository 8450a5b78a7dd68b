"""From a part of the configuration to an object that can do what synthesis asks of it."""

from __future__ import annotations

from typing import Any

from pedkit.building import build
from pedkit.errors import PedkitError


def built(settings: Any, place: str, kind: type, what: str) -> Any:
    """Return what a part of the configuration describes.

    Args:
        settings: The part, as plain containers.
        place: Its dotted name.
        kind: What it must be: a class, or a protocol that can be asked at run time.
        what: The same in words.

    Raises:
        PedkitError: It cannot be built, or is something else.
    """
    made = build(settings, place)
    if not isinstance(made, kind):
        raise PedkitError(
            f"expected {place}._target_ to name {what}, but {settings['_target_']} makes a {type(made).__name__}"
        )
    return made
