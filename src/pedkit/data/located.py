"""Where in which manifest an utterance stands, for errors that come up long after reading."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from pedkit.data.jsonl import read_jsonl
from pedkit.errors import PedkitError


def located(error: PedkitError, manifests: Iterable[str | Path]) -> PedkitError:
    """Return an error of an utterance with the manifest and line that hold it.

    Args:
        error: The error; a file that it names, such as the recording, moves into the sentence.
        manifests: Where to look, first things first.
    """
    if error.utterance is None or error.line is not None:
        return error
    for path in manifests:
        for number, line in read_jsonl(path):
            if line.get("id") == error.utterance and _may_mean(error, line):
                message = error.message if error.file is None else f"{error.file}: {error.message}"
                return PedkitError(message, file=path, line=number, utterance=error.utterance, hint=error.hint)
    return error


def _may_mean(error: PedkitError, line: dict[str, Any]) -> bool:
    """Return whether a line can be the one that an error names: ids of two manifests may be equal."""
    audio = line.get("audio")
    path = audio.get("path") if isinstance(audio, dict) else audio
    return error.file is None or not isinstance(path, str) or Path(path).name == Path(error.file).name
