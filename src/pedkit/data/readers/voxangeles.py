"""VoxAngeles: single words of 95 languages in audited narrow transcription (UCLA Phonetics Lab Archive).

Source of the layout: GitHub pacscilab/voxangeles. Decisions: ``docs/corpora/voxangeles.md``.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pedkit.data.readers.archives import unpack as unpack_archive
from pedkit.data.readers.cells import iter_table
from pedkit.data.readers.files import absolute, require_file, require_folder
from pedkit.data.readers.textgrid import read_textgrid
from pedkit.data.utterance import Audio, Utterance
from pedkit.errors import PedkitError
from pedkit.phones import normalize_ipa, tokenize_ipa

log = logging.getLogger(__name__)

CORPUS = "voxangeles"
TABLE = "transcriptions/voxangeles_transcriptions.tsv"
_AUDITED = ("data/audited_aligned", "audited_aligned")
_NAME = re.compile(r"(?P<language>[a-z]{3})-.+")
_GRIDS = (".TextGrid", ".textgrid")
_COLUMNS = ("lang", "file", "updated")


def read_voxangeles(
    root: str | Path,
    *,
    transcription: str = "updated",
    languages: Sequence[str] | None = None,
    unpack: str | Path | None = None,
) -> Iterator[Utterance]:
    """Yield the words of the audited part, sorted by language and id; realized phones in IPA, nothing canonical.

    Args:
        root: The folder of the repository.
        transcription: ``updated`` = the audited transcription of the table, split into IPA symbols; ``phones`` =
            the segments of the tier ``phones``.
        languages: ISO 639-3 codes of those wanted; by default all that are there.
        unpack: Folder into which languages that are there only as a zip archive are unpacked; without it they
            stop the reader.

    Raises:
        PedkitError: A file is missing or not as documented, or an option has another value.
    """
    folder = require_folder(root, CORPUS)
    if transcription not in ("updated", "phones"):
        raise PedkitError(f"expected 'transcription' to be one of updated, phones, but got {transcription!r}")
    if isinstance(languages, str):
        raise PedkitError(f"expected 'languages' to be a list of ISO 639-3 codes, but got {languages!r}")
    audited = next((folder / name for name in _AUDITED if (folder / name).is_dir()), None)
    if audited is None:
        raise PedkitError(f"expected the folder '{_AUDITED[0]}' of the corpus {CORPUS} in this folder", file=root)
    homes = _language_folders(audited, languages, None if unpack is None else Path(unpack))
    table = _read_table(require_file(folder, (TABLE,), CORPUS)) if transcription == "updated" else None
    return _utterances(homes, table)


@dataclass(frozen=True, slots=True)
class _Row:
    updated: str
    raw: str


def _read_table(path: Path) -> dict[str, _Row]:
    rows: dict[str, _Row] = {}
    for row in iter_table(path, delimiter="\t", quoted=False):
        written = {name.strip(): cell.strip() for name, cell in row.written.items()}
        if missing := [name for name in _COLUMNS if name not in written]:
            raise PedkitError(f"expected a column {missing[0]!r}", file=path, line=1)
        if written["file"] in rows:
            raise PedkitError(f"{written['file']!r} stands twice", file=path, line=row.line)
        # R writes a missing value as NA; na and nan are words. IPA has no capitals.
        updated = "" if written["updated"] == "NA" else written["updated"]
        rows[written["file"]] = _Row(updated, written.get("raw", ""))
    return rows


def _language_folders(audited: Path, wanted: Sequence[str] | None, unpacked: Path | None) -> dict[str, Path]:
    """Return the folder of each language, unpacking where that is asked for."""
    found = {path.name: path for path in sorted(audited.iterdir()) if path.is_dir() and path.name[0] not in "._"}
    packed = {path.stem: path for path in sorted(audited.glob("*.zip")) if path.stem not in found}
    chosen = sorted({*found, *packed} if wanted is None else set(wanted))
    for language in chosen:
        if language in found:
            continue
        if language not in packed:
            raise PedkitError(f"there is no language {language!r} in this folder", file=audited)
        if unpacked is None:
            raise PedkitError(
                f"the language {language!r} is still packed",
                file=packed[language],
                hint="unzip it there, or give unpack=FOLDER",
            )
        found[language] = unpack_archive(packed[language], unpacked / language, (".wav", ".textgrid"))
    if not chosen:
        raise PedkitError("expected a folder or a zip archive a language in this folder", file=audited)
    return {language: found[language] for language in chosen}


def _utterances(homes: Mapping[str, Path], table: Mapping[str, _Row] | None) -> Iterator[Utterance]:
    seen: set[str] = set()
    for language, home in homes.items():
        recordings = sorted(path for path in home.rglob("*") if _is_recording(path))
        if not recordings:
            raise PedkitError(f"expected recordings such as '{language}-001-001.wav' in this folder", file=home)
        for path in recordings:
            seen.add(path.stem)
            try:
                yield _utterance(path, table)
            except PedkitError as error:
                raise error.at(file=path, utterance=path.stem) from None
    lacking = [name for name in table or () if name[:3] in homes and name not in seen]
    if lacking:
        log.warning("%d words of the table have no recording, the first is %s", len(lacking), lacking[0])


def _is_recording(path: Path) -> bool:
    return path.suffix.lower() == ".wav" and not path.name.startswith(".")


def _utterance(path: Path, table: Mapping[str, _Row] | None) -> Utterance:
    match = _NAME.fullmatch(path.stem)
    if match is None:
        raise PedkitError(
            f"expected a name such as 'bsq-002-016.wav' (language, recording, word), but got {path.name}"
        )
    extra: dict[str, Any] = {"recording": path.stem.rpartition("-")[0]}
    realized: tuple[str, ...] | None
    if table is None:
        realized, odd = _segments(path)
        extra |= {"annotation_notes": list(odd)} if odd else {}
    elif path.stem in table:
        row = table[path.stem]
        realized = tokenize_ipa(row.updated) or None
        extra |= {"raw": row.raw} if row.raw else {}
    else:
        raise PedkitError(f"'{TABLE}' has no line for it")
    return Utterance(
        id=path.stem,
        audio=Audio(path=absolute(path)),
        language=match["language"],
        corpus=CORPUS,
        inventory="ipa",
        realized=realized,
        level="word",
        may_upload=False,
        extra=extra,
    )


def _segments(path: Path) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the labels of the tier ``phones`` and what is odd about its intervals."""
    grid = next((path.with_suffix(end) for end in _GRIDS if path.with_suffix(end).is_file()), None)
    if grid is None:
        raise PedkitError(f"expected the file '{path.stem}.TextGrid' beside it")
    tier = read_textgrid(grid).tier("phones")
    labels = (normalize_ipa("".join(interval.label.split())) for interval in tier.intervals)
    return tuple(label for label in labels if label), tier.oddities()
