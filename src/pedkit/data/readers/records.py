"""One record of a table to one `Utterance`, by a column map and what the user says of the corpus."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pedkit.data.readers.column_values import (
    PhoneCells,
    attribute,
    group_value,
    number,
    text,
    truth,
    verbatim,
)
from pedkit.data.readers.columns import Cell, ColumnMap, has_column, missing_column
from pedkit.data.readers.demography import age_group
from pedkit.data.readers.options import require_text_lists, require_texts
from pedkit.data.utterance import Utterance
from pedkit.errors import PedkitError

_NUMBERS = ("groups.age", "groups.height")
_PLAIN = (str, int, float, bool)

AudioFinder = Callable[[Any, str], str]
"""Column's value and utterance id -> path of the recording."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordSettings:
    """What the user says of a corpus beside the column map (``docs/corpora/table.md``).

    Attributes:
        corpus: Name of the corpus.
        speaker_prefix: What makes speakers unique across corpora; by default ``corpus:``.
        language: ISO 639-3 code of every line, unless a column has it.
        inventory: Inventory of all phones.
        phones: ``separated`` or ``flat`` (see `PhoneCells`). ``separator`` and ``drop`` as there.
        missing: What says that a prompt or a phone sequence is missing (see `verbatim`).
        numbers: Fields beside ``groups.age`` and ``groups.height`` that are numbers.
        rest: ``extra`` = columns that the map does not name go to ``extra``; ``drop`` = they are left out.
    """

    corpus: str
    speaker_prefix: str | None = None
    language: str | None = None
    inventory: str | None = None
    phones: str = "separated"
    separator: str = " "
    drop: Sequence[str] = ()
    missing: Sequence[str] | None = None
    numbers: Sequence[str] = ()
    rest: str = "extra"

    def __post_init__(self) -> None:
        if self.rest not in ("extra", "drop"):
            raise PedkitError(f"expected 'rest' to be one of extra, drop, but got {self.rest!r}")
        require_text_lists(drop=self.drop, missing=self.missing, numbers=self.numbers)
        texts = ("corpus", "speaker_prefix", "language", "inventory", "phones", "separator")
        require_texts(**{name: getattr(self, name) for name in texts})


@dataclass(slots=True)
class RecordReader:
    """Builds utterances from records of one table, and knows at the end whether every mapped column was there.

    Args:
        columns: The column map.
        settings: What else there is to know.
        find_audio: How the value of the audio column becomes a path.

    Raises:
        PedkitError: No column is the id, phones are mapped and nobody says of which inventory, or ``numbers`` has
            a field that nothing is mapped to.
    """

    columns: ColumnMap
    settings: RecordSettings
    find_audio: AudioFinder
    _phones: PhoneCells | None = field(init=False)
    _unseen: dict[str, str] = field(init=False)

    def __post_init__(self) -> None:
        fields = self.columns.fields()
        if "id" not in self.columns.columns:
            raise PedkitError(
                "expected 'columns' to name the column of the id",
                hint="a column that is different in every line; the one with the audio path will do",
            )
        if unused := sorted(set(self.settings.numbers) - {*fields, *_NUMBERS}):
            raise PedkitError(f"'numbers' has '{unused[0]}', but no column is mapped to it")
        self._phones = None
        if "canonical" in fields or "realized" in fields:
            if self.settings.inventory is None:
                raise PedkitError(
                    "expected 'inventory' to say which symbols the phones are",
                    hint="inventory=cmu39 for ARPAbet, inventory=ipa for IPA",
                )
            self._phones = PhoneCells(
                self.settings.inventory,
                self.settings.phones,
                self.settings.separator,
                frozenset(self.settings.drop),
            )
        self._unseen = {column: name for name, column in self.columns.columns.items()}

    def utterance(self, record: Mapping[str, Any]) -> Utterance:
        """Return the utterance of a record.

        Raises:
            PedkitError: A cell is not of the form that its field needs; the utterance is named.
        """
        if self._unseen:
            self._unseen = {c: name for c, name in self._unseen.items() if not has_column(record, c)}
        name = self._id(record)
        try:
            return Utterance.from_dict(self._line(name, record))
        except PedkitError as error:
            raise error.at(utterance=name) from None

    def require_columns(self, names: Sequence[str]) -> None:
        """Check that each mapped column was in at least one of the records read; ``names`` are those there.

        Raises:
            PedkitError: One was in none.
        """
        for column, name in self._unseen.items():
            raise missing_column(column, name, names)

    def _id(self, record: Mapping[str, Any]) -> str:
        cell = self.columns.cell(record, "id")
        if cell is None:
            raise missing_column(self.columns.columns["id"], "id", record)
        value = str(cell.value) if isinstance(cell.value, int) else cell.value
        if not isinstance(value, str) or not value.strip():
            raise PedkitError(f"expected an id in the column {cell.column!r}, but got {cell.value!r}")
        return value.strip()

    def _line(self, name: str, record: Mapping[str, Any]) -> dict[str, Any]:
        settings = self.settings
        line: dict[str, Any] = {"id": name, "corpus": settings.corpus, "language": settings.language}
        if self._phones is not None:
            line["inventory"] = settings.inventory
        for field_name in self.columns.fields():
            cell = self.columns.cell(record, field_name)
            if cell is not None and "." not in field_name and field_name not in ("id", "audio"):
                value = self._value(field_name, cell)
                line[field_name] = line.get(field_name) if value is None else value
        line["audio"] = self._audio(name, record)
        line["groups"], line["groups_raw"] = self._groups(record)
        line["extra"] = self._extra(record)
        return {key: value for key, value in line.items() if value is not None and value != {}}

    def _value(self, name: str, cell: Cell) -> Any:
        if name in ("canonical", "realized"):
            value = verbatim(cell, self.settings.missing)
            return None if value is None or self._phones is None else self._phones.split(value, cell.column)
        if name == "text":
            return text(Cell(cell.column, verbatim(cell, self.settings.missing), True))
        if name == "may_upload":
            return truth(cell)
        if name == "target_span":
            return _span(cell)
        value = text(cell)
        if name != "speaker" or value is None:
            return value
        prefix = self.settings.speaker_prefix
        return (f"{self.settings.corpus}:" if prefix is None else prefix) + value

    def _audio(self, name: str, record: Mapping[str, Any]) -> dict[str, Any] | None:
        cell = self.columns.cell(record, "audio")
        value = None if cell is None else attribute(cell)
        if value is None:
            return None
        parts = {key: self._number(record, f"audio.{key}") for key in ("channel", "start", "end", "duration")}
        end = parts.pop("end")
        if end is not None and parts["duration"] is None:
            parts["duration"] = round(end - (parts["start"] or 0), 6)
        return {"path": self.find_audio(value, name)} | {k: v for k, v in parts.items() if v is not None}

    def _number(self, record: Mapping[str, Any], name: str) -> int | float | None:
        cell = self.columns.cell(record, name)
        return None if cell is None else number(cell)

    def _groups(self, record: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
        groups: dict[str, Any] = {}
        raw: dict[str, Any] = {}
        for name in self.columns.fields():
            cell = self.columns.cell(record, name) if name.startswith("groups.") else None
            if cell is None:
                continue
            key = name.removeprefix("groups.")
            value = group_value(key, cell, numeric=name in _NUMBERS or name in self.settings.numbers)
            if value is not None:
                groups[key] = value
            if name in self.columns.columns:
                written = self.columns.as_written(record, name)
                raw |= {cell.column: written} if isinstance(written, _PLAIN) and written != "" else {}
        if "age" in groups and "groups.age_group" not in self.columns.fields():
            groups["age_group"] = age_group(groups["age"])
        return groups, raw

    def _extra(self, record: Mapping[str, Any]) -> dict[str, Any]:
        extra: dict[str, Any] = {}
        if self.settings.rest == "extra":
            mapped = set(self.columns.columns.values())
            for column, value in record.items():
                plain = attribute(Cell(column, value, False)) if isinstance(value, _PLAIN) else None
                if column not in mapped and plain is not None:
                    extra[column] = plain
        for name in self.columns.fields():
            cell = self.columns.cell(record, name) if name.startswith("extra.") else None
            if cell is not None:
                value = number(cell) if name in self.settings.numbers else attribute(cell)
                extra |= {} if value is None else {name.removeprefix("extra."): value}
        return extra


def _span(cell: Cell) -> Any:
    """Return ``[2, 5]`` from a list or from text such as ``2:5``, ``2-5`` or ``[2, 5]``."""
    value = attribute(cell)
    if not isinstance(value, str):
        return value
    parts = value.strip("[]() ").replace(":", " ").replace("-", " ").replace(",", " ").split()
    if len(parts) != 2 or not all(part.isdecimal() for part in parts):
        raise PedkitError(f"expected two indices such as 2:5 in the column {cell.column!r}, but got {value!r}")
    return [int(part) for part in parts]
