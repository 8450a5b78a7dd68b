"""Reading other tools' predictions: pedkit JSON lines, PRiSM's transcription.json, Kaldi ``text``, CSV and TSV."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from pedkit.data.jsonl import STRICT_DECODER, read_jsonl
from pedkit.data.prediction import Prediction
from pedkit.errors import PedkitError

Numbered = Iterator[tuple[int | None, Prediction]]
"""Predictions with the line each stands on (``None`` where the format has no lines)."""

Readers = Mapping[str, Callable[[Path], Numbered]]
"""Reader of each format, by the name that ``format=`` takes."""

_NOT_A_NUMBER = frozenset({"nan", "none", "null", "<na>"})
_PRISM_IDS = ("utt_id", "key", "id")
_PRISM_PHONES = "processed_transcript"


def iter_predictions(path: str | Path, format: str = "auto", readers: Readers | None = None) -> Numbered:
    """Yield ``(line number, prediction)`` from a file in any of the formats of `FORMATS`.

    Args:
        path: The file.
        format: ``auto`` decides from the name and the first line (`detect_format`).
        readers: What reads each format; `FORMATS` where ``None``.

    Raises:
        PedkitError: A broken line, an id without text or standing twice, or an unknown format. File, line
            and utterance are named.
    """
    readers = FORMATS if readers is None else readers
    name = detect_format(path, readers) if format == "auto" else format
    if name not in readers:
        raise PedkitError(f"expected format to be auto or one of {', '.join(readers)}, but got {name!r}")
    seen: dict[str, int | None] = {}
    for line, prediction in readers[name](Path(path)):
        if prediction.id in seen:
            where = "" if seen[prediction.id] is None else f" (first on line {seen[prediction.id]})"
            raise PedkitError(f"this id stands twice{where}", file=path, line=line, utterance=prediction.id)
        seen[prediction.id] = line
        yield line, prediction


def detect_format(path: str | Path, readers: Readers | None = None) -> str:
    """Return the name of the format: by the file's ending, else by its first line.

    Args:
        path: The file.
        readers: What could read it; `FORMATS` where ``None``.

    Raises:
        PedkitError: The file is missing, empty or not text.
    """
    first = _first_line(Path(path))
    suffix = Path(path).suffix.lower()
    if suffix in (".csv", ".tsv"):
        return "csv"
    if first.startswith(("{", "[")) or suffix in (".json", ".jsonl"):
        known = FORMATS if readers is None else readers
        return "prism" if "prism" in known and _is_prism(first, suffix) else "pedkit"
    cells = first.replace("\t", ",").split(",")
    return "csv" if len(cells) > 1 and {"id", "phones"} <= {cell.strip().lower() for cell in cells} else "kaldi"


def _first_line(path: Path) -> str:
    try:
        with path.open("rb") as stream:
            for raw in stream:
                if raw.strip():
                    return raw.decode("utf-8-sig").strip()
    except FileNotFoundError:
        raise PedkitError("no such file", file=path) from None
    except OSError as error:
        raise PedkitError(f"cannot be read: {error.strerror}", file=path) from None
    except UnicodeDecodeError:
        raise PedkitError("expected UTF-8 text", file=path, line=1) from None
    raise PedkitError("the file is empty", file=path, hint="a predictions file has one line an utterance")


def _is_prism(first: str, suffix: str) -> bool:
    """Say whether a first line begins PRiSM's one object (``.json``) or is a line of its shards."""
    try:
        value = json.loads(first)
    except (ValueError, RecursionError):
        return suffix == ".json"  # an object over several lines
    entries = list(value.values()) if isinstance(value, dict) else []
    if suffix == ".json":
        return not (entries and isinstance(value.get("id"), str))  # else JSON lines, as NeMo names them
    return bool(entries) and all(isinstance(one, dict) and "pred" in one for one in entries)


def _read_pedkit(path: Path) -> Numbered:
    for number, line in read_jsonl(path):
        try:
            yield number, Prediction.from_dict(line)
        except PedkitError as error:
            raise error.at(file=path, line=number) from None


def _read_kaldi(path: Path) -> Numbered:
    for number, line in text_lines(path):
        name, *phones = line.split()
        yield number, _from_phones(name, tuple(phones))


def _read_csv(path: Path) -> Numbered:
    lines = text_lines(path)
    try:
        header = next(lines)
    except StopIteration:
        raise PedkitError("the file is empty", file=path) from None
    delimiter = "\t" if "\t" in header[1] else ","
    columns = [cell.strip() for cell in _cells(header[1], delimiter, path, header[0])]
    for column in ("id", "phones"):
        if columns.count(column) != 1:
            raise PedkitError(
                f"expected one column id and one column phones, but got {', '.join(columns)}",
                file=path,
                line=header[0],
            )
    for number, text in lines:
        cells = _cells(text, delimiter, path, number)
        if len(cells) != len(columns):
            raise PedkitError(f"expected {len(columns)} cells, but got {len(cells)}", file=path, line=number)
        try:
            yield number, _from_row(dict(zip(columns, cells, strict=True)))
        except PedkitError as error:
            raise error.at(file=path, line=number) from None


def _cells(text: str, delimiter: str, path: Path, number: int) -> list[str]:
    try:
        return next(csv.reader([text], delimiter=delimiter, strict=True))
    except csv.Error as error:
        raise PedkitError(f"not a CSV line: {error}", file=path, line=number) from None


def _from_row(row: Mapping[str, str]) -> Prediction:
    if row["phones"].strip().lower() in _NOT_A_NUMBER:
        raise PedkitError(
            f"expected phones, but got {row['phones'].strip()!r}, a missing value written as text",
            utterance=row["id"],
            hint="leave the cell empty where nothing was heard",
        )
    line: dict[str, Any] = {"id": row["id"].strip(), "phones": row["phones"]}
    for column in ("status", "inventory", "reason", "model"):
        if row.get(column, "").strip():
            line[column] = row[column].strip()
    if "status" not in line and not row["phones"].split():
        line["status"] = "empty"
    return Prediction.from_dict(line)


def _read_prism(path: Path) -> Numbered:
    if path.suffix.lower() == ".jsonl":
        for number, line in read_jsonl(path):
            for key, item in line.items():
                yield number, _from_prism(key, item, path, number)
        return
    raw = path.read_bytes()
    try:
        content = STRICT_DECODER.decode(raw.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        number = raw.count(b"\n", 0, error.start) + 1
        raise PedkitError(f"expected UTF-8 text, but byte {error.start} is not", file=path, line=number) from None
    except json.JSONDecodeError as error:
        raise PedkitError(f"not JSON: {error.msg}", file=path, line=error.lineno) from None
    except (ValueError, RecursionError) as error:
        raise PedkitError(f"not usable JSON: {error}", file=path) from None
    if not isinstance(content, dict):
        raise PedkitError(f"expected an object of utterances, but got {type(content).__name__}", file=path)
    for key, item in content.items():
        yield None, _from_prism(key, item, path, None)


def _from_prism(key: str, item: Any, path: Path, line: int | None) -> Prediction:
    """Read ``{"pred": text or [{"processed_transcript": text}], "passthrough": {"utt_id": id}}``."""
    from pedkit.phones import tokenize_ipa

    passed = item.get("passthrough") if isinstance(item, dict) else None
    names = [passed[name] for name in _PRISM_IDS if name in passed] if isinstance(passed, dict) else []
    name = names[0] if names and isinstance(names[0], str) and names[0] else key
    text = item.get("pred") if isinstance(item, dict) else None
    if isinstance(text, list) and text and isinstance(text[0], dict):
        text = text[0].get(_PRISM_PHONES)
    if not isinstance(text, str):
        raise PedkitError(
            f"expected 'pred' to be a string or a list with '{_PRISM_PHONES}', but got {text!r}",
            file=path,
            line=line,
            utterance=name,
        )
    return _from_phones(name, tuple(tokenize_ipa(text)), inventory="ipa")


def _from_phones(name: str, phones: tuple[str, ...], inventory: str | None = None) -> Prediction:
    return Prediction(id=name, phones=phones, inventory=inventory, status="ok" if phones else "empty")


def text_lines(path: Path) -> Iterator[tuple[int, str]]:
    """Yield number and text of each line that is not blank.

    Raises:
        PedkitError: A line is not UTF-8.
    """
    with path.open("rb") as stream:
        for number, raw in enumerate(stream, start=1):
            try:
                text = raw.decode("utf-8-sig" if number == 1 else "utf-8").rstrip("\r\n")
            except UnicodeDecodeError as error:
                raise PedkitError(
                    f"expected UTF-8 text, but byte {error.start} is not", file=path, line=number
                ) from None
            if text.strip():
                yield number, text


FORMATS: Readers = {
    "pedkit": _read_pedkit,
    "prism": _read_prism,
    "kaldi": _read_kaldi,
    "csv": _read_csv,
}
"""Readers of phones."""
