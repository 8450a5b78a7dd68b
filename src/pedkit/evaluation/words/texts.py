"""Texts that a recognizer heard, as predictions whose ``raw`` is the text."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pedkit.data.fields import identifier
from pedkit.data.jsonl import read_jsonl
from pedkit.data.prediction import STATUSES, Prediction
from pedkit.data.readers.cells import read_table
from pedkit.errors import PedkitError
from pedkit.evaluation.formats import Numbered, Readers, text_lines

TEXT_KEYS = ("pred_text", "hypothesis", "text", "raw")
"""Keys under which toolkits keep what was heard; of several the first here is read (NeMo keeps the reference in
``text`` beside ``pred_text``)."""


def _read_json(path: Path) -> Numbered:
    for number, line in read_jsonl(path):
        try:
            yield number, _from_mapping(line)
        except PedkitError as error:
            raise error.at(file=path, line=number) from None


def _read_table(path: Path) -> Numbered:
    for row in read_table(path):
        try:
            cells = row.written.items()
            yield row.line, _from_mapping({key: cell for key, cell in cells if cell or key in ("id", *TEXT_KEYS)})
        except PedkitError as error:
            raise error.at(file=path, line=row.line) from None


def _read_kaldi(path: Path) -> Numbered:
    for number, line in text_lines(path):
        name, *text = line.split(None, 1)
        yield number, _prediction(name, "".join(text), "ok", None)


def _from_mapping(line: Mapping[str, Any]) -> Prediction:
    name = identifier(line)
    status, text = (
        line.get("status", "ok"),
        next((line[key] for key in TEXT_KEYS if line.get(key) is not None), None),
    )
    if status not in STATUSES:
        raise PedkitError(
            f"expected 'status' to be one of {', '.join(STATUSES)}, but got {status!r}", utterance=name
        )
    if not isinstance(text if status == "ok" else text or "", str):
        raise PedkitError(
            f"expected one of {', '.join(TEXT_KEYS)} to be text, but got {text!r}",
            utterance=name,
            hint='an empty "text" says that nothing was heard',
        )
    reason = line.get("reason")
    return _prediction(name, text or "", status, None if reason is None else str(reason))


def _prediction(name: str, text: str, status: str, reason: str | None) -> Prediction:
    status = "empty" if status == "ok" and not text.strip() else status
    return Prediction(id=name, raw=text, status=status, reason=reason)


TEXT_READERS: Readers = {"pedkit": _read_json, "csv": _read_table, "kaldi": _read_kaldi}
"""Readers of texts, by the name that ``format=`` takes: JSON lines, tables, and Kaldi's ``text``."""
