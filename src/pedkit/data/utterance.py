"""`Utterance`: one recording with what was asked for, what was said, and who said it.

One utterance is one JSON line of a manifest. Every key but ``id`` is optional; what is missing is missing
(never ``"nan"``, never an empty string). The fields are documented in ``docs/manifest.md``.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from types import MappingProxyType
from typing import Any

from pedkit.errors import PedkitError

LEVELS = ("word", "sentence", "passage")
GAP = "-"
"""How an alignment prints "nothing here"; never a phone."""
UNUSABLE_PHONES = frozenset({"<unk>", "err"})
"""Realized symbols that mark "something else was said": they equal no phone (docs/scoring.md, flags)."""

_EMPTY: Mapping[Any, Any] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Audio:
    """Where the samples are: ``path`` (relative paths start at the manifest's folder), times in seconds."""

    path: str
    channel: int | None = None
    start: float = 0.0
    duration: float | None = None


@dataclass(frozen=True, slots=True)
class Word:
    """One word over canonical phones ``[start, end)``, with times in seconds where they are known."""

    text: str
    start: int
    end: int
    start_time: float | None = None
    end_time: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Utterance:
    """One recording (or part of one) as every part of pedkit passes it around.

    Attributes:
        id: Opaque name, unique in its manifest.
        audio: Path, channel, start and duration of the recording.
        text: What was to be read.
        language: ISO 639-3 code (``eng``).
        split: ``train``, ``dev``, ``test`` or a corpus's own name.
        corpus: Name of the corpus.
        inventory: Name of the inventory of all phones here: ``cmu39 timit61 timit48 timit39 ipa``.
        canonical: Phones that should have been said.
        canonical_variant: Which pronunciation variant ``canonical`` is, where a lexicon has several.
        realized: Phones that were said, by annotation; ``None`` where nobody listened.
        flags: Canonical index -> the corpus's own error mark (``star``, ``unk``).
        words: Words over the canonical phones.
        target_span: Canonical ``[start, end)`` of the word under test in a longer item.
        level: ``word``, ``sentence`` or ``passage``.
        source_id: The recording whose error pattern this item copies; its own id otherwise.
        speaker: Speaker id, unique across corpora (``corpus:speaker``).
        groups: Harmonised group keys (``gender``, ``age``, ``age_group``, ``accent``, ``l1``, ...).
        groups_raw: The same as the corpus wrote them.
        may_upload: False where the licence forbids passing the audio on (hosted recognizers refuse it).
        extra: Anything else a corpus brings (scores, engine, voice, design id).
    """

    id: str
    audio: Audio | None = None
    text: str | None = None
    language: str | None = None
    split: str | None = None
    corpus: str | None = None
    inventory: str | None = None
    canonical: tuple[str, ...] | None = None
    canonical_variant: str | None = None
    realized: tuple[str, ...] | None = None
    flags: Mapping[int, str] = field(default_factory=lambda: _EMPTY)
    words: tuple[Word, ...] = ()
    target_span: tuple[int, int] | None = None
    level: str | None = None
    source_id: str | None = None
    speaker: str | None = None
    groups: Mapping[str, str | int | float | bool] = field(default_factory=lambda: _EMPTY)
    groups_raw: Mapping[str, Any] = field(default_factory=lambda: _EMPTY)
    may_upload: bool | None = None
    extra: Mapping[str, Any] = field(default_factory=lambda: _EMPTY)

    @property
    def source(self) -> str:
        """The id by which folds are grouped: ``source_id``, else the utterance's own id."""
        return self.source_id if self.source_id is not None else self.id

    def __reduce__(self) -> tuple[Any, ...]:
        # Loader processes send utterances to each other, and read-only mappings cannot be pickled.
        values = {item.name: getattr(self, item.name) for item in fields(self)}
        return _restored, ({name: dict(v) if isinstance(v, Mapping) else v for name, v in values.items()},)

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object of the manifest line; missing keys are left out."""
        out: dict[str, Any] = {"id": self.id}
        if self.audio is not None:
            out["audio"] = _without_defaults(self.audio, ("path", "channel", "start", "duration"))
        for key in _PLAIN_KEYS:
            value = getattr(self, key)
            if value is not None:
                out[key] = list(value) if isinstance(value, tuple) else value
        if self.words:
            keys = ("text", "start", "end", "start_time", "end_time")
            out["words"] = [_without_defaults(word, keys) for word in self.words]
        if self.flags:
            out["flags"] = {str(index): mark for index, mark in self.flags.items()}
        for key in ("groups", "groups_raw", "extra"):
            if mapping := getattr(self, key):
                out[key] = dict(mapping)
        return out

    @classmethod
    def from_dict(cls, line: Mapping[str, Any]) -> Utterance:
        """Build an utterance from a manifest line.

        Raises:
            PedkitError: A key is unknown or a value is not of the documented form.
        """
        name = _identifier(line)
        unknown = sorted(set(line) - _KNOWN_KEYS)
        if unknown:
            raise PedkitError(
                f"unknown manifest key {unknown[0]!r}", utterance=name, hint="put your own keys under 'extra'"
            )
        try:
            return cls(id=name, **_checked(line))
        except PedkitError as error:
            raise error.at(utterance=name) from None


def _restored(values: dict[str, Any]) -> Utterance:
    frozen: dict[str, Any] = {
        name: MappingProxyType(v) if isinstance(v, dict) else v for name, v in values.items()
    }
    return Utterance(**frozen)


_PLAIN_KEYS = (
    "text", "language", "split", "corpus", "inventory", "canonical", "canonical_variant", "realized",
    "target_span", "level", "source_id", "speaker", "may_upload",
)  # fmt: skip
_KNOWN_KEYS = frozenset(_PLAIN_KEYS) | {"id", "audio", "words", "flags", "groups", "groups_raw", "extra"}
_TEXT_KEYS = frozenset(_PLAIN_KEYS) - {"canonical", "realized", "target_span", "may_upload"}


def phones_field(value: Any, key: str) -> tuple[str, ...]:
    """Read phones given as a list of strings or as one space-separated string.

    Raises:
        PedkitError: The value is something else, or a phone is empty, not a string, or the gap symbol ``-``.
    """
    if not isinstance(value, Sequence):
        raise PedkitError(f"expected '{key}' to be a list of phones or one string, but got {value!r}")
    phones = tuple(value.split() if isinstance(value, str) else value)
    for phone in phones:
        if not isinstance(phone, str) or phone.split() != [phone] or phone == GAP:
            raise PedkitError(f"expected each phone of '{key}' to be one symbol, but got {phone!r}")
    return phones


def finite_number(value: Any, key: str) -> float:
    """Read a number.

    Raises:
        PedkitError: The value is not a number, or not finite.
    """
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise PedkitError(f"expected '{key}' to be a finite number, but got {value!r}")
    return float(value)


def _identifier(line: Mapping[str, Any]) -> str:
    name = line.get("id")
    if not isinstance(name, str) or not name:
        raise PedkitError(f"expected 'id' to be a non-empty string, but got {name!r}")
    return name


def _checked(line: Mapping[str, Any]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for key, value in line.items():
        if key == "id" or value is None:
            continue
        if key in ("canonical", "realized"):
            values[key] = phones_field(value, key)
        elif key == "target_span":
            values[key] = _span(value)
        elif key == "audio":
            values[key] = _audio(value)
        elif key == "words":
            values[key] = tuple(_word(word) for word in _typed(value, key, list, "a list"))
        elif key == "flags":
            values[key] = _flags(value)
        elif key in ("groups", "groups_raw", "extra"):
            values[key] = MappingProxyType(dict(_finite(_typed(value, key, Mapping, "an object"), key)))
        elif key == "may_upload":
            values[key] = _typed(value, key, bool, "true or false")
        else:
            values[key] = _typed(value, key, str, "a string")
    if values.get("level") is not None and values["level"] not in LEVELS:
        raise PedkitError(f"expected 'level' to be one of {', '.join(LEVELS)}, but got {values['level']!r}")
    return values


def _typed(value: Any, key: str, kind: type | tuple[type, ...], words: str) -> Any:
    if not isinstance(value, kind):
        raise PedkitError(f"expected '{key}' to be {words}, but got {value!r}")
    return value


def _finite(mapping: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    for name, value in mapping.items():
        if isinstance(value, float) and not math.isfinite(value):
            raise PedkitError(f"expected '{key}.{name}' to be finite, but got {value!r}", hint="leave it out")
    return mapping


def _span(value: Any) -> tuple[int, int]:
    start_end = _typed(value, "target_span", Sequence, "[start, end]")
    whole = len(start_end) == 2 and all(isinstance(v, int) and not isinstance(v, bool) for v in start_end)
    if not whole or not 0 <= start_end[0] <= start_end[1]:
        raise PedkitError(f"expected 'target_span' to be [start, end] with start <= end, but got {value!r}")
    return start_end[0], start_end[1]


def _audio(value: Any) -> Audio:
    if isinstance(value, str):
        return Audio(path=value)
    fields = _typed(value, "audio", Mapping, "a path or an object")
    unknown = sorted(set(fields) - {"path", "channel", "start", "duration"})
    if unknown:
        raise PedkitError(f"unknown key 'audio.{unknown[0]}'")
    channel, duration = fields.get("channel"), fields.get("duration")
    if channel is not None:
        channel = _typed(channel, "audio.channel", int, "a whole number")
    audio = Audio(
        path=_typed(fields.get("path"), "audio.path", str, "a string"),
        channel=channel,
        start=finite_number(fields.get("start", 0.0), "audio.start"),
        duration=None if duration is None else finite_number(duration, "audio.duration"),
    )
    if audio.start < 0 or (audio.duration is not None and audio.duration <= 0):
        raise PedkitError(f"expected 'audio' to start at 0 or later and last longer than 0, but got {value!r}")
    return audio


def _word(value: Any) -> Word:
    fields = _typed(value, "words", Mapping, "a list of objects")
    times = [
        None if fields.get(k) is None else finite_number(fields[k], f"words.{k}")
        for k in ("start_time", "end_time")
    ]
    start, end = (_typed(fields.get(k), f"words.{k}", int, "a whole number") for k in ("start", "end"))
    if not 0 <= start <= end:
        raise PedkitError(f"expected a word to cover canonical phones start <= end, but got {value!r}")
    return Word(_typed(fields.get("text"), "words.text", str, "a string"), start, end, times[0], times[1])


def _flags(value: Any) -> Mapping[int, str]:
    flags: dict[int, str] = {}
    for index, mark in _typed(value, "flags", Mapping, "an object").items():
        if not str(index).isdecimal() or not isinstance(mark, str) or not mark:
            raise PedkitError(f"expected 'flags' to map a canonical index to a mark, but got {index!r}: {mark!r}")
        flags[int(index)] = mark
    return MappingProxyType(flags)


def _without_defaults(value: Any, keys: tuple[str, ...]) -> dict[str, Any]:
    out = {key: getattr(value, key) for key in keys if getattr(value, key) is not None}
    if out.get("start") == 0.0 and isinstance(value, Audio):
        del out["start"]
    return out
