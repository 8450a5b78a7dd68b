"""No test on recordings that served training or selection, also where another manifest lists them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping

from pedkit.data.utterance import Utterance
from pedkit.evaluation.used_manifests import UsedUtterances

Recording = tuple[str, float]
"""Audio file and where in it the clip begins, in seconds."""


def used_recordings(used: UsedUtterances) -> dict[Recording, str]:
    """Return recording -> role (``train``, ``dev``) of all of `pedkit.evaluation.used_manifests.read_used`."""
    roles: dict[Recording, str] = {}
    for entry, utterances in used:
        for utterance in utterances:
            if utterance.audio is not None:
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
