"""Any corpus that is a table: CSV, TSV or JSON lines with a column map. Manual: ``docs/corpora/table.md``."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from pedkit.data.jsonl import read_jsonl
from pedkit.data.provenance import provenance_path
from pedkit.data.readers.cells import iter_table
from pedkit.data.readers.files import resolved
from pedkit.data.readers.mapped import MappedSource, Record, text_option
from pedkit.data.readers.presets import merged_options
from pedkit.data.utterance import Utterance
from pedkit.errors import PedkitError

_JSON_ENDINGS = (".jsonl", ".ndjson")
_ENDINGS = (".csv", ".tsv", ".tab", *_JSON_ENDINGS)


def read_mapped_table(
    root: str | Path,
    *,
    columns: Mapping[str, str] | None = None,
    preset: str | None = None,
    values: Mapping[str, Mapping[str, Any]] | None = None,
    constants: Mapping[str, Any] | None = None,
    corpus: str | None = None,
    speaker_prefix: str | None = None,
    language: str | None = None,
    inventory: str | None = None,
    phones: str | None = None,
    separator: str | None = None,
    drop: Sequence[str] | None = None,
    missing: Sequence[str] | None = None,
    numbers: Sequence[str] | None = None,
    rest: str | None = None,
    table: str | None = None,
    delimiter: str | None = None,
    quoted: bool | None = None,
    encoding: str | None = None,
    audio_folder: str | None = None,
    audio_suffix: str | None = None,
) -> Iterator[Utterance]:
    """Yield one utterance a line of the table, in its order.

    Args:
        root: The table, or the folder that it lies in.
        columns: Field -> column (see `ColumnMap`); by default the columns that are called like fields.
        preset: Name of a shipped preset, or a JSON file of these options; what is given here goes before it.
        values: Field -> cell -> meaning (see `ColumnMap`).
        constants: Field -> value of every line.
        corpus: Name of the corpus; by default that of the file without its ending.
        speaker_prefix: Written before each speaker; by default ``corpus:``. ``""`` for none.
        language: ISO 639-3 code, such as ``eng``.
        inventory: ``cmu39``, ``ipa`` or a TIMIT inventory; must be said where phones are mapped.
        phones: ``separated`` (default) or ``flat`` for IPA without separators.
        separator: What stands between phones; by default blanks.
        drop: Symbols that are no phones, such as ``sil``.
        missing: What says that a prompt or phone sequence is missing, such as ``["NA"]``; blank always does.
        numbers: Fields that are numbers, such as ``extra.score``.
        rest: ``extra`` (default) keeps the columns that are not mapped in ``extra``; ``drop`` leaves them out.
        table: Name of the table in the folder, where that holds several.
        delimiter: One character; by default told from the first line. ``quoted`` and ``encoding``: see
            `pedkit.data.readers.cells.read_table`.
        quoted: Whether cells may stand in double quotes (default) or quotes are text.
        encoding: By default UTF-8 or UTF-16, told from the file.
        audio_folder: Where relative audio paths start; by default the folder of the table.
        audio_suffix: Added to each audio path, such as ``.wav``.

    Raises:
        PedkitError: The table cannot be found or read, or a cell is not of the form its field needs; file, line
            and utterance are named.
    """
    given = {name: value for name, value in locals().items() if name not in ("root", "preset")}
    options, label = merged_options(preset, "table", given)
    path = _find_table(Path(root), text_option(options, "table"))
    folder, suffix = path.parent / text_option(options, "audio_folder"), text_option(options, "audio_suffix")
    form = {name: text_option(options, name) for name in ("delimiter", "encoding")}
    if not isinstance(options.get("quoted", True), bool):
        raise PedkitError(f"expected 'quoted' to be true or false, but got {options['quoted']!r}")
    source = MappedSource(path, options, path.stem, functools.partial(_audio_path, folder, suffix), label)
    return source.utterances(_records(path, form, quoted=options.get("quoted", True)))


def _find_table(root: Path, name: str) -> Path:
    if root.is_file():
        return root
    if not root.is_dir():
        raise PedkitError("expected a table or the folder it lies in, but there is no such file", file=root)
    if name:
        if not (root / name).is_file():
            raise PedkitError(f"expected the table {name!r} in this folder", file=root)
        return root / name
    found = [path for path in sorted(root.iterdir()) if path.suffix.lower() in _ENDINGS and path.is_file()]
    found = [path for path in found if not provenance_path(path).is_file()]  # pedkit's own manifests
    if len(found) != 1:
        names = ", ".join(path.name for path in found) or "none"
        raise PedkitError(
            f"expected one table ({', '.join(_ENDINGS)}) in this folder, but there are: {names}",
            file=root,
            hint="table=NAME chooses one",
        )
    return found[0]


def _records(path: Path, form: Mapping[str, str], *, quoted: bool) -> Iterator[Record]:
    if path.suffix.lower() in _JSON_ENDINGS:
        yield from read_jsonl(path)
        return
    given = {name: value for name, value in form.items() if value}
    for row in iter_table(path, quoted=quoted, hint="name the encoding, as in encoding=cp1252", **given):
        yield row.line, row.written


def _audio_path(folder: Path, suffix: str, value: Any, _utterance: str) -> str:
    if not isinstance(value, str):
        raise PedkitError(f"expected an audio path, but got {value!r}")
    return resolved(folder, value + suffix)
