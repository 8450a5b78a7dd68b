"""`ExportRequest`: what is to be exported, and how."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportRequest:
    """What `pedkit.export.export_run` was asked for.

    Attributes:
        run_dir: A folder written by ``train.py``.
        checkpoint: Another checkpoint than the kept one, relative to the run folder.
        evaluation: A folder written by ``evaluate.py`` for this model.
        licence: Licence of the model, as an identifier of the hub.
        command: The command that exports.
        merge: Audio language models: the whole model with the adapters merged into it, in float32.
        device: Where merged weights are measured.
    """

    run_dir: Path
    checkpoint: str | None = None
    evaluation: str | Path | None = None
    licence: str | None = None
    command: str = "pedkit export"
    merge: bool = False
    device: str = "cpu"
