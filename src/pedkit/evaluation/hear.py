"""Audio to report: a recognizer hears every test set, and each is scored as somebody else's file would be."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pedkit.errors import PedkitError
from pedkit.evaluation.identity import PREDICTIONS, Identity
from pedkit.evaluation.result import Evaluation
from pedkit.evaluation.score import score
from pedkit.evaluation.test_sets import EvaluationSet
from pedkit.evaluation.transcribe import Transcription, transcribe
from pedkit.evaluation.usage import write_usage
from pedkit.held_folder import held_folder
from pedkit.recognizers.protocol import HostedProtocol, Recognizer


def hear_and_score(
    recognizer: Recognizer,
    sets: Mapping[str, EvaluationSet],
    folders: Mapping[str, Path],
    settings: Mapping[str, Any],
    *,
    textgrids: bool = False,
) -> tuple[dict[str, Evaluation], list[str]]:
    """Hear each set into ``predictions.jsonl`` of its folder and score it into the same folder.

    Args:
        recognizer: Anything that follows the protocol.
        sets: The test sets by name.
        folders: Folder of each set, made where it is absent.
        settings: Of `pedkit.evaluation.score.score`; a set's own split, and its groups where none are given.
        textgrids: Also write a Praat TextGrid an utterance.

    Returns:
        The evaluation of each set by name, and one sentence for each set in which clips failed. Such a set is
        scored only with ``failed="empty"``; the others are not affected.

    Raises:
        RecognizerStoppedError: A recording may not be sent where the recognizer would send it, or nothing more can
            be heard.
    """
    if isinstance(recognizer, HostedProtocol):
        for one in sets.values():
            recognizer.admit(one.utterances())
    evaluations, faults = {}, []
    for name, one in sets.items():
        done = _hear(recognizer, one, folders[name])
        if done.resumed:
            print(f"{name}: {done.resumed} predictions reused from {done.path}")
        if done.failed:
            first, reason = done.failed[0]
            share = f"{len(done.failed)} failed of {done.written + done.resumed} clips"
            faults.append(f"{name}: {share}, the first is '{first}': {reason}")
            if settings.get("failed") != "empty":
                continue
        own: dict[str, Any] = {"split": one.split}
        if settings.get("groups") is None:
            own["groups"] = one.groups
            if not one.groups:  # what is asked of the comparison is for other sets
                own["fairness"] = None
        evaluations[name] = score(
            predictions={recognizer.name: done.path},
            manifest=one.manifest,
            output_dir=done.path.parent,
            textgrids=textgrids,
            **{**settings, **own},
        )
    if not evaluations:
        raise PedkitError(f"no test set could be scored: {'; '.join(faults)}")
    return evaluations, faults


def _hear(recognizer: Recognizer, one: EvaluationSet, folder: Path) -> Transcription:
    identity = Identity(
        recognizer=recognizer.name,
        revision=getattr(recognizer, "revision", None),
        config_hash=getattr(recognizer, "config_hash", None),
        manifest_sha256=one.sha256(),
        split=one.split,
        decoder=_decoder(recognizer),
        prompt_hash=getattr(recognizer, "prompt_hash", None),
    )
    # Two would hear the same clips, and each id would stand twice.
    with held_folder(folder, "another process is writing predictions here"):
        identity.claim(folder)
        try:
            return transcribe(recognizer, one.utterances(), folder / PREDICTIONS, quiet=not sys.stderr.isatty())
        finally:
            write_usage(recognizer, folder)


def _decoder(recognizer: Recognizer) -> str | None:
    """Return which decoder a recognizer has, ``None`` where it has no choice or takes the usual one."""
    name = str(getattr(recognizer, "decoder", "greedy"))
    return None if name == "greedy" else name
