"""UASpeech: single words by speakers with dysarthria and by controls, recorded by an array of microphones.

Source of the layout: corpus page (isle.illinois.edu/sst/data/UASpeech), PRiSM's loader. Decisions:
``docs/corpora/uaspeech.md``.
"""

from __future__ import annotations

import csv
import functools
from collections.abc import Iterator, Mapping
from importlib.resources import files
from pathlib import Path

from pedkit.data.readers.demography import gender
from pedkit.data.readers.files import absolute, require_folder
from pedkit.data.readers.options import require_texts
from pedkit.data.readers.uaspeech_files import RecordedWord, by_microphone, find_recordings
from pedkit.data.readers.uaspeech_words import PromptedWords, find_words
from pedkit.data.references import open_referencer, with_reference
from pedkit.data.utterance import Audio, Utterance
from pedkit.errors import PedkitError

CORPUS = "uaspeech"
INTELLIGIBILITY = {1: "high", 2: "mid", 3: "low", 4: "very low"}
"""The corpus's classes of dysarthric speech by severity; controls (severity 0) have none."""

_SPLIT_OF_BLOCK = {"B1": "train", "B2": "test", "B3": "train"}


def read_uaspeech(
    root: str | Path,
    *,
    microphone: str = "M5",
    audio: str | None = None,
    wordlist: str | None = None,
    controls: bool = True,
    split: str = "none",
    canonical: str = "lexicon",
    unknown_words: str = "skip",
) -> Iterator[Utterance]:
    """Yield the recordings of one microphone, sorted by file name.

    Args:
        root: The folder that holds ``audio`` and ``mlf`` or ``doc``.
        microphone: ``M2`` to ``M8``, or ``all``.
        audio: Folder of the recordings, where several versions lie below ``root``, such as ``audio/original``.
        wordlist: CSV or TSV copy of the word list (see `find_words`).
        controls: Whether speakers without dysarthria are read too.
        split: ``none``, or ``blocks`` = B1 and B3 train, B2 test, with the same speakers in both.
        canonical: ``lexicon`` = canonical phones by cmudict; ``none``.
        unknown_words: A word that cmudict lacks: ``skip`` = no canonical phones, ``stop``, or ``g2p`` (see
            `open_referencer`).

    Raises:
        PedkitError: Recordings or words are missing or not as documented, or an option has another value.
    """
    require_texts(microphone=microphone, audio=audio, wordlist=wordlist)
    folder = require_folder(root, CORPUS)
    if split not in ("none", "blocks"):
        raise PedkitError(f"expected 'split' to be one of none, blocks, but got {split!r}")
    if not isinstance(controls, bool):
        raise PedkitError(f"expected 'controls' to be true or false, but got {controls!r}")
    referencer = open_referencer(canonical, unknown_words)
    words = find_words(folder, wordlist)
    recordings = by_microphone(find_recordings(folder / (audio or "")), microphone)
    return (
        with_reference(_utterance(recording, words, microphone, split), referencer)
        for recording in recordings
        if controls or not recording.speaker.startswith("C")
    )


def _utterance(recording: RecordedWord, words: PromptedWords, microphone: str, split: str) -> Utterance:
    try:
        text = words.of(recording)
    except PedkitError as error:
        raise error.at(file=words.file, utterance=recording.id) from None
    return Utterance(
        id=recording.id,
        audio=Audio(path=absolute(recording.path)),
        text=text,
        language="eng",
        split=_SPLIT_OF_BLOCK[recording.block] if split == "blocks" else None,
        corpus=CORPUS,
        level="word",
        source_id=recording.utterance if microphone == "all" else None,
        speaker=f"{CORPUS}:{recording.speaker}",
        groups=_groups(recording.speaker),
        groups_raw={"gender": recording.speaker.removeprefix("C")[0]},
        may_upload=False,
        extra={
            "block": recording.block,
            "word_id": recording.word,
            "word_kind": recording.kind,
            "microphone": recording.microphone,
        },
    )


def _groups(speaker: str) -> dict[str, str | int | float | bool]:
    groups: dict[str, str | int | float | bool] = {
        "gender": gender(speaker.removeprefix("C")[0]),
        "dysarthria": not speaker.startswith("C"),
    }
    severity = _severities().get(speaker)
    if severity is not None:
        groups["severity"] = severity
    if severity in INTELLIGIBILITY:
        groups["intelligibility"] = INTELLIGIBILITY[severity]
    return groups


@functools.cache
def _severities() -> Mapping[str, int]:
    text = files("pedkit.data.readers").joinpath("tables", "uaspeech_speakers.tsv").read_text(encoding="ascii")
    return {row["speaker"]: int(row["severity"]) for row in csv.DictReader(text.splitlines(), delimiter="\t")}
