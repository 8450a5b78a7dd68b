"""A manifest line to an `Utterance` at the speed of compiled code, for lines that are in perfect order.

`Utterance.from_dict` is the definition: it reads every form a line may have and words every fault. What this file
reads, it reads the same; for anything else it returns ``None`` and `Utterance.from_dict` decides.
"""

from __future__ import annotations

import contextlib
import math
import os
from collections.abc import Mapping
from dataclasses import fields
from sys import intern
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any, Literal

import msgspec
from msgspec.structs import astuple

from pedkit.data.fields import phones_field
from pedkit.data.parts import Audio, Word
from pedkit.data.repeated_keys import count_keys, may_repeat
from pedkit.data.utterance import LEVELS, Utterance
from pedkit.phones import INVENTORY_NAMES, get_inventory
from pedkit.phones.marks import UNUSABLE_PHONES

if TYPE_CHECKING:
    _KnownPhone = str
else:  # read without making a text for each of the millions of phones of a manifest
    _CLOSED = [name for name in INVENTORY_NAMES if not get_inventory(name).is_open]
    _KnownPhone = Literal[
        tuple(sorted({*UNUSABLE_PHONES, *(phone for name in _CLOSED for phone in get_inventory(name).phones)}))
    ]
_NotNegative = Annotated[int, msgspec.Meta(ge=0)]


class _Audio(msgspec.Struct, forbid_unknown_fields=True):
    path: str
    channel: _NotNegative | None = None
    start: Annotated[float, msgspec.Meta(ge=0)] = 0.0
    duration: Annotated[float, msgspec.Meta(gt=0)] | None = None


class _Line(msgspec.Struct, forbid_unknown_fields=True):
    id: str
    audio: _Audio | str | None = None
    text: str | None = None
    language: str | None = None
    split: str | None = None
    corpus: str | None = None
    inventory: str | None = None
    canonical: tuple[_KnownPhone, ...] | None = None
    canonical_variant: str | None = None
    realized: tuple[_KnownPhone, ...] | None = None
    alignment: Annotated[str, msgspec.Meta(pattern=r"\A[MDI]*\Z")] | None = None
    flags: dict[str, str] | None = None
    words: tuple[Word, ...] | None = None
    target_span: tuple[_NotNegative, _NotNegative] | None = None
    level: str | None = None
    source_id: str | None = None
    speaker: str | None = None
    groups: dict[str, str | Annotated[int, msgspec.Meta(ge=-(2**62), le=2**62)] | float | bool] | None = None
    groups_raw: dict[str, Any] | None = None
    may_upload: bool | None = None
    extra: dict[str, Any] | None = None


class _OpenLine(_Line, forbid_unknown_fields=True):
    """A line whose phones are of an open inventory, or of none that pedkit knows."""

    canonical: tuple[str, ...] | None = None
    realized: tuple[str, ...] | None = None


_DECODER = msgspec.json.Decoder(_Line)
_OPEN_DECODER = msgspec.json.Decoder(_OpenLine)
_OPEN_MARK = b'"ipa"'
_FIELDS = len(_Line.__struct_fields__)
_EMPTY: Mapping[Any, Any] = MappingProxyType({})
_SETTERS = tuple(getattr(Utterance, field.name).__set__ for field in fields(Utterance))


def read_line(raw: bytes, folder: str) -> Utterance | None:
    """Return the utterance of a manifest line, or ``None`` where `Utterance.from_dict` has to look at it.

    Args:
        raw: The line.
        folder: Where a relative audio path starts.
    """
    try:
        line = _decoded(raw)
        flags = {int(index): mark for index, mark in line.flags.items()} if line.flags else None
    except (ValueError, RecursionError):  # msgspec's and pedkit's errors are ValueErrors
        return None
    if may_repeat(raw, _count(line)) or not _fits(line, flags):
        return None
    utterance = Utterance.__new__(Utterance)  # without __init__, which takes half of the time for a frozen class
    for set_field, value in zip(_SETTERS, _values(line, flags, folder), strict=True):
        set_field(utterance, value)
    return utterance


def _decoded(raw: bytes) -> _Line:
    """Decode a line; its phones are symbols.

    Raises:
        ValueError: It is not as documented.
    """
    if _OPEN_MARK not in raw:
        with contextlib.suppress(msgspec.ValidationError):
            return _DECODER.decode(raw)
    line = _OPEN_DECODER.decode(raw)
    if line.canonical is not None:
        line.canonical = phones_field(line.canonical, "canonical")
    if line.realized is not None:
        line.realized = phones_field(line.realized, "realized")
    return line


def _values(line: _Line, flags: dict[int, str] | None, folder: str) -> tuple[Any, ...]:
    """Return the fields of the utterance in their order; texts that many lines share are held once."""
    return (
        line.id,
        _audio(line.audio, folder),
        line.text,
        line.language and intern(line.language),
        line.split and intern(line.split),
        line.corpus and intern(line.corpus),
        line.inventory and intern(line.inventory),
        line.canonical,
        line.canonical_variant,
        line.realized,
        line.alignment,
        MappingProxyType(flags) if flags else _EMPTY,
        line.words or (),
        line.target_span,
        line.level and intern(line.level),
        line.source_id,
        line.speaker and intern(line.speaker),
        MappingProxyType(line.groups) if line.groups else _EMPTY,
        MappingProxyType(line.groups_raw) if line.groups_raw else _EMPTY,
        line.may_upload,
        MappingProxyType(line.extra) if line.extra else _EMPTY,
    )


def _count(line: _Line) -> int:
    """Return how many keys a line holds, where all its words have the same ones and no default is written out."""
    number = _FIELDS - astuple(line).count(None)
    if type(line.audio) is _Audio:
        audio = line.audio
        number += 1 + (audio.channel is not None) + (audio.start != 0) + (audio.duration is not None)
    if line.words:
        first = line.words[0]
        number += len(line.words) * (3 + (first.start_time is not None) + (first.end_time is not None))
    for plain in (line.groups, line.flags):
        number += len(plain) if plain else 0
    for deep in (line.groups_raw, line.extra):
        number += count_keys(deep) if deep else 0
    return number


def _fits(line: _Line, flags: dict[int, str] | None) -> bool:
    if not line.id or not line.id.isprintable() or (line.level is not None and line.level not in LEVELS):
        return False
    path = line.audio.path if isinstance(line.audio, _Audio) else line.audio
    if path == "" or (path and "\0" in path) or (line.groups and "" in line.groups.values()):
        return False
    count = math.inf if line.canonical is None else len(line.canonical)
    for word in line.words or ():
        if not 0 <= word.start <= word.end <= count:
            return False
    span = line.target_span
    return (
        (span is None or span[0] <= span[1] <= count)
        and (line.alignment is None or _covers(line.alignment, line))
        and (flags is None or _are_flags(line.flags or {}, max(flags) < count))
    )


def _are_flags(flags: Mapping[str, str], inside: bool) -> bool:
    return inside and all(index.isdecimal() and mark for index, mark in flags.items())


def _covers(columns: str, line: _Line) -> bool:
    if line.canonical is None or line.realized is None:
        return False
    length = len(columns)
    return length - columns.count("I") == len(line.canonical) and length - columns.count("D") == len(line.realized)


def _audio(audio: _Audio | str | None, folder: str) -> Audio | None:
    if audio is None:
        return None
    if isinstance(audio, str):
        return Audio(os.path.join(folder, audio))  # noqa: PTH118 (an absolute path stays as it is)
    return Audio(os.path.join(folder, audio.path), audio.channel, audio.start, audio.duration)  # noqa: PTH118
