"""`run.json`: what made a set, from what, and what came of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pedkit.errors import PedkitError
from pedkit.provenance import git_commit, versions
from synthetic.design import SPLITS, Design, DesignItem
from synthetic.engines import SpeechEngine

_LIBRARIES = ("numpy", "soxr", "soundfile", "espeakng-loader")
_EXAMPLES = 20


def expect_same_settings(record: Mapping[str, Any], settings: Mapping[str, Any], folder: Path) -> None:
    """Make sure that an earlier run in this folder had the settings of this one.

    Raises:
        PedkitError: It had others; the first that differs is named.
    """
    before, now = _flat(record["settings"]), _flat(settings)
    for key in sorted(before.keys() | now.keys()):
        if before.get(key) != now.get(key):
            raise PedkitError(
                f"this folder holds a set made with {key}={before.get(key)}, not with {key}={now.get(key)}",
                file=folder,
                hint="choose another folder with output_dir=, or delete this one",
            )


def run_record(settings: Mapping[str, Any], engine: SpeechEngine, design: Design) -> dict[str, Any]:
    """Return the record of a run that has its design and speaks now."""
    refused = design.refused
    return {
        "status": "running",
        "settings": dict(settings),
        "engine": {"name": engine.name, "version": engine.version, "licence": engine.licence},
        "self_check": {
            "checked": design.checked,
            "refused": len(refused),
            "examples": [
                {"text": r.text, "requested": " ".join(r.requested), "spoken": " ".join(r.spoken or ())}
                for r in refused[:_EXAMPLES]
            ],
        },
        "versions": versions(*_LIBRARIES),
        "git_commit": git_commit(),
    }


def counts(items: Sequence[DesignItem]) -> dict[str, dict[str, Any]]:
    """Return words, errors by kind, and voices of each split."""
    out: dict[str, dict[str, Any]] = {}
    for split in reversed(SPLITS):
        own = [item for item in items if item.split == split]
        kinds = Counter(operation.kind for item in own for operation in item.operations)
        out[split] = {
            "words": len(own),
            "with_error": sum(1 for item in own if item.operations),
            "errors": dict(sorted(kinds.items())),
            "voices": len({item.request.voice for item in own}),
        }
    return out


def summary(folder: Path, record: Mapping[str, Any]) -> str:
    """Return the line that says where the manifests are and what they hold."""
    check = record["self_check"]
    parts = []
    for split, n in record["counts"].items():
        words, voices = _many(n["words"], "word"), _many(n["voices"], "voice")
        parts.append(f"{split}.jsonl ({words}, {n['with_error']} with one error, {voices})")
    return (
        f"{folder}: {', '.join(parts)}; {check['refused']} of {check['checked']} words refused by the self-check"
    )


def _many(count: int, thing: str) -> str:
    return f"{count} {thing}" if count == 1 else f"{count} {thing}s"


def _flat(settings: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    out: dict[str, Any] = {}
    for key, value in settings.items():
        if isinstance(value, Mapping):
            out |= _flat(value, f"{prefix}{key}.")
        else:
            out[prefix + key] = value
    return out
