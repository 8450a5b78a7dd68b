"""`run.json`: what made a set, from what, and what came of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pedkit.errors import PedkitError
from pedkit.provenance import command, git_commit, versions
from synthetic.design import SPLITS, Design, DesignItem
from synthetic.engines import SpeechEngine
from synthetic.output.refusals import statistics

_LIBRARIES = ("numpy", "scipy", "soxr", "soundfile", "espeakng-loader", "onnxruntime")


def expect_same_settings(record: Mapping[str, Any], settings: Mapping[str, Any], folder: Path) -> None:
    """Make sure that an earlier run in this folder had the settings of this one.

    Raises:
        PedkitError: It had others; the first that differs is named.
    """
    before, now = _flat(record["settings"]), _flat(settings)
    # The seed before the seeds of parts that follow it.
    for key in sorted(before.keys() | now.keys(), key=lambda key: (key.count("."), key)):
        if before.get(key) != now.get(key):
            raise PedkitError(
                f"this folder holds a set made with {key}={before.get(key)}, not with {key}={now.get(key)}",
                file=folder,
                hint="choose another folder with output_dir=, or delete this one",
            )


def run_record(
    settings: Mapping[str, Any],
    engines: Mapping[str, SpeechEngine],
    absent: Mapping[str, str],
    design: Design,
) -> dict[str, Any]:
    """Return the record of a run that has its design and speaks now.

    Args:
        settings: What decides the set.
        engines: The engines, by the names that the design calls them.
        absent: Engines that were asked for and are not installed, with the sentence that says so.
        design: The design.
    """
    return {
        "status": "running",
        "settings": dict(settings),
        "engines": [
            {
                "name": engine.name,
                "version": engine.version,
                "licence": engine.licence,
                "reports_phones": engine.reports_phones,
            }
            for engine in engines.values()
        ],
        "absent_engines": dict(absent),
        "self_check": {"checked": design.checked, "refused": len(design.refused)},
        "versions": versions(*_LIBRARIES),
        "git_commit": git_commit(),
        "command": command(),
    }


def results(
    items: Sequence[DesignItem],
    engines: Mapping[str, SpeechEngine],
    refused: Sequence[Mapping[str, Any]],
    manifests: Mapping[str, str],
) -> dict[str, Any]:
    """Return what is added to the record when all is said.

    Args:
        items: The items that were said.
        engines: The engines, by the names that the design calls them.
        refused: The lines of ``refused.jsonl``.
        manifests: The sha256 of each manifest.
    """
    return {
        "counts": counts(items),
        "voices": _voices(items, engines),
        "refused": statistics(refused),
        "audio_files": len(items),
        "manifests": dict(manifests),
        "status": "complete",
    }


def counts(items: Sequence[DesignItem]) -> dict[str, dict[str, Any]]:
    """Return items, errors by kind, levels and voices of each split."""
    out: dict[str, dict[str, Any]] = {}
    for split in reversed(SPLITS):
        own = [item for item in items if item.split == split]
        kinds = Counter(operation.kind for item in own for operation in item.operations)
        out[split] = {
            "items": len(own),
            "with_error": sum(1 for item in own if item.operations),
            "errors": dict(sorted(kinds.items())),
            "levels": dict(sorted(Counter(item.level for item in own).items())),
            "voices": len({(item.engine, item.request.voice) for item in own}),
        }
    return out


def _voices(items: Sequence[DesignItem], engines: Mapping[str, SpeechEngine]) -> list[dict[str, Any]]:
    """Return each voice with the number of its items and the licences they stand under."""
    found = Counter((item.engine, item.request.voice) for item in items)
    return [
        {
            "engine": engines[name].name,
            "voice": voice,
            "items": count,
            "engine_licence": engines[name].licence,
            "voice_licence": engines[name].voice_licence(voice),
        }
        for (name, voice), count in sorted(found.items())
    ]


def summary(folder: Path, record: Mapping[str, Any]) -> str:
    """Return a line for each engine whose labels are unchecked, and the line on manifests and refusals."""
    parts = []
    for split, n in record["counts"].items():
        if not n["items"]:
            continue
        thing = next(iter(n["levels"])) if len(n["levels"]) == 1 else "item"
        items, voices = _many(n["items"], thing), _many(n["voices"], "voice")
        parts.append(f"{split}.jsonl ({items}, {n['with_error']} with an error, {voices})")
    check, stages = record["self_check"], record["refused"]["stages"]
    later = {stage: count for stage, count in stages.items() if stage != "design"}
    told = "".join(f", {count} at {stage}" for stage, count in later.items())
    refused = f"{check['refused']} of {check['checked']} refused by the self-check{told}"
    return "\n".join([*unchecked(record), f"{folder}: {', '.join(parts)}; {refused}"])


def unchecked(record: Mapping[str, Any]) -> list[str]:
    """Return a sentence for each engine that cannot say what it said, so that nothing has checked its labels."""
    return [
        f"{engine['name']} cannot say what it said: its labels are what was asked for, and nobody has checked "
        "them (python -m synthetic.verify, python -m synthetic.review)"
        for engine in record.get("engines", ())
        if not engine.get("reports_phones", True)  # earlier versions wrote neither
    ]


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
