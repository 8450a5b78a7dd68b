"""CSV, text and JSON files that appear under their names only when complete."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

PARTIAL = ".partial"
"""Ending of a file that is still being written; it stays when the run stops, so nothing computed is lost."""


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


def write_csv(path: str | Path, columns: Sequence[str], rows: Iterable[Iterable[Any]]) -> None:
    """Write a whole table at once, all or nothing."""
    with StreamedCsv(path, columns) as table:
        table.rows(rows)


def write_json(path: str | Path, content: Mapping[str, Any]) -> None:
    """Write a JSON file, all or nothing; what is undefined is null, never NaN."""
    with StreamedText(path) as file:
        json.dump(content, file.stream, ensure_ascii=False, indent=2, allow_nan=False)
        file.stream.write("\n")
