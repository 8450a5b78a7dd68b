"""Which checkpoint heard which recordings: predictions of another one are never continued."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

from pedkit.data.json_file import read_object, write_object
from pedkit.report.file_names import file_name

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
        """Make ``folder`` ready for predictions of this identity.

        Those of another one are set aside under a name of their own, and those that were set aside for this one
        are taken up again: they may have been paid for.
        """
        mine = {name: getattr(self, name) for name in self.__slots__}
        note, predictions = folder / NOTE, folder / PREDICTIONS
        folder.mkdir(parents=True, exist_ok=True)
        if predictions.exists():
            old = {"decoder": None, "prompt_hash": None, **read_object(note)} if note.exists() else {}
            if old != mine:
                predictions.replace(next(path for path in _set_aside(folder, old) if not path.exists()))
        write_object(note, mine)  # before anything is taken up, or a crash would leave it under the other's name
        if not predictions.exists() and (kept := next(_set_aside(folder, mine))).exists():
            kept.replace(predictions)


def _set_aside(folder: Path, identity: Mapping[str, Any]) -> Iterator[Path]:
    """Yield the names under which predictions of an identity are kept, one after the other."""
    content = json.dumps(identity, sort_keys=True, ensure_ascii=False)
    digest = hashlib.sha256(content.encode("utf-8")).hexdigest()[:12]
    revision = file_name(str(identity.get("revision") or identity.get("config_hash") or "unknown")[:8])
    for number in count(1):
        yield folder / f"predictions.{revision}.{digest}{'' if number == 1 else f'.{number}'}.jsonl"
