"""`verify_set`: listen to a set, calibrate, give verdicts, and write manifests of what was accepted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import track

from pedkit.data.utterance import Utterance
from pedkit.errors import PedkitError
from pedkit.held_folder import held_folder
from pedkit.provenance import git_commit, versions
from pedkit.recognizers.protocol import Recognizer
from synthetic.acceptance.files import AcceptanceFiles
from synthetic.acceptance.forced_choice import ForcedChoice, Weighed
from synthetic.acceptance.near_misses import aligned
from synthetic.acceptance.settings import AcceptanceSettings
from synthetic.acceptance.statistics import refused_by, statistics
from synthetic.acceptance.verdicts import decoys, group, thresholds, verdict
from synthetic.made_set import MadeSet

SELECTION = "accepted"
"""The manifests of what was accepted are called ``SPLIT.accepted.jsonl``."""


def verify_set(
    folder: str | Path, recognizer: Recognizer, settings: AcceptanceSettings, *, quiet: bool = True
) -> dict[str, Any]:
    """Let a recognizer judge whether each recording of a set says its realized phones.

    Killed at any moment and started again, it goes on where it was and ends with the same files. Settings that
    only concern the verdicts can be changed afterwards without listening again.

    Args:
        folder: A finished set; it gains ``acceptance.jsonl``, ``acceptance.json`` and ``SPLIT.accepted.jsonl``.
        recognizer: Who listens.
        settings: What decides.
        quiet: False shows a progress bar on stderr.

    Returns:
        The record, as ``acceptance.json`` holds it.

    Raises:
        PedkitError: The folder holds no finished set, or verdicts of another recognizer; another process is at
            work there; the recognizer cannot weigh phones of CMU-39; no recording could be weighed; or too few are
            unedited.
    """
    made = MadeSet(folder)
    with held_folder(made.folder, "another process is at work on this set"):
        return _verified(made, recognizer, settings, quiet)


def _verified(made: MadeSet, recognizer: Recognizer, settings: AcceptanceSettings, quiet: bool) -> dict[str, Any]:
    utterances = made.utterances
    columns = dict(zip(utterances, aligned(list(utterances.values())), strict=True))
    choice = ForcedChoice(recognizer, settings.neighbours)
    identity = _identity(made, recognizer, settings)
    files = AcceptanceFiles(made.folder)
    weighed = files.begin(identity)
    _expect_own(utterances, weighed, files.lines)
    missing = [one for name, one in utterances.items() if name not in weighed]
    console = Console(stderr=True, quiet=quiet)
    for one in track(missing, f"listening to {len(missing)} recordings", console=console, transient=True):
        weighed[one.id] = choice.weigh(one, columns[one.id])
        files.add(weighed[one.id])
    _expect_some_success(weighed)

    found = thresholds(utterances, weighed, settings)
    verdicts = {name: verdict(one, weighed[name], found[group(one, settings)]) for name, one in utterances.items()}
    files.write_lines(weighed[name].to_json() | one.to_json() for name, one in verdicts.items())
    counts = made.write_selection(
        SELECTION,
        lambda one: verdicts[one.id].accepted,
        {name: {"acceptance_score": one.score, "acceptance": SELECTION} for name, one in verdicts.items()},
    )
    record = {
        "status": "complete",
        **identity,
        "settings": asdict(settings),
        "thresholds": {name: one.to_json() for name, one in found.items()},
        "accepted": counts,
        "refused": statistics(utterances, columns, verdicts),
        "wrong_labels_refused": refused_by(decoys(utterances, weighed, found, settings)),
        "versions": versions("numpy", "soxr", "soundfile"),
        "git_commit": git_commit(),
    }
    files.write_record(record)
    return record


def _identity(made: MadeSet, recognizer: Recognizer, settings: AcceptanceSettings) -> dict[str, Any]:
    """Return what the log-likelihoods depend on."""
    heard_by = {key: getattr(recognizer, key, None) for key in ("name", "inventory", "revision", "config_hash")}
    return {"recognizer": heard_by, "neighbours": settings.neighbours, "manifests": made.hashes}


def _expect_own(utterances: Mapping[str, Utterance], weighed: Mapping[str, Weighed], file: Path) -> None:
    """Make sure that the likelihoods of an earlier run are those of these recordings."""
    for name, one in weighed.items():
        if name not in utterances or utterances[name].realized not in one.likelihoods or len(one.likelihoods) < 2:
            raise PedkitError(
                "this line is not of a recording of this set, or has changed",
                file=file,
                utterance=name,
                hint="to listen anew, delete the line",
            )


def _expect_some_success(weighed: Mapping[str, Weighed]) -> None:
    reasons = [one.failed for one in weighed.values() if one.failed is not None]
    if weighed and len(reasons) == len(weighed):
        raise PedkitError(f"none of {len(weighed)} recordings could be weighed; the first: {reasons[0]}")
