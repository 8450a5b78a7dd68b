"""From a part of a configuration to the object that it describes."""

from __future__ import annotations

from typing import Any

from pedkit.errors import PedkitError


def build(cfg: Any, **kwargs: Any) -> Any:
    """Instantiate what ``_target_`` names, with plain containers inside.

    Args:
        cfg: A part of a configuration, or a mapping.
        kwargs: More arguments of the object.

    Raises:
        PedkitError: What its constructor raised, instead of Hydra's exception around it.
    """
    from hydra.errors import InstantiationException
    from hydra.utils import instantiate

    try:
        return instantiate(cfg, _convert_="all", **kwargs)
    except InstantiationException as error:
        if isinstance(error.__cause__, PedkitError):
            raise error.__cause__ from None
        raise
