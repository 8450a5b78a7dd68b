"""``pedkit.json``: by which an exported folder is known again, and what its model has seen."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pedkit.data.json_file import read_object, write_object
from pedkit.export.model_facts import ModelFacts
from pedkit.provenance import EXPORT_FILE


def write_record(
    folder: Path, facts: ModelFacts, run: Mapping[str, Any], told: Mapping[str, Any] | None = None
) -> None:
    """Write ``pedkit.json`` into an exported folder.

    Args:
        folder: The folder.
        facts: Of the model.
        run: ``run.json`` of its run; ``evaluate.py`` refuses the data in it, as it does for the run folder.
        told: What a recognizer of the model has to know, under ``facts``.
    """
    record = {
        "run": facts.name,
        "revision": facts.revision,
        "config_hash": run.get("config_hash"),
        "pedkit": facts.versions.get("pedkit"),
        "data": run.get("data") or [],
        **({} if told is None else {"facts": dict(told)}),
    }
    write_object(folder / EXPORT_FILE, record)


def read_record(folder: str | Path) -> dict[str, Any]:
    """Return ``pedkit.json`` of an exported folder.

    Raises:
        PedkitError: The folder was not written by `pedkit.export.export_run`.
    """
    return read_object(Path(folder) / EXPORT_FILE, missing="no such file, so this is no exported model")
