"""CSV, text and JSON files that appear under their names only when complete."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self, TypeVar

PARTIAL = ".partial"
"""Ending of a file that is still being written; it stays when the run stops, so nothing computed is lost."""

F = TypeVar("F", bound="StreamedText")


class StreamedText:
    """A text file under the name ``<name>.partial`` until `complete`.

    Args:
        path: The final name.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self._partial = self.path.with_name(self.path.name + PARTIAL)
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.stream: IO[str] = self._partial.open("w", encoding="utf-8", newline="")

    def complete(self) -> None:
        """Close the file and give it its name; an older file of that name is replaced."""
        self.stream.close()
        self._partial.replace(self.path)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is None:
            self.complete()
        else:
            self.stream.close()


class StreamedCsv(StreamedText):
    """A CSV file of that kind, with a header.

    Args:
        path: The final name.
        columns: Names of the columns.
    """

    def __init__(self, path: str | Path, columns: Sequence[str]) -> None:
        super().__init__(path)
        writer = csv.writer(self.stream, lineterminator="\n")
        writer.writerow(columns)
        self.rows = writer.writerows


class FilesTogether:
    """Files of one folder that get their names together, in the order they were begun, when all are complete.

    Where the block ends by an error none gets its name: an older result stays whole, and what was written stays
    beside it.

    Args:
        folder: Where to write; made with the first file.
        names: Of all files that a result in this folder may have. Where the file that was begun last replaces an
            older one, those of the older result that this one lacks are removed: they would be read as its parts.
    """

    def __init__(self, folder: str | Path, names: Iterable[str] = ()) -> None:
        self.folder, self._names = Path(folder), frozenset(names)
        self._files: list[StreamedText] = []

    def text(self, name: str) -> StreamedText:
        """Begin a text file."""
        return self._begun(StreamedText(self.folder / name))

    def csv(self, name: str, columns: Sequence[str]) -> StreamedCsv:
        """Begin a table."""
        return self._begun(StreamedCsv(self.folder / name, columns))

    def table(self, name: str, columns: Sequence[str], rows: Iterable[Iterable[Any]]) -> None:
        """Write a whole table."""
        self.csv(name, columns).rows(rows)

    def json(self, name: str, content: Mapping[str, Any]) -> None:
        """Write a JSON file; what is undefined is null, never NaN."""
        _dump(content, self.text(name).stream)

    def _begun(self, file: F) -> F:
        self._files.append(file)
        return file

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for file in self._files:  # all of them first: the last lines of one may not fit on the disk
            file.stream.close()
        if error is None:
            self._remove_older()
            for file in self._files:
                file.complete()

    def _remove_older(self) -> None:
        if self._files and self._files[-1].path.exists():
            for name in self._names.difference(file.path.name for file in self._files):
                (self.folder / name).unlink(missing_ok=True)


def write_json(path: str | Path, content: Mapping[str, Any]) -> None:
    """Write a JSON file, all or nothing; what is undefined is null, never NaN."""
    with StreamedText(path) as file:
        _dump(content, file.stream)


def _dump(content: Mapping[str, Any], stream: IO[str]) -> None:
    json.dump(content, stream, ensure_ascii=False, indent=2, allow_nan=False)
    stream.write("\n")
