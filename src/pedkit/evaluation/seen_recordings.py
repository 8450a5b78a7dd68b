"""No test on recordings that served training or selection, also where another manifest lists them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from pedkit.data.manifest import file_hash, iter_manifest
from pedkit.data.utterance import Utterance
from pedkit.evaluation.seen import UsedData

Recording = tuple[str, float]
"""Audio file and where in it the clip begins, in seconds."""


def used_recordings(used: Iterable[UsedData]) -> dict[Recording, str]:
    """Return recording -> role (``train``, ``dev``) of all that a run used, of manifests that are still there.

    Args:
        used: What the run used; a manifest that is gone or has changed since says nothing.
    """
    roles: dict[Recording, str] = {}
    for entry in used:
        if not entry.path or not Path(entry.path).is_file() or file_hash(entry.path) != entry.sha256:
            continue
        for utterance in iter_manifest(entry.path):
            if utterance.audio is not None and entry.split in (None, utterance.split):
                roles.setdefault(_recording(utterance), entry.role)
    return roles


def shared_with(utterances: Iterable[Utterance], roles: Mapping[Recording, str]) -> dict[str, list[str]]:
    """Return role -> ids of the utterances whose recordings were used before."""
    shared: dict[str, list[str]] = {}
    for utterance in utterances:
        role = None if utterance.audio is None else roles.get(_recording(utterance))
        if role is not None:
            shared.setdefault(role, []).append(utterance.id)
    return shared


def _recording(utterance: Utterance) -> Recording:
    assert utterance.audio is not None
    return os.path.realpath(utterance.audio.path), utterance.audio.start
