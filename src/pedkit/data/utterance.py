"""`Utterance`: one recording with what was asked for, what was said, and who said it.

One utterance is one JSON line of a manifest. Every key but ``id`` is optional; what is missing is missing
(never ``"nan"``, never an empty string). The fields are documented in ``docs/manifest.md``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Any

from msgspec import Meta, Struct

from pedkit.data.fields import group_values, identifier, named_values, phones_field, span, typed
from pedkit.data.known_phone import KnownPhone
from pedkit.data.parts import Audio, Index, Name, Word
from pedkit.errors import PedkitError

__all__ = ["LEVELS", "Audio", "Utterance", "Word"]

LEVELS = ("word", "sentence", "passage")

_GroupNumber = Annotated[int, Meta(ge=-(2**62), le=2**62)] | float


class Utterance(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """One recording (or part of one) as every part of pedkit passes it around.

    A frozen `msgspec.Struct`, so that a manifest line becomes one in compiled code (`pedkit.data.manifest_lines`);
    ``msgspec.structs.replace(utterance, split="dev")`` makes a copy with changes.

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
        alignment: How the annotator laid ``realized`` beside ``canonical``, one letter a column: ``M`` a phone of
            both, ``D`` a canonical one alone (deleted), ``I`` a realized one alone (inserted), as in CIGAR strings
            without their numbers.
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

    id: Name
    audio: Audio | None = None
    text: str | None = None
    language: Name | None = None
    split: Name | None = None
    corpus: Name | None = None
    inventory: Name | None = None
    canonical: tuple[KnownPhone, ...] | None = None
    canonical_variant: Name | None = None
    realized: tuple[KnownPhone, ...] | None = None
    alignment: Annotated[str, Meta(pattern=r"\A[MDI]*\Z")] | None = None
    flags: Mapping[int, Name] = {}
    words: tuple[Word, ...] = ()
    target_span: tuple[Index, Index] | None = None
    level: Name | None = None
    source_id: Name | None = None
    speaker: Name | None = None
    groups: Mapping[str, Name | _GroupNumber | bool] = {}
    groups_raw: Mapping[str, Any] = {}
    may_upload: bool | None = None
    extra: Mapping[str, Any] = {}

    @property
    def source(self) -> str:
        """The id by which folds are grouped: ``source_id``, else the utterance's own id."""
        return self.source_id if self.source_id is not None else self.id

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object of the manifest line; missing keys are left out."""
        out: dict[str, Any] = {"id": self.id}
        if self.audio is not None:
            out["audio"] = self.audio.to_json()
        for key in _PLAIN_KEYS:
            value = getattr(self, key)
            if value is not None:
                out[key] = list(value) if isinstance(value, tuple) else value
        if self.words:
            out["words"] = [word.to_json() for word in self.words]
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
        name = identifier(line)
        if unknown := sorted(set(line) - _KNOWN_KEYS):
            raise PedkitError(
                f"unknown manifest key {unknown[0]!r}", utterance=name, hint="put your own keys under 'extra'"
            )
        try:
            utterance = cls(id=name, **_checked(line))
            utterance._check_indices()
        except PedkitError as error:
            raise error.at(utterance=name) from None
        return utterance

    def _check_indices(self) -> None:
        """Check that whatever points at phones fits them."""
        if self.alignment is not None:
            self._check_alignment(self.alignment)
        if self.canonical is None:
            return
        count = len(self.canonical)
        ends = {"target_span": self.target_span[1] if self.target_span else 0}
        ends["words"] = max((word.end for word in self.words), default=0)
        ends["flags"] = max(self.flags, default=-1) + 1
        for key, end in ends.items():
            if end > count:
                raise PedkitError(f"'{key}' points past the {count} canonical phones")

    def _check_alignment(self, columns: str) -> None:
        counts = len(columns) - columns.count("I"), len(columns) - columns.count("D")
        found = tuple(len(phones) for phones in (self.canonical, self.realized) if phones is not None)
        if counts != found:
            raise PedkitError(
                f"'alignment' has columns for {counts[0]} canonical and {counts[1]} realized phones, "
                f"but there are {' and '.join(map(str, found)) or 'none'}"
            )


_PLAIN_KEYS = (
    "text", "language", "split", "corpus", "inventory", "canonical", "canonical_variant", "realized",
    "alignment", "target_span", "level", "source_id", "speaker", "may_upload",
)  # fmt: skip
_KNOWN_KEYS = frozenset(_PLAIN_KEYS) | {"id", "audio", "words", "flags", "groups", "groups_raw", "extra"}


def _checked(line: Mapping[str, Any]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for key, value in line.items():
        if key == "id" or value is None:
            continue
        read = _READ.get(key)
        values[key] = _name(value, key) if read is None else read(value, key)
    if values.get("level", "word") not in LEVELS:
        raise PedkitError(f"expected 'level' to be one of {', '.join(LEVELS)}, but got {values['level']!r}")
    return values


def _name(value: Any, key: str) -> str:
    name: str = typed(value, key, str, "a string")
    if not name:
        raise PedkitError(
            f"expected '{key}' to be a string that is not empty", hint="leave it out where it is missing"
        )
    return name


def _alignment(value: Any, key: str) -> str:
    columns: str = typed(value, key, str, "a string")
    if not set(columns) <= set("MDI"):
        raise PedkitError(f"expected '{key}' to be made of M, D and I, but got {value!r}")
    return columns


def _flags(value: Any, key: str) -> Mapping[int, str]:
    flags: dict[int, str] = {}
    for index, mark in typed(value, key, Mapping, "an object").items():
        if not str(index).isdecimal() or not isinstance(mark, str) or not mark:
            raise PedkitError(f"expected '{key}' to map a canonical index to a mark, but got {index!r}: {mark!r}")
        flags[int(index)] = mark
    return flags


_READ: Mapping[str, Callable[[Any, str], Any]] = {
    "text": lambda value, key: typed(value, key, str, "a string"),
    "canonical": phones_field,
    "realized": phones_field,
    "alignment": _alignment,
    "target_span": span,
    "audio": lambda value, _: Audio.from_json(value),
    "words": lambda value, key: tuple(Word.from_json(word) for word in typed(value, key, list, "a list")),
    "flags": _flags,
    "groups": group_values,
    "groups_raw": named_values,
    "extra": named_values,
    "may_upload": lambda value, key: typed(value, key, bool, "true or false"),
}
