"""Opening a Hugging Face data set, from the Hub or from disk, so that no recording is decoded."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

from pedkit.errors import PedkitError

ROW_COLUMN = "hub_row"
"""A column that every data set has here: split and row number, such as ``train-12``."""

_FORMATS = {".parquet": "parquet", ".jsonl": "json", ".json": "json", ".csv": "csv", ".arrow": "arrow"}
_HUB_NAME = re.compile(r"[\w.-]+/[\w.-]+")
_SAVED = ("dataset_dict.json", "state.json")

Split = Any
"""A ``datasets.Dataset`` or ``datasets.IterableDataset``; the library is an extra and has no types."""


def open_splits(
    name: str, *, config: str | None, split: str | None, revision: str | None, streaming: bool
) -> dict[str, Split]:
    """Return the splits of a data set by name; columns of recordings and pictures are not decoded.

    Args:
        name: ``owner/name`` on the Hub, a folder in the Hub's form, one written by ``save_to_disk``, or a single
            Parquet, Arrow, JSON or CSV file.
        config: Configuration of the data set, such as a language.
        split: One split; ``None`` for all.
        revision: Branch, tag or commit on the Hub.
        streaming: Fetch rows as they are read, instead of the whole data set first.

    Raises:
        PedkitError: The library is missing, or the data set cannot be loaded.
    """
    try:
        import datasets
    except ImportError:
        raise PedkitError(
            "reading a Hugging Face data set needs the library 'datasets'", hint="pip install 'pedkit[hub]'"
        ) from None
    try:
        found = _load(datasets, name, config, revision, streaming)
    except (OSError, ValueError, ImportError, datasets.exceptions.DatasetsError) as error:
        raise _cannot_load(name, error) from None
    splits = dict(found) if isinstance(found, Mapping) else {str(found.split or "train"): found}
    if split is not None:
        if split not in splits:
            raise PedkitError(f"there is no split {split!r} (there are: {', '.join(splits)})", file=name)
        splits = {split: splits[split]}
    return {key: _undecoded(datasets, part) for key, part in splits.items()}


def rows(name: str, key: str, part: Split, limit: int | None) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield row number, counted from 1, and cells by column; class labels come by their names.

    Raises:
        PedkitError: The data set breaks off.
    """
    labels = {column: feature for column, feature in (part.features or {}).items() if hasattr(feature, "int2str")}
    stream = enumerate(islice(iter(part), limit), start=1)
    while True:
        try:
            number, row = next(stream)
        except StopIteration:
            return
        except (OSError, ValueError, ImportError) as error:
            raise _cannot_load(name, error) from None
        named = {column: _label(feature, row[column]) for column, feature in labels.items()}
        yield number, {**row, **named, ROW_COLUMN: f"{key}-{number}"}


def _load(datasets: Any, name: str, config: str | None, revision: str | None, streaming: bool) -> Any:
    path = Path(name)
    if path.is_dir() and any((path / marker).is_file() for marker in _SAVED):
        return datasets.load_from_disk(name)
    if path.is_file():
        if path.suffix.lower() not in _FORMATS:
            raise PedkitError(f"expected a file that ends in one of {', '.join(_FORMATS)}", file=name)
        return datasets.load_dataset(_FORMATS[path.suffix.lower()], data_files=name, streaming=streaming)
    if not path.exists() and _HUB_NAME.fullmatch(name) is None:
        raise PedkitError(
            "expected a data set of the Hub (owner/name) or its folder, but there is none", file=name
        )
    return datasets.load_dataset(name, config, revision=revision, streaming=streaming)


def _undecoded(datasets: Any, part: Split) -> Split:
    for column, feature in (part.features or {}).items():
        if isinstance(feature, datasets.Audio | datasets.Image):
            part = part.cast_column(column, type(feature)(decode=False))
    return part


def _label(feature: Any, value: Any) -> Any:
    return None if value is None or value < 0 else feature.int2str(value)


def _cannot_load(name: str, error: Exception) -> PedkitError:
    if isinstance(error, PedkitError):
        return error
    lines = [line.strip() for line in str(error.__cause__ or error).splitlines() if line.strip()]
    hint = None
    if "torchcodec" in str(error) or "torchcodec" in str(error.__cause__):
        hint = "a folder of loose recordings with a table is read by 'pedkit prepare table'"
    return PedkitError(
        f"the data set cannot be loaded: {lines[0] if lines else type(error).__name__}", file=name, hint=hint
    )
