"""JSON lines: strict reading with the place of every fault, atomic and line-by-line writing."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NoReturn

import msgspec

from pedkit.data.atomic import replacing
from pedkit.data.repeated_keys import may_repeat, without_repeats
from pedkit.errors import PedkitError

_BLOCK_BYTES = 1 << 18


def read_blocks(path: str | Path) -> Iterator[tuple[int, list[bytes]]]:
    """Yield the lines of a file in blocks of some hundred, each with the number of its first line.

    Raises:
        PedkitError: The file is missing or unreadable.
    """
    number = 1
    try:
        with Path(path).open("rb") as stream:
            while lines := stream.readlines(_BLOCK_BYTES):
                yield number, lines
                number += len(lines)
    except FileNotFoundError:
        raise PedkitError("no such file", file=path) from None
    except OSError as error:
        raise PedkitError(f"cannot be read: {error.strerror}", file=path) from None


def read_lines(path: str | Path) -> Iterator[tuple[int, bytes]]:
    """Yield ``(line number, bytes)`` for each non-blank line.

    Raises:
        PedkitError: The file is missing or unreadable.
    """
    for first, lines in read_blocks(path):
        for number, raw in enumerate(lines, start=first):
            if not raw.isspace():
                yield number, raw


def read_jsonl(path: str | Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield ``(line number, object)`` for each non-blank line of a UTF-8 JSON-lines file.

    Raises:
        PedkitError: The file is missing or unreadable, a line is not a JSON object, holds NaN or Infinity, or has
            a key twice.
    """
    for number, raw in read_lines(path):
        yield number, parse_line(raw, path, number)


def parse_line(raw: bytes, path: str | Path, number: int) -> dict[str, Any]:
    """Read one line as a JSON object.

    Raises:
        PedkitError: It is none, holds NaN or Infinity, or a key stands twice; file and line are named.
    """
    try:
        value = _FAST_DECODER.decode(raw)
        if isinstance(value, dict) and not may_repeat(raw, _ENCODER.encode(value)):
            return value
    except (ValueError, RecursionError):  # msgspec's errors are ValueErrors
        pass
    return _parse_slowly(raw, path, number)  # the same, or what is wrong and where


def _parse_slowly(raw: bytes, path: str | Path, number: int) -> dict[str, Any]:
    try:
        value = STRICT_DECODER.decode(raw.decode("utf-8-sig" if number == 1 else "utf-8"))
    except UnicodeDecodeError as error:
        raise PedkitError(f"expected UTF-8 text, but byte {error.start} is not", file=path, line=number) from None
    except json.JSONDecodeError as error:
        raise PedkitError(f"not a JSON line: {error.msg} (column {error.colno})", file=path, line=number) from None
    except (ValueError, RecursionError) as error:
        raise PedkitError(f"not a usable JSON line: {error}", file=path, line=number) from None
    if b"\\u" in raw and not _can_be_written(value):
        raise PedkitError("not a usable JSON line: it holds half a surrogate pair", file=path, line=number)
    if not isinstance(value, dict):
        raise PedkitError(f"expected a JSON object, but got {type(value).__name__}", file=path, line=number)
    return value


def _can_be_written(value: Any) -> bool:
    try:
        json.dumps(value, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a number that can be scored")


_FAST_DECODER = msgspec.json.Decoder()
_ENCODER = msgspec.json.Encoder()
STRICT_DECODER = json.JSONDecoder(parse_constant=_no_constant, object_pairs_hook=without_repeats)
"""Raises ``ValueError`` for NaN, Infinity and keys that stand twice."""


def dump_line(value: dict[str, Any]) -> str:
    """Return one JSON line (no newline inside, IPA kept readable; NaN raises ``ValueError``)."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False) + "\n"


def write_jsonl(path: str | Path, lines: Iterable[dict[str, Any]]) -> int:
    """Write all lines or nothing: the file appears under its name only when complete. Returns the number.

    Raises:
        PedkitError: A line holds what JSON in UTF-8 cannot: a number that is not finite, a name of a file in
            another encoding; its id is named.
    """
    count = 0
    with replacing(path) as stream:
        for line in lines:
            try:
                stream.write(dump_line(line))
            except ValueError as error:
                name = line.get("id")
                raise PedkitError(f"cannot be written as JSON in UTF-8: {error}", utterance=name) from None
            count += 1
    return count
