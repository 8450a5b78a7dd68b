"""Manifest lines to `Utterance`s at the speed of compiled code, for lines that are in perfect order.

`Utterance.from_dict` is the definition: it reads every form a line may have and words every fault. What this file
reads, it reads the same; for anything else it returns ``None`` and `Utterance.from_dict` decides.
"""

from __future__ import annotations

import contextlib
import math
import os
from collections.abc import Sequence

import msgspec
from msgspec.structs import asdict, force_setattr

from pedkit.data.fields import phones_field
from pedkit.data.repeated_keys import may_repeat
from pedkit.data.utterance import LEVELS, Utterance


class _OpenUtterance(Utterance, frozen=True, kw_only=True):
    """An utterance whose phones are of an open inventory, or of none that pedkit knows."""

    canonical: tuple[str, ...] | None = None
    realized: tuple[str, ...] | None = None


_DECODER = msgspec.json.Decoder(Utterance)
_OPEN_DECODER = msgspec.json.Decoder(_OpenUtterance)
_ENCODER = msgspec.json.Encoder()
_OPEN_MARK = b'"ipa"'
_NUL = rb"\u0000"
_LINE_BREAK = b"}\n{"
_LEVELS = (None, *LEVELS)


def decode_lines(raw: bytes, folder: str) -> Sequence[Utterance] | None:
    """Return the utterances of manifest lines, or ``None`` where `Utterance.from_dict` has to look at one.

    Args:
        raw: The lines, none of them blank.
        folder: Where relative audio paths start.
    """
    try:
        utterances = _decoded(raw)
    except (ValueError, RecursionError):  # msgspec's and pedkit's errors are ValueErrors
        return None
    if utterances is None or _NUL in raw or not all(map(_fits, utterances)):
        return None
    if raw.count(_LINE_BREAK) != len(utterances) - 1:  # the decoder takes two on one line for two lines
        return None
    for utterance in utterances:
        audio = utterance.audio
        if audio is not None:  # nobody else has it yet, so it may change
            force_setattr(audio, "path", audio_path(folder, audio.path))
    return utterances


def audio_path(folder: str, path: str) -> str:
    """Return the path of a recording, one spelling for each: two are the same file where their paths are equal.

    Args:
        folder: Where a relative path starts; ``""`` leaves the path as it is.
        path: As the manifest has it; an absolute one starts nowhere else.
    """
    if not folder:
        return path
    joined = os.path.join(folder, path)  # noqa: PTH118 (pathlib is slower)
    # Not resolved, as links stay links; nearly no path has anything to be cut out.
    return os.path.normpath(joined) if "./" in path or "//" in path else joined


def _decoded(raw: bytes) -> Sequence[Utterance] | None:
    """Decode lines; their phones are symbols. ``None`` where a key may stand twice.

    Raises:
        ValueError: A line is not as documented.
    """
    if _OPEN_MARK not in raw:
        with contextlib.suppress(msgspec.ValidationError):
            utterances = _DECODER.decode_lines(raw)
            return None if may_repeat(raw, _ENCODER.encode_lines(utterances)) else utterances
    opened = _OPEN_DECODER.decode_lines(raw)
    return None if may_repeat(raw, _ENCODER.encode_lines(opened)) else [_with_symbols(one) for one in opened]


def _with_symbols(utterance: _OpenUtterance) -> Utterance:
    values = asdict(utterance)
    for key in ("canonical", "realized"):
        if values[key] is not None:
            values[key] = phones_field(values[key], key)
    return Utterance(**values)


def _fits(utterance: Utterance) -> bool:
    """Return whether an utterance is as documented in what its types do not say."""
    if not utterance.id.isprintable() or utterance.level not in _LEVELS:
        return False
    words, span, flags, alignment = utterance.words, utterance.target_span, utterance.flags, utterance.alignment
    if not (words or span or flags or alignment is not None):
        return True
    count = math.inf if utterance.canonical is None else len(utterance.canonical)
    for word in words:
        if not word.start <= word.end <= count:
            return False
    return (
        (span is None or span[0] <= span[1] <= count)
        and (not flags or (min(flags) >= 0 and max(flags) < count))
        and (alignment is None or _covers(alignment, utterance))
    )


def _covers(columns: str, utterance: Utterance) -> bool:
    if utterance.canonical is None or utterance.realized is None:
        return False
    counts = len(columns) - columns.count("I"), len(columns) - columns.count("D")
    return counts == (len(utterance.canonical), len(utterance.realized))
