"""Speech Accent Archive: one English paragraph, read by people of some 200 first languages.

Weinberger, George Mason University; layout of the Kaggle copy ``rtatman/speech-accent-archive``. Decisions:
``docs/corpora/speech_accent_archive.md``.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec.structs import replace

from pedkit.data.readers.cells import Row, read_table
from pedkit.data.readers.demography import age_keys, answer, gender_answer, known, years
from pedkit.data.readers.files import absolute, choose, optional_file, read_lines, require_file, require_folder
from pedkit.data.references import open_referencer, with_reference
from pedkit.data.utterance import Audio, Utterance
from pedkit.errors import PedkitError

log = logging.getLogger(__name__)

CORPUS = "speech_accent_archive"
_COLUMNS = (
    "age", "age_onset", "birthplace", "filename", "native_language", "sex", "speakerid", "country",
    "file_missing?",
)  # fmt: skip
_RAW = ("age", "age_onset", "birthplace", "native_language", "sex", "country")
_MISSPELT = {"famale": "female"}
_NOT_A_PERSON = "synthesized"


def read_speech_accent_archive(
    root: str | Path, *, missing: str = "stop", canonical: str = "lexicon", unknown_words: str = "stop"
) -> Iterator[Utterance]:
    """Yield the readings of the paragraph in the order of the table; 2,140 in the full copy.

    Rows that the table itself marks as without a file are left out.

    Args:
        root: The folder that holds ``speakers_all.csv``, ``reading-passage.txt`` and ``recordings``.
        missing: A recording that the table promises and that is not there: ``stop`` or ``skip``.
        canonical: ``lexicon`` = from the paragraph by cmudict; ``none``.
        unknown_words: See `cmudict_referencer`; cmudict has all words of the paragraph.

    Raises:
        PedkitError: A file is missing or not as documented, or an option has another value.
    """
    folder = require_folder(root, CORPUS)
    choose(missing=(missing, ("stop", "skip")))
    referencer = open_referencer(canonical, unknown_words)
    passage = _passage(require_file(folder, ("reading-passage.txt",), CORPUS))
    table = require_file(folder, ("speakers_all.csv",), CORPUS)
    rows = _rows(table)
    # All say the same, so the phones are looked up once.
    pattern = with_reference(Utterance(id="passage", text=passage, language="eng"), referencer)
    return _utterances(folder, table, rows, pattern, skip_missing=missing == "skip")


def _passage(path: Path) -> str:
    lines = read_lines(path)
    if not lines:
        raise PedkitError("expected the paragraph that everybody reads, but the file is empty", file=path)
    return " ".join(line.strip() for _, line in lines)


def _rows(table: Path) -> list[Row]:
    rows = read_table(table, delimiter=",")
    for row in rows[:1]:
        if lacking := [column for column in _COLUMNS if column not in row.cells]:
            raise PedkitError(f"expected a column {lacking[0]!r}", file=table, line=1)
    return rows


def _utterances(
    root: Path, table: Path, rows: Sequence[Row], pattern: Utterance, *, skip_missing: bool
) -> Iterator[Utterance]:
    left_out = 0
    for row in rows:
        name = row.cells["filename"]
        if name is None:
            raise PedkitError("expected a name under 'filename'", file=table, line=row.line)
        absent = (row.cells["file_missing?"] or "").lower() == "true"
        if absent or answer(row.cells["native_language"]) == _NOT_A_PERSON:
            continue
        try:
            audio = next((path for path in _places(root, name) if optional_file(path)), None)
        except PedkitError as error:
            raise error.at(file=table, line=row.line, utterance=name[:100]) from None
        if audio is None and not skip_missing:
            raise PedkitError(
                f"expected the recording '{name}.mp3' in recordings/recordings or recordings",
                file=table,
                line=row.line,
                hint="missing=skip leaves such rows out",
            )
        if audio is None:
            left_out += 1
            continue
        yield _utterance(name, audio, row, pattern)
    if left_out:
        log.warning("recordings of %s left out, because the file is missing: %d", CORPUS, left_out)


def _places(root: Path, name: str) -> tuple[Path, ...]:
    return tuple(root / folder / f"{name}.mp3" for folder in ("recordings/recordings", "recordings"))


def _utterance(name: str, audio: Path, row: Row, pattern: Utterance) -> Utterance:
    raw = {column: value for column in _RAW if (value := row.cells[column]) is not None}
    return replace(
        pattern,
        id=name,
        audio=Audio(path=absolute(audio)),
        corpus=CORPUS,
        level="passage",
        speaker=f"{CORPUS}:{row.cells['speakerid'] or name}",
        groups=_groups(raw),
        groups_raw=raw,
        may_upload=False,
    )


def _groups(raw: dict[str, str]) -> dict[str, str | int | float | bool]:
    sex = raw.get("sex", "")
    l1 = answer(raw.get("native_language"))
    return known(
        gender=gender_answer(_MISSPELT.get(sex.lower(), sex)),
        **age_keys(years(raw.get("age"))),
        l1=l1,
        native=None if l1 is None else l1 == "english",
        accent=l1,
        region=answer(raw.get("country")),
        age_of_onset=_onset(raw.get("age_onset")),
    )


def _onset(cell: str | None) -> int | None:
    """Return the age at which English began; 0 is from birth."""
    return 0 if cell in ("0", "0.0") else years(cell)
