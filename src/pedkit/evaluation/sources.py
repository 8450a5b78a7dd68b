"""Where manifests and predictions come from: files or objects, under one name each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from pedkit.data.jsonl import read_jsonl
from pedkit.data.manifest import file_hash, iter_manifest
from pedkit.data.prediction import Prediction
from pedkit.data.utterance import Utterance
from pedkit.errors import PedkitError
from pedkit.evaluation.formats import Readers, detect_format, iter_predictions

T = TypeVar("T", Utterance, Prediction)

Predictions = str | Path | Iterable[Prediction]
"""One system: a file, or predictions."""


@dataclass(frozen=True, slots=True)
class ManifestSource:
    """A manifest that can be read again for each system.

    Attributes:
        path: The file, ``None`` for utterances from memory.
        utterances: The utterances, where there is no file.
    """

    path: Path | None
    utterances: tuple[Utterance, ...] = ()

    @classmethod
    def of(cls, manifest: str | Path | Iterable[Utterance]) -> ManifestSource:
        """Take a path or utterances.

        Raises:
            PedkitError: It is neither, or an id stands twice.
        """
        if isinstance(manifest, str | Path):
            return cls(Path(manifest))
        return cls(None, _objects(manifest, Utterance, "manifest"))

    def __iter__(self) -> Iterator[Utterance]:
        return iter(self.utterances) if self.path is None else iter_manifest(self.path)

    def located(self, error: PedkitError) -> PedkitError:
        """Return the error with file and line of the utterance it names; with the file where it names none."""
        if self.path is None or error.file is not None:
            return error
        if error.utterance is None:
            return error.at(file=self.path)
        numbers = (number for number, line in read_jsonl(self.path) if line.get("id") == error.utterance)
        return error.at(file=self.path, line=next(numbers, None))

    def to_json(self) -> dict[str, str | None]:
        """Return path and sha256, for ``scores.json``."""
        return {"path": None, "sha256": None} if self.path is None else _file(self.path)


@dataclass(frozen=True, slots=True)
class PredictionSource:
    """The predictions of one system.

    Attributes:
        path: The file, ``None`` for predictions from memory.
        predictions: The predictions, where there is no file.
        format: Format of the file.
        readers: Reader of each format; ``None``: of phones.
    """

    path: Path | None
    predictions: tuple[Prediction, ...] = ()
    format: str = "auto"
    readers: Readers | None = None

    def __iter__(self) -> Iterator[Prediction]:
        if self.path is None:
            return iter(self.predictions)
        return (prediction for _, prediction in iter_predictions(self.path, self.format, self.readers))

    def located(self, error: PedkitError) -> PedkitError:
        """Return the error with file and line of the prediction it names."""
        if self.path is None or error.file is not None or error.utterance is None:
            return error
        found = iter_predictions(self.path, self.format, self.readers)
        return error.at(file=self.path, line=next((n for n, p in found if p.id == error.utterance), None))

    def to_json(self) -> dict[str, str | None]:
        """Return path and sha256, for ``scores.json``."""
        return {"path": None, "sha256": None} if self.path is None else _file(self.path)


def prediction_sources(
    predictions: str | Path | Iterable[str | Path] | Iterable[Prediction] | Mapping[str, Predictions],
    format: str = "auto",
    readers: Readers | None = None,
) -> dict[str, PredictionSource]:
    """Return each system by name: the file's stem, or the name it is given under.

    Args:
        predictions: A file, several files, predictions, or a mapping from names to files or predictions.
        format: Format of the files.
        readers: Reader of each format; ``None``: of phones.

    Raises:
        PedkitError: There is no system at all, something is neither a file nor a prediction, or an id stands
            twice.
    """
    if isinstance(predictions, str | Path):
        predictions = [predictions]
    if isinstance(predictions, Mapping):
        return _checked({name: _source(given, format, readers) for name, given in predictions.items()})
    if not isinstance(predictions, Iterable):
        raise PedkitError(f"expected predictions to be a file or a list of files, but got {predictions!r}")
    given = list(predictions)
    files = [Path(entry) for entry in given if isinstance(entry, str | Path)]
    if files and len(files) < len(given):
        raise PedkitError("expected files or predictions, but got a mixture of both")
    if not files:
        return _checked({"predictions": _source(given, format, readers)} if given else {})
    named = zip(_names(files), files, strict=True)
    return _checked({name: PredictionSource(path, format=format, readers=readers) for name, path in named})


def _source(given: Any, format: str, readers: Readers | None) -> PredictionSource:
    if isinstance(given, str | Path):
        return PredictionSource(Path(given), format=format, readers=readers)
    return PredictionSource(None, _objects(given, Prediction, "predictions"))


def _objects(given: Any, kind: type[T], name: str) -> tuple[T, ...]:
    """Return the utterances or predictions that came as objects, each of one id."""
    if not isinstance(given, Iterable):
        raise PedkitError(f"expected {name} to be a file or {kind.__name__} objects, but got {given!r}")
    objects = tuple(given)
    seen: set[str] = set()
    for number, entry in enumerate(objects):
        if not isinstance(entry, kind):
            raise PedkitError(
                f"expected {name} to hold {kind.__name__} objects, but entry {number} is {entry!r}",
                hint=f"{kind.__name__}.from_dict makes one of a JSON object" if isinstance(entry, dict) else None,
            )
        if entry.id in seen:
            raise PedkitError("this id stands twice", utterance=entry.id)
        seen.add(entry.id)
    return objects


def _names(files: Sequence[Path]) -> list[str]:
    """Return a name of each file: its stem, with what it takes to tell files of one stem apart.

    That is as many folders as it takes before the stem, else before the whole name.
    """
    seen: set[Path] = set()
    for path in files:
        if path.resolve() in seen:
            raise PedkitError("this predictions file is given twice", file=path)
        seen.add(path.resolve())
    names: dict[Path, str] = {}
    for ending in (False, True):
        for depth in range(1, max(len(path.parts) for path in files) + 1):
            called = Counter(_called(path, depth, ending=ending) for path in files)
            for path in files:
                if called[name := _called(path, depth, ending=ending)] == 1:
                    names.setdefault(path, name)
    found = [names[path] for path in files]
    return found if len(set(found)) == len(found) else [path.as_posix() for path in files]  # x.csv.jsonl, x.csv


def _called(path: Path, depth: int, *, ending: bool) -> str:
    return Path(*path.parts[-depth:-1], path.name if ending else path.stem).as_posix()


def _checked(sources: dict[str, PredictionSource]) -> dict[str, PredictionSource]:
    if not sources:
        raise PedkitError("expected at least one predictions file")
    for source in sources.values():
        if source.path is not None:
            # A missing or empty file stops before the first system is scored.
            detect_format(source.path, source.readers)
    return sources


def _file(path: Path) -> dict[str, str | None]:
    return {"path": str(path), "sha256": file_hash(path)}
