"""No test on data that served training or selection: what a run used, and whether a test set is among it."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pedkit.data.json_file import read_object
from pedkit.data.manifest import file_hash
from pedkit.data.manifest_part import ManifestPart
from pedkit.errors import PedkitError
from pedkit.provenance import EXPORT_FILE, RUN_FILE

_OF_A_RECIPE = re.compile(r"[+~]*(model|data|trainer|callbacks|decoder|steps|debug|select_on|seed)\b[\w.@/]*=")
"""Overrides of a command that may make a training another one than its recipe says."""

_JOBS = {
    "train": "to train",
    "dev": "to choose the checkpoint of",
    "examples": "as examples in the prompt of",
}


@dataclass(frozen=True, slots=True)
class UsedData:
    """One manifest, or one split of it, that a run was trained or its checkpoint chosen on.

    Attributes:
        role: ``train``, ``dev``, or ``examples`` where it is shown in the prompt.
        sha256: Hash of the manifest file.
        split: The split used; ``None`` where it was the whole manifest.
        path: Where the manifest lay.
        begun_in: Folder in which the run was begun, where ``path`` starts if it is relative.
    """

    role: str
    sha256: str
    split: str | None = None
    path: str = ""
    begun_in: str = ""

    def overlaps(self, sha256: str, split: str | None) -> bool:
        """Return whether ``split`` (``None``: all) of the manifest with this hash holds data that was used."""
        return self.sha256 == sha256 and (self.split is None or split is None or self.split == split)


def used_data(run_dir: str | Path) -> tuple[UsedData, ...]:
    """Return what the run in ``run_dir`` used.

    Raises:
        PedkitError: The folder has no readable ``run.json``.
    """
    path = Path(run_dir) / RUN_FILE
    if not path.is_file():
        raise PedkitError(
            f"expected a run folder with {RUN_FILE}", file=run_dir, hint="train first: python train.py"
        )
    return _read(path)


def used_by_model(name: str | Path | None) -> tuple[UsedData, ...]:
    """Return what an exported model used; nothing for a hub name or a folder that says nothing.

    Args:
        name: Folder or hub name of a model; ``None`` where there is none.

    Raises:
        PedkitError: The folder's record cannot be understood.
    """
    path = None if name is None else Path(name) / EXPORT_FILE
    return () if path is None or not path.is_file() else _read(path)


def used_by_recognizer(settings: Mapping[str, Any]) -> tuple[UsedData, ...]:
    """Return what a recognizer knows beforehand: the data of its run, of its weights, and its few-shot examples.

    Args:
        settings: Of the recognizer; ``run_dir``, ``name``, ``adapter`` and ``examples`` are looked at.

    Raises:
        PedkitError: A record cannot be understood, or the examples have no manifest.
    """
    run_dir = settings.get("run_dir")
    if run_dir is not None:
        return used_data(run_dir)
    used = [one for key in ("name", "adapter") for one in used_by_model(settings.get(key))]
    if settings.get("examples") is not None:
        part = ManifestPart.of(settings["examples"])
        used.append(UsedData("examples", file_hash(part.manifest), part.split, part.manifest))
    return tuple(used)


def used_before(model: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return ``data`` entries of ``run.json`` for what the weights that a training begins with have seen.

    Args:
        model: The settings of the model; ``encoder.name``, ``source.name`` and ``source.adapter`` are folders or
            hub names of weights.
    """
    parts = [part for part in (model.get("encoder"), model.get("source")) if isinstance(part, Mapping)]
    names = [part[key] for part in parts for key in ("name", "adapter") if part.get(key)]
    return [
        {
            "role": one.role,
            "name": "before",
            "path": f"{name}: {one.path}",
            "sha256": one.sha256,
            "split": one.split,
        }
        for name in names
        for one in used_by_model(name)
    ]


def recipe_of(run_dir: str | Path | None) -> dict[str, str]:
    """Return ``recipe`` of a run under that name: whose it is, where that was said, and what the command changed.

    A published recipe stays in the settings where the command gives other values, so these are named behind it.
    """
    if run_dir is None:
        return {}
    run = read_object(Path(run_dir) / RUN_FILE)
    recipe = (run.get("settings") or {}).get("recipe")
    if not recipe:
        return {}
    changed = [word for word in shlex.split(str(run.get("command") or "")) if _OF_A_RECIPE.match(word)]
    return {"recipe": f"{recipe}; started with {' '.join(changed)}" if changed else str(recipe)}


def _read(path: Path) -> tuple[UsedData, ...]:
    run = read_object(path)
    begun_in = str(run.get("working_directory") or "")
    try:
        return tuple(
            UsedData(entry["role"], entry["sha256"], entry.get("split"), entry.get("path", ""), begun_in)
            for entry in run.get("data", ())
        )
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise PedkitError(f"cannot be understood: {error!r}", file=path) from None


def seen_roles(used: tuple[UsedData, ...], sha256: str, split: str | None) -> tuple[str, ...]:
    """Return for what a test set was used before (``train``, ``dev``), in order; empty where it is unseen."""
    return tuple(dict.fromkeys(entry.role for entry in used if entry.overlaps(sha256, split)))


def jobs_of(roles: Iterable[str]) -> str:
    """Return in words what recordings of these roles served, before "this model"."""
    return " and ".join(_JOBS[role] for role in roles)


def refuse_seen(name: str, manifest: str | Path, roles: tuple[str, ...], *, allow_seen: bool) -> str | None:
    """Return the sentence that must stand beside the results, ``None`` for an unseen set.

    Raises:
        PedkitError: The set was used before and ``allow_seen`` is false.
    """
    if not roles:
        return None
    jobs = jobs_of(roles)
    if not allow_seen:
        raise PedkitError(
            f"the test set '{name}' served {jobs} this model",
            file=manifest,
            hint="evaluate on other data, or set allow_seen=true, which is stamped on the report",
        )
    return f"Seen data: this set served {jobs} this model. The numbers say nothing about new recordings."
