"""Data sets of the Hugging Face Hub with a column map, by the extra ``hub``. Manual: ``docs/corpora/hub.md``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from pedkit.data.readers.hub_audio import HubAudio
from pedkit.data.readers.hub_source import Split, open_splits, rows
from pedkit.data.readers.mapped import MappedSource, text_option
from pedkit.data.readers.presets import merged_options
from pedkit.data.utterance import Utterance
from pedkit.errors import PedkitError

SPLIT_NAMES = {"validation": "dev", "valid": "dev", "val": "dev"}
"""The Hub's names of splits that have another name in pedkit."""


def read_hub(
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
    config: str | None = None,
    split: str | None = None,
    revision: str | None = None,
    streaming: bool | None = None,
    limit: int | None = None,
    audio_folder: str | None = None,
    audio_out: str | None = None,
) -> Iterator[Utterance]:
    """Yield one utterance a row, split by split.

    Where no column is mapped to ``split``, it is the data set's own split, ``validation`` as ``dev``.

    Args:
        root: ``owner/name`` on the Hub, or a folder or file on disk (see `open_splits`).
        columns: Field -> column; a part of a nested column is named with dots (``audio.path``), and
            ``hub_row`` is split and row number.
        preset: Like all to ``rest``, as of `pedkit.data.readers.read_mapped_table`.
        values: Field -> cell -> meaning.
        constants: Field -> value of every row.
        speaker_prefix: Written before each speaker.
        language: ISO 639-3 code.
        inventory: Inventory of the phones.
        phones: ``separated`` or ``flat``.
        separator: What stands between phones.
        drop: Symbols that are no phones.
        missing: What says that a prompt or phone sequence is missing.
        numbers: Fields that are numbers.
        rest: ``extra`` or ``drop``.
        corpus: Name of the corpus; by default the last part of ``root``.
        config: Configuration of the data set, such as a language.
        split: One split of the data set; by default all.
        revision: Branch, tag or commit on the Hub.
        streaming: Fetch rows as they are read, instead of the whole data set first.
        limit: At most so many rows of each split.
        audio_folder: Where relative audio paths start; by default ``root`` where that is a folder.
        audio_out: Folder to write recordings to that the data set holds as bytes.

    Raises:
        PedkitError: The library or data set is missing, or a cell is not of the form that its field needs.
    """
    given = {name: value for name, value in locals().items() if name not in ("root", "preset")}
    options, label = merged_options(preset, "hub", given)
    _check(options)
    name = str(root)
    splits = open_splits(
        name,
        config=options.get("config"),
        split=options.get("split"),
        revision=options.get("revision"),
        streaming=options.get("streaming", False),
    )
    source = MappedSource(name, options, Path(root).stem, _find_audio(Path(root), options), label)
    return _utterances(source, splits, options.get("limit"))


def _find_audio(root: Path, options: Mapping[str, Any]) -> HubAudio:
    start = root if root.is_dir() else root.parent if root.is_file() else Path()
    out = text_option(options, "audio_out")
    return HubAudio(start / text_option(options, "audio_folder"), Path(out) if out else None)


def _utterances(source: MappedSource, splits: Mapping[str, Split], limit: int | None) -> Iterator[Utterance]:
    for key, part in splits.items():
        here = MappedSource(
            f"{source.file} [{key}]",
            source.options,
            source.corpus,
            source.find_audio,
            source.label,
            defaults={"split": SPLIT_NAMES.get(key, key)},
        )
        yield from here.utterances(rows(str(source.file), key, part, limit))


def _check(options: Mapping[str, Any]) -> None:
    limit, streaming = options.get("limit"), options.get("streaming", False)
    if limit is not None and (isinstance(limit, bool) or not isinstance(limit, int) or limit < 1):
        raise PedkitError(f"expected 'limit' to be a whole number, 1 or more, but got {limit!r}")
    if not isinstance(streaming, bool):
        raise PedkitError(f"expected 'streaming' to be true or false, but got {streaming!r}")
    for name in ("config", "split", "revision"):
        text_option(options, name)
