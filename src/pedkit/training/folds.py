"""Folds of a cross-validation: recordings of one source stay together, each fold a pair of manifests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from pedkit.data.assignment import assign_splits
from pedkit.data.keys import key_value
from pedkit.data.manifest import write_manifest
from pedkit.data.manifest_part import ManifestPart
from pedkit.data.utterance import Utterance


@dataclass(frozen=True, slots=True)
class Fold:
    """One fold.

    Attributes:
        number: Counted from 1.
        train: Train parts, in the form that `pedkit.data.datamodule.PhoneDataModule` takes.
        held_out: Name -> manifest of what is held out; one for each train part that has some.
        sources: How many sources (values of the key that keeps recordings together) are held out.
        utterances: How many utterances are held out.
    """

    number: int
    train: tuple[dict[str, Any], ...]
    held_out: Mapping[str, str]
    sources: int
    utterances: int


def make_folds(
    parts: Sequence[Any], folder: Path, *, folds: int, by: str = "source_id", seed: int = 0
) -> list[Fold]:
    """Share the recordings of train manifests out to folds and write the manifests of each fold.

    Args:
        parts: The train parts of a data module (paths or mappings); all are shared out together.
        folder: Where the manifests go: ``1-train.jsonl``, ``1-held_out.jsonl``, ... with absolute audio paths.
        folds: Number of folds.
        by: Field or group key that no two folds may have in common.
        seed: Seed of the assignment.

    Raises:
        PedkitError: A manifest cannot be read, an utterance lacks the key, or there are fewer values than folds.
    """
    given = [ManifestPart.of(part) for part in parts]
    read = [part.read() for part in given]
    utterances = [utterance for one in read for utterance in one]
    names = [str(number) for number in range(1, folds + 1)]
    fold_of = assign_splits(utterances, dict.fromkeys(names, Fraction(1)), by=[by], seed=seed)
    _check_apart(utterances, fold_of, by)
    placed, start = [], 0
    for part, one in zip(given, read, strict=True):
        placed.append((part, list(zip(one, fold_of[start : start + len(one)], strict=True))))
        start += len(one)
    folder.mkdir(parents=True, exist_ok=True)
    return [_fold(name, placed, folder, by) for name in names]


def _fold(
    name: str, placed: Sequence[tuple[ManifestPart, list[tuple[Utterance, str]]]], folder: Path, by: str
) -> Fold:
    train: list[dict[str, Any]] = []
    held_out: dict[str, str] = {}
    sources, number = set[object](), 0
    for index, (part, members) in enumerate(placed, start=1):
        suffix = f"_{index}" if len(placed) > 1 else ""
        learnt = [utterance for utterance, fold in members if fold != name]
        heard = [utterance for utterance, fold in members if fold == name]
        if learnt:
            path = folder / f"{name}-train{suffix}.jsonl"
            write_manifest(path, learnt)
            train.append({"manifest": str(path), "repeat": part.repeat})
        if heard:
            path = folder / f"{name}-held_out{suffix}.jsonl"
            write_manifest(path, heard)
            held_out[f"held_out{suffix}"] = str(path)
        sources |= {key_value(utterance, by) for utterance in heard}
        number += len(heard)
    return Fold(int(name), tuple(train), held_out, len(sources), number)


def _check_apart(utterances: Sequence[Utterance], fold_of: Sequence[str], by: str) -> None:
    """Assert that no source is in two folds; a held-out copy of a train recording would choose too many steps."""
    home: dict[object, str] = {}
    for utterance, fold in zip(utterances, fold_of, strict=True):
        assert home.setdefault(key_value(utterance, by), fold) == fold, f"{by} of {utterance.id} is in two folds"
