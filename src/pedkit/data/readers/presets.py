"""Named column maps: options of the readers ``table`` and ``hub`` for one corpus, shipped or in a user's file.

The shipped ones are in ``tables/presets.json``. One that nobody has run on the corpus itself is ``unverified``:
the manifest says so in ``extra.preset`` of each utterance, and so does what ``pedkit prepare`` prints.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from pedkit.close_names import guess
from pedkit.data.json_file import read_object
from pedkit.errors import PedkitError


@dataclass(frozen=True, slots=True)
class Preset:
    """A named set of options.

    Attributes:
        name: Its name, or the name of the user's file.
        reader: ``table`` or ``hub``; ``None`` in a user's file, which serves both.
        options: Options of the reader; what is given beside the preset goes before them.
        verified: Whether somebody has run it on the corpus itself; ``None`` for a user's own file.
    """

    name: str
    reader: str | None
    options: Mapping[str, Any]
    verified: bool | None

    @property
    def label(self) -> str | None:
        """What the manifest says in ``extra.preset``; nothing of a user's own file."""
        if self.verified is None:
            return None
        return self.name if self.verified else f"{self.name} (unverified)"


def shipped_presets() -> dict[str, Preset]:
    """Return the presets that ship with pedkit, by name."""
    table = json.loads(files("pedkit.data.readers").joinpath("tables", "presets.json").read_text(encoding="utf-8"))
    return {
        name: Preset(name, entry["reader"], entry["options"], entry["verified"]) for name, entry in table.items()
    }


def find_preset(name: str, reader: str) -> Preset:
    """Return a shipped preset, or that of a JSON file of options.

    Args:
        name: Name of a shipped preset, or a path that ends in ``.json``.
        reader: The reader that asks.

    Raises:
        PedkitError: There is none, it is for the other reader, or the file is not a JSON object.
    """
    if str(name).endswith(".json"):
        return _from_file(Path(name))
    shipped = shipped_presets()
    if name not in shipped:
        known, close = ", ".join(sorted(shipped)), guess(name, shipped)
        raise PedkitError(f"there is no preset {name!r} (there are: {known}, and your own .json files){close}")
    if shipped[name].reader != reader:
        raise PedkitError(
            f"the preset {name!r} is for the reader {shipped[name].reader}, not {reader}",
            hint=f"pedkit prepare {shipped[name].reader} --option preset={name}",
        )
    return shipped[name]


def _from_file(path: Path) -> Preset:
    return Preset(path.stem, None, read_object(path, missing="no such file of options"), None)


def merged_options(preset: str | None, reader: str, given: Mapping[str, Any]) -> tuple[dict[str, Any], str | None]:
    """Return the options of a preset with those given (not ``None``) before them, and the preset's label.

    Raises:
        PedkitError: The preset cannot be had, or holds an option that the reader does not know.
    """
    chosen = {name: value for name, value in given.items() if value is not None}
    if preset is None:
        return chosen, None
    found = find_preset(preset, reader)
    for name in found.options:
        if name not in given:
            known = ", ".join(given)
            raise PedkitError(f"the preset {found.name!r} holds the unknown option {name!r} (there are: {known})")
    return {**found.options, **chosen}, found.label
