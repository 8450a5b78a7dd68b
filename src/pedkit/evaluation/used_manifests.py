"""The manifests that a run used, read again: what they hold, while they are there and as they were."""

from __future__ import annotations

from collections.abc import Iterable

from pedkit.data.manifest import read_manifest
from pedkit.data.unchanged import unchanged
from pedkit.data.utterance import Utterance
from pedkit.evaluation.seen import UsedData

UsedUtterances = list[tuple[UsedData, list[Utterance]]]


def read_used(used: Iterable[UsedData]) -> UsedUtterances:
    """Return the utterances of each part that a run used; each manifest is hashed and read once.

    Args:
        used: What the run used; a manifest that is gone or has changed since is left out.
    """
    files: dict[tuple[str, str], list[Utterance] | None] = {}
    found: UsedUtterances = []
    for entry in used:
        key = entry.path, entry.sha256
        if key not in files:
            path = unchanged(*key, entry.begun_in)
            files[key] = None if path is None else read_manifest(path)
        utterances = files[key]
        if utterances is not None:
            found.append((entry, [one for one in utterances if entry.split in (None, one.split)]))
    return found
