"""Where in which manifest an utterance stands, for errors that come up long after reading."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from pedkit.data.jsonl import read_jsonl
from pedkit.errors import PedkitError

_FROM_A_WORKER = "pedkit.errors.PedkitError: "
_SENTENCE = re.compile(r"(?:(?P<file>[^\n]+?): )?utterance '(?P<utterance>[^\n]+?)': (?P<message>[^\n]+)")
"""What `PedkitError` says of an utterance."""


def located(error: PedkitError, manifests: Iterable[str | Path]) -> PedkitError:
    """Return an error of an utterance with the manifest and line that hold it.

    Args:
        error: The error; a file that it names, such as the recording, moves into the sentence. Out of a loader
            process it comes as a text with a traceback.
        manifests: Where to look, first things first.
    """
    error = _out_of_a_worker(error)
    if error.utterance is None or error.line is not None:
        return error
    for path in manifests:
        for number, line in read_jsonl(path):
            if line.get("id") == error.utterance and _may_mean(error, line):
                message = error.message if error.file is None else f"{error.file}: {error.message}"
                return PedkitError(message, file=path, line=number, utterance=error.utterance, hint=error.hint)
    return error


def _out_of_a_worker(error: PedkitError) -> PedkitError:
    _, marker, sentence = error.message.rpartition(_FROM_A_WORKER)
    said = _SENTENCE.match(sentence) if marker else None
    if said is None:
        return error
    return PedkitError(said["message"], file=said["file"], utterance=said["utterance"])


def _may_mean(error: PedkitError, line: dict[str, Any]) -> bool:
    """Return whether a line can be the one that an error names: ids of two manifests may be equal."""
    audio = line.get("audio")
    path = audio.get("path") if isinstance(audio, dict) else audio
    return error.file is None or not isinstance(path, str) or Path(path).name == Path(error.file).name
