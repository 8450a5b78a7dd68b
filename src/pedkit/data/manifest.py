"""Manifests: one `Utterance` a line, ids unique, relative audio paths starting at the manifest's folder."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from pedkit.data.jsonl import read_jsonl, write_jsonl
from pedkit.data.prediction import Prediction
from pedkit.data.utterance import Utterance
from pedkit.errors import PedkitError


def iter_manifest(path: str | Path) -> Iterator[Utterance]:
    """Yield the utterances of a manifest, one at a time, with absolute audio paths.

    Raises:
        PedkitError: A line is broken, a key unknown, or an id stands twice; file and line are named.
    """
    folder = Path(path).resolve().parent
    seen: dict[str, int] = {}
    for number, line in read_jsonl(path):
        try:
            utterance = Utterance.from_dict(line)
        except PedkitError as error:
            raise error.at(file=path, line=number) from None
        if utterance.id in seen:
            raise PedkitError(
                f"this id stands already on line {seen[utterance.id]}",
                file=path,
                line=number,
                utterance=utterance.id,
            )
        seen[utterance.id] = number
        if utterance.audio is not None and not os.path.isabs(utterance.audio.path):  # noqa: PTH117 (hot loop)
            audio = replace(utterance.audio, path=os.path.join(folder, utterance.audio.path))  # noqa: PTH118
            utterance = replace(utterance, audio=audio)
        yield utterance


def read_manifest(path: str | Path) -> list[Utterance]:
    """Read a whole manifest (see `iter_manifest`)."""
    return list(iter_manifest(path))


def write_manifest(path: str | Path, utterances: Iterable[Utterance]) -> int:
    """Write a manifest, all or nothing; audio below the manifest's folder is written as a relative path.

    Returns:
        The number of utterances written.
    """
    folder = Path(path).resolve().parent

    def line(utterance: Utterance) -> dict[str, object]:
        if utterance.audio is not None and Path(utterance.audio.path).is_absolute():
            short = os.path.relpath(utterance.audio.path, folder)
            if not short.startswith(".."):
                utterance = replace(utterance, audio=replace(utterance.audio, path=Path(short).as_posix()))
        return utterance.to_dict()

    return write_jsonl(path, (line(utterance) for utterance in utterances))


def read_predictions(path: str | Path) -> dict[str, Prediction]:
    """Read a predictions file in pedkit's own JSON lines, by utterance id.

    Raises:
        PedkitError: A line is broken or an id stands twice; file, line and utterance are named.
    """
    predictions: dict[str, Prediction] = {}
    for number, line in read_jsonl(path):
        try:
            prediction = Prediction.from_dict(line)
        except PedkitError as error:
            raise error.at(file=path, line=number) from None
        if prediction.id in predictions:
            raise PedkitError("this id stands twice", file=path, line=number, utterance=prediction.id)
        predictions[prediction.id] = prediction
    return predictions


def file_hash(path: str | Path) -> str:
    """Return the sha256 of a file, by which run folders remember which data they saw."""
    digest = hashlib.sha256()
    with Path(path).open("rb") as stream:
        for block in iter(lambda: stream.read(1 << 20), b""):
            digest.update(block)
    return digest.hexdigest()
