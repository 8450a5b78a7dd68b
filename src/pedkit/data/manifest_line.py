"""A manifest line to an `Utterance` at the speed of compiled code, for lines that are in perfect order.

`Utterance.from_dict` is the definition: it reads every form a line may have and words every fault. What this file
reads, it reads the same; for anything else it returns ``None`` and `Utterance.from_dict` decides.
"""

from __future__ import annotations

import contextlib
import math
import os

import msgspec
from msgspec.structs import asdict, astuple, force_setattr

from pedkit.data.fields import phones_field
from pedkit.data.repeated_keys import count_keys, may_repeat
from pedkit.data.utterance import LEVELS, Utterance


class _OpenUtterance(Utterance, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """An utterance whose phones are of an open inventory, or of none that pedkit knows."""

    canonical: tuple[str, ...] | None = None
    realized: tuple[str, ...] | None = None


_DECODER = msgspec.json.Decoder(Utterance)
_OPEN_DECODER = msgspec.json.Decoder(_OpenUtterance)
_OPEN_MARK = b'"ipa"'


def read_line(raw: bytes, folder: str) -> Utterance | None:
    """Return the utterance of a manifest line, or ``None`` where `Utterance.from_dict` has to look at it.

    Args:
        raw: The line.
        folder: Where a relative audio path starts.
    """
    try:
        utterance = _decoded(raw)
    except (ValueError, RecursionError):  # msgspec's and pedkit's errors are ValueErrors
        return None
    if may_repeat(raw, _count(utterance)) or not _fits(utterance):
        return None
    audio = utterance.audio
    if audio is not None:  # nobody else has it yet, so it may change
        force_setattr(audio, "path", os.path.join(folder, audio.path))  # noqa: PTH118 (an absolute path stays)
    return utterance


def _decoded(raw: bytes) -> Utterance:
    """Decode a line; its phones are symbols.

    Raises:
        ValueError: It is not as documented.
    """
    if _OPEN_MARK not in raw:
        with contextlib.suppress(msgspec.ValidationError):
            return _DECODER.decode(raw)
    values = asdict(_OPEN_DECODER.decode(raw))
    for key in ("canonical", "realized"):
        if values[key] is not None:
            values[key] = phones_field(values[key], key)
    return Utterance(**values)


def _count(utterance: Utterance) -> int:
    """Return how many keys its line held, where all its words have the same ones and no default is written out."""
    number = len(utterance.__struct_fields__) - astuple(utterance).count(None)
    if utterance.audio is not None:
        audio = utterance.audio
        number += 1 + (audio.channel is not None) + (audio.start != 0) + (audio.duration is not None)
    if utterance.words:
        first = utterance.words[0]
        number += len(utterance.words) * (3 + (first.start_time is not None) + (first.end_time is not None))
    else:
        number -= 1
    for plain in (utterance.groups, utterance.flags):
        number += len(plain) or -1
    for deep in (utterance.groups_raw, utterance.extra):
        number += count_keys(deep) if deep else -1
    return number


def _fits(utterance: Utterance) -> bool:
    if not utterance.id or not utterance.id.isprintable():
        return False
    if utterance.level is not None and utterance.level not in LEVELS:
        return False
    if utterance.audio is not None and (not utterance.audio.path or "\0" in utterance.audio.path):
        return False
    count = math.inf if utterance.canonical is None else len(utterance.canonical)
    for word in utterance.words:
        if not word.start <= word.end <= count:
            return False
    span, flags = utterance.target_span, utterance.flags
    return (
        (span is None or span[0] <= span[1] <= count)
        and "" not in utterance.groups.values()
        and (utterance.alignment is None or _covers(utterance.alignment, utterance))
        and (not flags or (min(flags) >= 0 and max(flags) < count and all(flags.values())))
    )


def _covers(columns: str, utterance: Utterance) -> bool:
    if utterance.canonical is None or utterance.realized is None:
        return False
    counts = len(columns) - columns.count("I"), len(columns) - columns.count("D")
    return counts == (len(utterance.canonical), len(utterance.realized))
