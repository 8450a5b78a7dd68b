"""Sonos Voice Control bias assessment data set (SVC): voice commands, balanced over age and dialect regions.

Sekkat et al., LREC-COLING 2024; layout from GitHub sonos/svc-demographic-bias-assessment. Decisions:
``docs/corpora/sonos.md``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from pedkit.data.json_file import read_object
from pedkit.data.readers.cells import present
from pedkit.data.readers.demography import age_keys, answer, gender_answer, known, years
from pedkit.data.readers.files import absolute, require_folder
from pedkit.data.references import Referencer, open_referencer, with_reference
from pedkit.data.utterance import Audio, Utterance
from pedkit.errors import PedkitError

CORPUS = "sonos"
SPLITS = ("train", "dev", "test")
_SPEAKER = ("age", "age_group", "dialectal_region", "ethnicity", "gender", "user_group")


def read_sonos(
    root: str | Path, *, canonical: str = "lexicon", unknown_words: str = "skip"
) -> Iterator[Utterance]:
    """Yield the commands of train, dev and test in the order of their files.

    Args:
        root: The folder that holds ``audios`` and ``metadata``, or the folder around it.
        canonical: ``lexicon`` = from the normalised text by cmudict; ``none``.
        unknown_words: See `cmudict_referencer`; many names of artists and songs are in no dictionary.

    Raises:
        PedkitError: A file is missing or not as documented, or an option has another value.
    """
    folder = require_folder(root, CORPUS)
    referencer = open_referencer(canonical, unknown_words)
    files = {split: _metadata_file(folder, split) for split in SPLITS}
    return (
        _utterance(name, entry, split, path, referencer)
        for split, path in files.items()
        for name, entry in read_object(path).items()
    )


def _metadata_file(root: Path, split: str) -> Path:
    found = sorted({*root.glob(f"metadata/{split}_*.json"), *root.glob(f"*/metadata/{split}_*.json")})
    if len(found) != 1:
        raise PedkitError(
            f"expected one file 'metadata/{split}_*.json' of the corpus {CORPUS} in this folder, "
            f"but got {len(found)}",
            file=root,
        )
    return found[0]


def _utterance(name: str, entry: Any, split: str, path: Path, referencer: Referencer | None) -> Utterance:
    try:
        speaker, transcript = _part(entry, "speaker"), _part(entry, "transcript")
        user = _text(speaker, "user_id")
        text = _text(transcript, "text")
        if user is None or text is None:
            raise PedkitError(
                f"expected {'speaker.user_id' if user is None else 'transcript.text'}, but it is missing"
            )
        raw = {key: value for key in _SPEAKER if (value := _text(speaker, key)) is not None}
        audio = path.parent.parent / "audios" / split / f"{name}.wav"
        utterance = Utterance(
            id=name,
            audio=Audio(path=absolute(audio), duration=_seconds(entry)),
            text=text,
            language="eng",
            split=split,
            corpus=CORPUS,
            level="sentence",
            speaker=f"{CORPUS}:{user}",
            groups=_groups(raw),
            groups_raw=raw,
            may_upload=False,
            extra=_extra(entry, transcript),
        )
        return with_reference(utterance, referencer, _text(transcript, "normalized_text"))
    except PedkitError as error:
        raise error.at(file=path, utterance=name) from None


def _groups(raw: Mapping[str, str]) -> dict[str, str | int | float | bool]:
    """Return the groups; the published accent is the dialect region, and where that is null the ethnicity.

    Regions are written without ``USA``, as in the corpus's own analysis.
    """
    dialect = answer(raw.get("dialectal_region"))
    dialect = None if dialect is None else dialect.removeprefix("usa ")
    ethnicity = answer(raw.get("ethnicity"))
    return known(
        gender=gender_answer(raw.get("gender")),
        **age_keys(years(raw.get("age"))),
        sonos_age_group=answer(raw.get("age_group")),
        dialect=dialect,
        ethnicity=ethnicity,
        accent=dialect if dialect is not None else ethnicity,
    )


def _part(entry: Any, key: str) -> Mapping[str, Any]:
    part = entry.get(key) if isinstance(entry, dict) else None
    if not isinstance(part, dict):
        raise PedkitError(f"expected an object under {key!r}, but got {part!r}")
    return part


def _text(part: Mapping[str, Any], key: str) -> str | None:
    value = part.get(key)
    return None if value is None else present(str(value))


def _seconds(entry: Mapping[str, Any]) -> float | None:
    """Return the stated length, by which a broken-off recording is told."""
    length = entry.get("audioLengthMs")
    if length is None:
        return None
    if isinstance(length, bool) or not isinstance(length, int | float) or not 0 < length < float("inf"):
        raise PedkitError(f"expected milliseconds under 'audioLengthMs', but got {length!r}")
    return length / 1000


def _extra(entry: Mapping[str, Any], transcript: Mapping[str, Any]) -> dict[str, Any]:
    extra: dict[str, Any] = {}
    for key, value in (("content", entry.get("content")), ("label", transcript.get("label"))):
        if isinstance(value, dict):
            extra[key] = value
    return extra
