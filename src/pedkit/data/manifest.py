"""Manifests: one `Utterance` a line, ids unique, relative audio paths starting at the manifest's folder."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from msgspec.structs import replace

from pedkit.data.jsonl import parse_line, read_blocks, read_jsonl, write_jsonl
from pedkit.data.manifest_lines import audio_path, decode_lines
from pedkit.data.prediction import Prediction
from pedkit.data.utterance import Utterance
from pedkit.errors import PedkitError
from pedkit.garbage import without_garbage_collection


def scan_manifest(
    path: str | Path, folder: str | Path | None = None
) -> Iterator[tuple[int, Utterance | PedkitError]]:
    """Yield each line's number with its utterance, or with what is wrong with it; ids are not compared.

    Args:
        path: The manifest.
        folder: Where relative audio paths start; the manifest's folder where ``None``, ``""`` leaves them as
            they are.

    Raises:
        PedkitError: The file itself cannot be read.
    """
    base = str(Path(path).resolve().parent if folder is None else folder)
    for first, lines in read_blocks(path):
        utterances = decode_lines(b"".join(lines), base)
        if utterances is not None and len(utterances) == len(lines):
            yield from enumerate(utterances, start=first)
        else:
            yield from _line_by_line(lines, base, path, first)


def _line_by_line(
    lines: Sequence[bytes], folder: str, path: str | Path, first: int
) -> Iterator[tuple[int, Utterance | PedkitError]]:
    for number, raw in enumerate(lines, start=first):
        if not raw.isspace():
            found = decode_lines(raw, folder)
            yield number, found[0] if found else _read_slowly(raw, folder, path, number)


def iter_manifest(path: str | Path, folder: str | Path | None = None) -> Iterator[Utterance]:
    """Yield the utterances of a manifest, one at a time, with absolute audio paths.

    Args:
        path: The manifest.
        folder: As in `scan_manifest`.

    Raises:
        PedkitError: A line is broken, a key unknown, or an id stands twice; file and line are named.
    """
    seen: dict[str, int] = {}
    for number, found in scan_manifest(path, folder):
        if isinstance(found, PedkitError):
            raise found.at(file=path, line=number)
        first = seen.setdefault(found.id, number)
        if first != number:
            raise PedkitError(
                f"this id stands already on line {first}", file=path, line=number, utterance=found.id
            )
        yield found


def _read_slowly(raw: bytes, folder: str, path: str | Path, number: int) -> Utterance | PedkitError:
    try:
        return with_absolute_path(Utterance.from_dict(parse_line(raw, path, number)), folder)
    except PedkitError as error:
        return PedkitError(error.message, utterance=error.utterance, hint=error.hint)


def with_absolute_path(utterance: Utterance, folder: str) -> Utterance:
    """Return the utterance with an audio path that starts at the root; a relative one starts at ``folder``."""
    if utterance.audio is None:
        return utterance
    return replace(utterance, audio=replace(utterance.audio, path=audio_path(folder, utterance.audio.path)))


def read_manifest(path: str | Path) -> list[Utterance]:
    """Read a whole manifest (see `iter_manifest`)."""
    with without_garbage_collection():
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
