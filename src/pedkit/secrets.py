"""Keeping passwords and keys out of what a run writes down: its settings and its command."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator, Mapping
from typing import Any

from pedkit.errors import PedkitError

_VARIABLE = re.compile(r"(API_?KEY|ACCESS_?KEY|TOKEN|SECRET|PASSWORD|PASSWD)$", re.IGNORECASE)
_SETTING = re.compile(r"(^|\.|_)(api_?key|access_?key|auth_?token|token|secret|password|passwd)$", re.IGNORECASE)
_SHORTEST = 8
"""Shorter values may be words that stand in a setting by chance."""


def refuse_secrets(settings: Mapping[str, Any]) -> None:
    """Check that neither the settings nor the command line hold a secret: both are written into the run folder.

    A secret is the value of an environment variable whose name ends with ``API_KEY``, ``TOKEN``, ``SECRET`` or
    ``PASSWORD``, and the value of a setting that is called so.

    Args:
        settings: The resolved configuration.

    Raises:
        PedkitError: One does; the secret itself is not repeated.
    """
    variables = {value: name for name, value in os.environ.items() if _VARIABLE.search(name)}
    secrets = {value: name for value, name in variables.items() if len(value) >= _SHORTEST}
    texts = [*_texts(settings, "")]
    arguments = [argument.lstrip("+").partition("=") for argument in sys.argv]
    texts += [(name, value) for name, _, value in arguments if _SETTING.search(name)]
    for place, text in [*texts, *(("the command line", argument) for argument in sys.argv)]:
        for value, name in secrets.items():
            if value in text:
                raise PedkitError(
                    f"{place} holds the value of the environment variable {name}, and would be written into the "
                    "run folder",
                    hint=f"leave it out: what needs it reads {name} itself",
                )
        if _SETTING.search(place) and text:
            raise PedkitError(
                f"{place} looks like a secret, and would be written into the run folder",
                hint="give it by the environment variable of the service, such as WANDB_API_KEY or HF_TOKEN",
            )


def _texts(value: Any, place: str) -> Iterator[tuple[str, str]]:
    """Yield dotted name and value of every text in a configuration."""
    if isinstance(value, Mapping):
        for key, item in value.items():
            yield from _texts(item, f"{place}.{key}" if place else str(key))
    elif isinstance(value, list | tuple):
        for number, item in enumerate(value):
            yield from _texts(item, f"{place}[{number}]")
    elif isinstance(value, str):
        yield place, value
