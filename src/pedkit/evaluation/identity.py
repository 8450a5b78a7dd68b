"""Which checkpoint heard which recordings: predictions of another one are never continued."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from pedkit.data.json_file import read_object, write_object

PREDICTIONS, NOTE = "predictions.jsonl", "identity.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Identity:
    """What a predictions file was made from; another identity may not continue it."""

    recognizer: str
    revision: str | None
    config_hash: str | None
    manifest_sha256: str
    split: str | None
    decoder: str | None = None
    prompt_hash: str | None = None

    def claim(self, folder: Path) -> None:
        """Make ``folder`` ready for predictions of this identity; those of another one are set aside, not lost."""
        mine = {name: getattr(self, name) for name in self.__slots__}
        note, predictions = folder / NOTE, folder / PREDICTIONS
        folder.mkdir(parents=True, exist_ok=True)
        if predictions.exists():
            old = read_object(note) if note.exists() else {}
            if {"decoder": None, "prompt_hash": None, **old} != mine:
                mark = str(old.get("revision") or old.get("config_hash") or "unknown")[:8]
                predictions.replace(folder / f"predictions.{mark}.jsonl")
        write_object(note, mine)
