"""What the readers ``table`` and ``hub`` share: records in, utterances out, every fault with its place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from pedkit.data.readers.columns import ColumnMap
from pedkit.data.readers.options import require_texts
from pedkit.data.readers.records import AudioFinder, RecordReader, RecordSettings
from pedkit.data.utterance import Utterance
from pedkit.errors import PedkitError

MAP_OPTIONS = ("columns", "values", "constants")
RECORD_OPTIONS = (
    "corpus", "speaker_prefix", "language", "inventory", "phones", "separator", "drop", "missing", "numbers",
    "rest",
)  # fmt: skip

Record = tuple[int, Mapping[str, Any]]
"""Line or row number, counted from 1, and the cells by column."""


@dataclass(frozen=True, slots=True)
class MappedSource:
    """A source of records and how they are read.

    Attributes:
        file: The table or data set, as errors name it.
        options: Options of the reader that say how records are read (``MAP_OPTIONS`` and ``RECORD_OPTIONS``).
        corpus: Name of the corpus where the options do not say it.
        find_audio: How the value of the audio column becomes a path.
        label: What to write into ``extra.preset``; ``None`` without a preset.
        defaults: Field -> value of every record, for fields that have neither a column nor a constant.
    """

    file: str | Path
    options: Mapping[str, Any]
    corpus: str
    find_audio: AudioFinder
    label: str | None
    defaults: Mapping[str, Any] = field(default_factory=dict)

    def utterances(self, records: Iterable[Record]) -> Iterator[Utterance]:
        """Yield one utterance a record.

        Raises:
            PedkitError: There is no record, a column is missing, an id stands twice, or a cell is not of the form
                that its field needs; file, line and utterance are named.
        """
        reader: RecordReader | None = None
        names: dict[str, None] = {}
        line_of: dict[str, int] = {}
        for line, record in records:
            try:
                reader = reader or self._reader(record)
                names |= dict.fromkeys(record)
                utterance = reader.utterance(record)
                if (before := line_of.setdefault(utterance.id, line)) != line:
                    raise PedkitError(f"this id stands already on line {before}", utterance=utterance.id)
            except PedkitError as error:
                raise error.at(file=self.file, line=line) from None
            yield self._marked(utterance)
        if reader is None:
            raise PedkitError("expected at least one line with an utterance, but there is none", file=self.file)
        try:
            reader.require_columns(list(names))
        except PedkitError as error:
            raise error.at(file=self.file) from None

    def _reader(self, first: Mapping[str, Any]) -> RecordReader:
        maps = {"columns": ColumnMap.of_names(first).columns, "constants": {}, **chosen(self.options, MAP_OPTIONS)}
        if all(isinstance(maps[name], Mapping) for name in ("columns", "constants")):  # else `ColumnMap` refuses
            missing = {name: value for name, value in self.defaults.items() if name not in maps["columns"]}
            maps["constants"] = {**missing, **maps["constants"]}
        settings = {"corpus": self.corpus, **chosen(self.options, RECORD_OPTIONS)}
        return RecordReader(ColumnMap(**maps), RecordSettings(**settings), self.find_audio)

    def _marked(self, utterance: Utterance) -> Utterance:
        if self.label is None:
            return utterance
        return replace(utterance, extra={**utterance.extra, "preset": self.label})


def chosen(options: Mapping[str, Any], names: Sequence[str]) -> dict[str, Any]:
    """Return those of the options that have one of these names."""
    return {name: options[name] for name in names if name in options}


def text_option(options: Mapping[str, Any], name: str) -> str:
    """Return an option that is text, empty where it is not given.

    Raises:
        PedkitError: It is something else.
    """
    require_texts(**{name: options.get(name)})
    return str(options.get(name) or "")
