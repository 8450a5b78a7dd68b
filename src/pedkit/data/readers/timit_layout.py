"""Where a TIMIT sentence lies: the LDC's folders, NLTK's sample, and copies of them in either letter case."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pedkit.errors import PedkitError

_SPEAKER = re.compile(r"(?:dr[1-8]-)?(?P<name>[fm][a-z]{3}[0-9])")
_REGION = re.compile(r"dr([1-8])(?:-.*)?")
_FILE = re.compile(r"(?P<stem>s[aix]\d+)\.(?:phn|wrd|txt|wav|sph|flac)(?:\.wav)?|(?P<other>.+)\.phn")
_AUDIO_NAMES = (".wav", ".wav.wav", ".sph", ".flac")
"""In order of choice. ``SI681.WAV.wav`` is a RIFF copy beside the SPHERE file in a well-known re-upload."""

EXPECTED = "TRAIN/DR1/FCJF0/SI1027.PHN (LDC) or dr1-fvmh0/sx206.phn (NLTK)"


@dataclass(frozen=True, slots=True)
class SentenceFiles:
    """The files of one sentence.

    Attributes:
        speaker: Speaker in lower case with the sex letter (``fcjf0``).
        sentence: Sentence in lower case (``sx217``).
        region: Dialect region 1 to 8, where the folders say it.
        part: ``train`` or ``test``, where the folders say it.
        audio: The recording. ``phones``, ``words`` and ``prompt`` are the PHN, WRD and TXT files.
    """

    speaker: str
    sentence: str
    region: int | None
    part: str | None
    audio: Path
    phones: Path
    words: Path
    prompt: Path

    @property
    def id(self) -> str:
        """Name that is unique in the corpus (``fcjf0_sx217``); the sentence alone is not."""
        return f"{self.speaker}_{self.sentence}"


def find_sentences(root: Path) -> list[SentenceFiles]:
    """Return every sentence below ``root`` but the dialect sentences SA1 and SA2, sorted by id.

    Raises:
        PedkitError: There is none, a file of a sentence is missing, or a sentence lies there twice.
    """
    found: dict[str, SentenceFiles] = {}
    for folder, names, files in os.walk(root, followlinks=True):
        names.sort()
        here = {name.lower(): Path(folder, name) for name in sorted(files)}
        speaker = _SPEAKER.fullmatch(Path(folder).name.lower())
        if speaker is None:
            continue
        stems = {match["stem"] or match["other"] for match in map(_FILE.fullmatch, here) if match}
        for stem in sorted(stems):
            if stem.startswith("sa"):
                continue
            sentence = _sentence(root, Path(folder), speaker["name"], stem, here)
            twin = found.setdefault(sentence.id, sentence)
            if twin is not sentence:
                raise PedkitError(
                    f"this sentence lies there twice, also as {twin.phones}",
                    file=sentence.phones,
                    utterance=sentence.id,
                    hint="give the folder of one copy",
                )
    if not found:
        raise PedkitError(f"expected sentences of TIMIT in this folder, such as {EXPECTED}", file=root)
    return [found[name] for name in sorted(found)]


def require_both_parts(root: Path, sentences: Sequence[SentenceFiles]) -> None:
    """Refuse half a corpus.

    Raises:
        PedkitError: The folders say TRAIN and TEST, but only one of them is there.
    """
    parts = {sentence.part for sentence in sentences if sentence.part is not None}
    if len(parts) == 1:
        raise PedkitError(
            f"expected both TRAIN and TEST of TIMIT in this folder, but found only {parts.pop()}", file=root
        )


def require_speakers(root: Path, sentences: Sequence[SentenceFiles], speakers: Collection[str]) -> None:
    """Refuse a copy of the disc that lacks speakers of its own table, as when it was not unpacked whole.

    Raises:
        PedkitError: Speakers are missing, and the layout is the LDC's.
    """
    there = {sentence.speaker for sentence in sentences}
    gone = sorted(set(speakers) - there)
    if gone and any(sentence.part is not None for sentence in sentences):
        raise PedkitError(
            f"SPKRINFO.TXT has {len(speakers)} speakers, but {len(gone)} of them have no folder here, "
            f"such as {gone[0]}",
            file=root,
            hint="unpack it again; missing=skip reads those that are there",
        )


def _sentence(root: Path, folder: Path, speaker: str, stem: str, here: Mapping[str, Path]) -> SentenceFiles:
    above = [part.lower() for part in folder.relative_to(root).parts] or [folder.name.lower()]
    regions = [match[1] for match in map(_REGION.fullmatch, above) if match]
    parts = [part for part in above if part in ("train", "test")]
    audio = next((here[stem + ending] for ending in _AUDIO_NAMES if stem + ending in here), None)
    for ending in (".phn", ".wrd", ".txt"):
        if stem + ending not in here:
            beside = next(path for name, path in here.items() if name.startswith(f"{stem}."))
            raise PedkitError(f"expected the file '{stem}{ending}' beside it", file=beside)
    if audio is None:
        raise PedkitError(f"expected the recording '{stem}.wav' beside it", file=here[f"{stem}.phn"])
    return SentenceFiles(
        speaker=speaker,
        sentence=stem,
        region=int(regions[-1]) if regions else None,
        part=parts[-1] if parts else None,
        audio=audio,
        phones=here[f"{stem}.phn"],
        words=here[f"{stem}.wrd"],
        prompt=here[f"{stem}.txt"],
    )
