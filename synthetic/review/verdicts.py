"""The CSV files of reviewers: read back with the place of every fault."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from pedkit.data.readers.cells import Row, decoded, read_table
from pedkit.errors import PedkitError

VERDICTS = ("accept", "reject", "unsure")
COLUMNS = ("set", "reviewer", "id", "verdict", "note")


@dataclass(frozen=True, slots=True)
class Review:
    """What one reviewer made of one recording.

    Attributes:
        set: `MadeSet.mark` of the set.
        reviewer: Name.
        id: Of the utterance.
        verdict: One of `VERDICTS`.
        note: Free text; empty where there is none.
    """

    set: str
    reviewer: str
    id: str
    verdict: str
    note: str = ""

    def to_json(self) -> dict[str, Any]:
        """Return the line of ``reviews.jsonl``."""
        return asdict(self)


def read_reviews(path: str | Path, mark: str, known: Container[str]) -> list[Review]:
    """Read the file of one reviewer.

    Lines without a verdict are left out. The columns ``id`` and ``verdict`` must be there; a spreadsheet may have
    changed the delimiter, the encoding and the order of the columns. Without the column ``reviewer`` the name of
    the file is the reviewer's.

    Args:
        path: CSV file with the columns `COLUMNS`.
        mark: `MadeSet.mark` of the set that was reviewed.
        known: Ids of the set.

    Raises:
        PedkitError: A column is missing; a line is of another set or another reviewer, has an unknown id or
            verdict, or an id stands twice; file and line are named.
    """
    reviews: dict[str, Review] = {}
    lines: dict[str, int] = {}
    for row in read_table(path, encoding=_encoding(Path(path))):
        try:
            review = _review(row, Path(path), mark)
            if review is None:
                continue
            if review.id not in known:
                raise PedkitError("there is no such recording in this set", utterance=review.id)
            if review.id in lines:
                raise PedkitError(f"this id stands already on line {lines[review.id]}", utterance=review.id)
            first = next(iter(reviews.values()), review)
            if review.reviewer != first.reviewer:
                raise PedkitError(
                    f"expected one reviewer a file, but got {review.reviewer} after {first.reviewer}"
                )
        except PedkitError as error:
            raise error.at(file=path, line=row.line) from None
        reviews[review.id], lines[review.id] = review, row.line
    return list(reviews.values())


def _encoding(path: Path) -> str | None:
    """Return the encoding in which spreadsheets on Windows save CSV where it is neither UTF-8 nor UTF-16."""
    try:
        decoded(path)
    except PedkitError:
        return "cp1252"
    return None


def _review(row: Row, path: Path, mark: str) -> Review | None:
    cells = {name.strip().lower(): cell.strip() for name, cell in row.written.items()}
    for name in ("id", "verdict"):
        if name not in cells:
            raise PedkitError(f"expected a column '{name}', but got {', '.join(cells)}")
    verdict = cells["verdict"].lower()
    if not verdict:
        return None
    if verdict not in VERDICTS:
        raise PedkitError(f"expected {', '.join(VERDICTS)} or nothing as verdict, but got {cells['verdict']!r}")
    if cells.get("set", mark) != mark:
        raise PedkitError(f"this verdict is of another set ({cells['set']}), not of this one ({mark})")
    return Review(mark, cells.get("reviewer") or path.stem, cells["id"], verdict, cells.get("note", ""))
