"""Column maps: which column of a stranger's table is which field of an `Utterance`.

Used by the readers ``table`` and ``hub``; the fields and their forms stand in ``docs/corpora/table.md``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from pedkit.close_names import guess
from pedkit.errors import PedkitError

FIELDS = (
    "id", "audio", "audio.channel", "audio.start", "audio.end", "audio.duration", "text", "language", "split",
    "canonical", "canonical_variant", "realized", "level", "source_id", "speaker", "target_span", "may_upload",
)  # fmt: skip
"""Fields that a column can become, beside any ``groups.<key>`` and ``extra.<key>``."""

_OPEN = ("groups.", "extra.")


class Cell(NamedTuple):
    """One cell on its way into a field: the column it is from, its value, and whether a value map gave it."""

    column: str
    value: Any
    mapped: bool


@dataclass(frozen=True, slots=True)
class ColumnMap:
    """Where the fields of an utterance come from.

    Args:
        columns: Field -> column. A column of a nested record is named with dots (``speaker.age``,
            ``labels.0.phones``); a column may become several fields.
        values: Field -> what a cell says -> what it means, such as ``{"split": {"validation": "dev"}}``; a
            meaning of ``None`` is a missing value. Cells that are not listed stay as they are.
        constants: Field -> the value that it has in every line.

    Raises:
        PedkitError: A field is unknown, is both a column and a constant, or has a value map and no column.
    """

    columns: Mapping[str, str]
    values: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    constants: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for what, given in (("columns", self.columns), ("values", self.values), ("constants", self.constants)):
            if not isinstance(given, Mapping):
                raise PedkitError(f"expected '{what}' to be an object of fields, but got {given!r}")
            for name in given:
                _check_field(name, what)
        for name, column in self.columns.items():
            if not isinstance(column, str):
                raise PedkitError(f"expected 'columns' to name a column for '{name}', but got {column!r}")
        for name, meanings in self.values.items():
            if not isinstance(meanings, Mapping):
                raise PedkitError(f"expected 'values' to map what cells of '{name}' mean, but got {meanings!r}")
        if unused := sorted(set(self.values) - set(self.columns)):
            raise PedkitError(f"'values' says what cells of '{unused[0]}' mean, but no column is mapped to it")
        if both := sorted(set(self.columns) & set(self.constants)):
            raise PedkitError(f"'{both[0]}' is both a column and a constant")

    @classmethod
    def of_names(cls, names: Iterable[str]) -> ColumnMap:
        """Map each column that is called like a field (``id``, ``realized``, ``groups.gender``) to that field."""
        return cls({name: name for name in names if is_field(name)})

    def cell(self, record: Mapping[str, Any], name: str) -> Cell | None:
        """Return what the record or the constants say of a field, ``None`` where neither says anything."""
        if name in self.constants:
            return Cell("constants", self.constants[name], True)
        column = self.columns.get(name)
        if column is None or not has_column(record, column):
            return None
        value = _look_up(record, column)
        meanings = self.values.get(name, {})
        key = value.strip() if isinstance(value, str) else str(value)
        return Cell(column, meanings[key], True) if key in meanings else Cell(column, value, False)

    def as_written(self, record: Mapping[str, Any], name: str) -> Any:
        """Return what the column of a field says, before any value map."""
        return _look_up(record, self.columns[name])

    def fields(self) -> tuple[str, ...]:
        """Return the fields that have a column or a constant."""
        return (*self.columns, *self.constants)


def is_field(name: str) -> bool:
    """Return whether an utterance has a field of that name."""
    return name in FIELDS or (name.startswith(_OPEN) and not name.endswith("."))


def has_column(record: Mapping[str, Any], column: str) -> bool:
    """Return whether the record has that column, at the top or, by a dotted name, further inside."""
    try:
        _look_up(record, column)
    except KeyError:
        return False
    return True


def missing_column(column: str, name: str, there: Iterable[str]) -> PedkitError:
    """Return the error for a column that is in no record."""
    names = [str(key) for key in there]
    return PedkitError(
        f"there is no column {column!r} for '{name}' (there are: {', '.join(names)}){guess(column, names)}"
    )


def _look_up(record: Mapping[str, Any], column: str) -> Any:
    if column in record:
        return record[column]
    inside: Any = record
    for part in column.split("."):
        if isinstance(inside, list) and part.isdecimal() and int(part) < len(inside):
            inside = inside[int(part)]
        elif isinstance(inside, Mapping):
            inside = inside[part]
        else:
            raise KeyError(column)
    return inside


def _check_field(name: str, what: str) -> None:
    if is_field(name):
        return
    known, close = ", ".join(FIELDS), guess(name, FIELDS)
    raise PedkitError(
        f"'{what}' has the unknown field {name!r} (there are: {known}, groups.<key>, extra.<key>){close}"
    )
