"""Where a made manifest is from: inputs by their hashes, settings, seed, command, in a file beside it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from pedkit.data.json_file import read_object, write_object
from pedkit.data.manifest import file_hash
from pedkit.version import __version__


def provenance_path(output: str | Path) -> Path:
    """Return the file beside ``output``: ``m.provenance.json`` beside ``m.jsonl``."""
    return Path(output).with_suffix(".provenance.json")


def write_provenance(
    output: str | Path,
    *,
    verb: str,
    settings: Mapping[str, Any],
    inputs: Iterable[str | Path | Mapping[str, Any]] = (),
    outputs: Mapping[str | Path, int] | None = None,
    command: str | None = None,
) -> Path:
    """Write how ``output`` was made.

    Args:
        output: The manifest, or the folder, beside (or in) which the file is written.
        verb: What made it (``mix``).
        settings: Everything that decides the result, the seed included.
        inputs: Files that were read; their sha256 is written. For one that ``output`` has replaced, what
            `replaced_input` said of it before.
        outputs: File -> number of utterances of the files that were made; their sha256 is written.
        command: The command line, where there was one.

    Returns:
        The path of the file.
    """
    record: dict[str, Any] = {
        "verb": verb,
        "command": command,
        "pedkit": __version__,
        "settings": dict(settings),
        "inputs": [dict(given) if isinstance(given, Mapping) else _file(given) for given in inputs],
        "outputs": [{**_file(path), "utterances": count} for path, count in (outputs or {}).items()],
    }
    beside = Path(output)
    path = beside / "provenance.json" if beside.is_dir() else provenance_path(beside)
    write_object(path, record)
    return path


def replaced_input(path: str | Path) -> dict[str, Any]:
    """Return what is to be said of an input that an output will replace, with how it was itself made."""
    beside = provenance_path(path)
    return _file(path) | ({"made": read_object(beside)} if beside.is_file() else {})


def _file(path: str | Path) -> dict[str, Any]:
    return {"path": str(path), "sha256": file_hash(path)}
