"""A manifest line to an `Utterance` at the speed of compiled code, for lines that are in perfect order.

`Utterance.from_dict` is the definition: it reads every form a line may have and words every fault. What this file
reads, it reads the same; for anything else it returns ``None`` and `Utterance.from_dict` decides.
"""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from sys import intern
from types import MappingProxyType
from typing import Annotated, Any

import msgspec

from pedkit.data.fields import phones_field
from pedkit.data.parts import Audio, Word
from pedkit.data.utterance import LEVELS, Utterance

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
    canonical: tuple[str, ...] | None = None
    canonical_variant: str | None = None
    realized: tuple[str, ...] | None = None
    flags: dict[str, str] | None = None
    words: tuple[Word, ...] | None = None
    target_span: tuple[_NotNegative, _NotNegative] | None = None
    level: str | None = None
    source_id: str | None = None
    speaker: str | None = None
    groups: dict[str, str | int | float | bool] | None = None
    groups_raw: dict[str, Any] | None = None
    may_upload: bool | None = None
    extra: dict[str, Any] | None = None


_DECODER = msgspec.json.Decoder(_Line)
_EMPTY: Mapping[Any, Any] = MappingProxyType({})


def read_line(raw: bytes, folder: str) -> Utterance | None:
    """Return the utterance of a manifest line, or ``None`` where `Utterance.from_dict` has to look at it.

    Args:
        raw: The line.
        folder: Where a relative audio path starts.
    """
    try:
        line = _DECODER.decode(raw)
        canonical = None if line.canonical is None else phones_field(line.canonical, "canonical")
        realized = None if line.realized is None else phones_field(line.realized, "realized")
        flags = {int(index): mark for index, mark in line.flags.items()} if line.flags else None
    except (ValueError, RecursionError):  # msgspec's and pedkit's errors are ValueErrors
        return None
    if not _fits(line, canonical, flags):
        return None
    return Utterance(
        id=line.id,
        audio=_audio(line.audio, folder),
        text=line.text,
        # Many lines share these texts: held once, they take less memory and time.
        language=line.language and intern(line.language),
        split=line.split and intern(line.split),
        corpus=line.corpus and intern(line.corpus),
        inventory=line.inventory and intern(line.inventory),
        canonical=canonical,
        canonical_variant=line.canonical_variant,
        realized=realized,
        flags=MappingProxyType(flags) if flags else _EMPTY,
        words=line.words or (),
        target_span=line.target_span,
        level=line.level and intern(line.level),
        source_id=line.source_id,
        speaker=line.speaker and intern(line.speaker),
        groups=MappingProxyType(line.groups) if line.groups else _EMPTY,
        groups_raw=MappingProxyType(line.groups_raw) if line.groups_raw else _EMPTY,
        may_upload=line.may_upload,
        extra=MappingProxyType(line.extra) if line.extra else _EMPTY,
    )


def _fits(line: _Line, canonical: tuple[str, ...] | None, flags: dict[int, str] | None) -> bool:
    if not line.id or not line.id.isprintable() or (line.level is not None and line.level not in LEVELS):
        return False
    if line.groups and "" in line.groups.values():
        return False
    count = math.inf if canonical is None else len(canonical)
    for word in line.words or ():
        if not 0 <= word.start <= word.end <= count:
            return False
    if line.target_span is not None and not line.target_span[0] <= line.target_span[1] <= count:
        return False
    if not flags:
        return True
    marks = (line.flags or {}).items()
    return max(flags) < count and all(index.isdecimal() and mark for index, mark in marks)


def _audio(audio: _Audio | str | None, folder: str) -> Audio | None:
    if audio is None:
        return None
    if isinstance(audio, str):
        return Audio(os.path.join(folder, audio))  # noqa: PTH118 (an absolute path stays as it is)
    return Audio(os.path.join(folder, audio.path), audio.channel, audio.start, audio.duration)  # noqa: PTH118
