"""UASpeech's file names: ``<speaker>_<block>_<word>_<microphone>.wav``, such as ``F04_B2_C13_M7.wav``."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from pedkit.errors import PedkitError

_NAME = re.compile(
    r"(?P<speaker>C?[FM]\d{2})_(?P<block>B[1-3])_(?P<word>D\d|L[A-Z]|CW\d+|UW\d+|C\d+)_(?P<microphone>M\d)\.wav",
    re.IGNORECASE,
)
_KINDS = (("CW", "common"), ("UW", "uncommon"), ("C", "command"), ("D", "digit"), ("L", "letter"))
BY_ANOTHER_MICROPHONE = {"F04_B2_C13": "M7"}
"""Utterances without a recording by M5, and the microphone that PRiSM takes instead."""


@dataclass(frozen=True, slots=True)
class RecordedWord:
    """One file.

    Attributes:
        path: The file.
        speaker: ``F04``; controls begin with ``C``.
        block: ``B1``, ``B2`` or ``B3``.
        word: Word id: ``D0`` digits, ``LA`` letters, ``C1`` commands, ``CW1`` common, ``UW1`` uncommon words.
        microphone: ``M2`` to ``M8``.
    """

    path: Path
    speaker: str
    block: str
    word: str
    microphone: str

    @property
    def utterance(self) -> str:
        """What was said when, whichever microphone recorded it (``F04_B2_C13``)."""
        return f"{self.speaker}_{self.block}_{self.word}"

    @property
    def id(self) -> str:
        """Name of the file without its ending."""
        return f"{self.utterance}_{self.microphone}"

    @property
    def list_name(self) -> str:
        """Word id as the word list has it; uncommon words differ between blocks (``B2_UW7``)."""
        return f"{self.block}_{self.word}" if self.word.startswith("UW") else self.word

    @property
    def kind(self) -> str:
        """``digit``, ``letter``, ``command``, ``common`` or ``uncommon``."""
        return next(kind for start, kind in _KINDS if self.word.startswith(start))


def find_recordings(root: Path) -> list[RecordedWord]:
    """Return every recording below ``root``, sorted by id.

    Raises:
        PedkitError: There is none, a name is not of the corpus's form, or a recording lies there twice (the
            original and the noise-reduced version).
    """
    found: dict[str, RecordedWord] = {}
    for folder, names, files in os.walk(root, followlinks=True):
        names.sort()
        for name in sorted(files):
            if not name.lower().endswith(".wav"):
                continue
            path = Path(folder, name)
            match = _NAME.fullmatch(name)
            if match is None:
                raise PedkitError("expected a name such as F04_B2_C13_M7.wav", file=path)
            recording = RecordedWord(path, *(part.upper() for part in match.groups()))
            if (twin := found.setdefault(recording.id, recording)) is not recording:
                raise PedkitError(
                    f"this recording lies there twice, also as {twin.path}",
                    file=path,
                    hint="give one version, such as audio/original, as audio=FOLDER",
                )
    if not found:
        raise PedkitError("expected recordings of UASpeech, such as audio/F04/F04_B2_C13_M7.wav", file=root)
    return [found[name] for name in sorted(found)]


def by_microphone(recordings: Iterable[RecordedWord], microphone: str) -> list[RecordedWord]:
    """Return the recordings of one microphone (``M5``), or of ``all``.

    Of an utterance that M5 lacks in the release, PRiSM's stand-in is taken (`BY_ANOTHER_MICROPHONE`).

    Raises:
        PedkitError: There is no such microphone in the corpus.
    """
    recordings = list(recordings)
    if microphone == "all":
        return recordings
    chosen = [recording for recording in recordings if recording.microphone == microphone]
    if not chosen:
        there = ", ".join(sorted({recording.microphone for recording in recordings}))
        raise PedkitError(f"there are no recordings by the microphone {microphone!r} (there are: {there}, all)")
    if microphone == "M5":
        have = {recording.utterance for recording in chosen}
        chosen += [
            recording
            for recording in recordings
            if recording.utterance not in have
            and BY_ANOTHER_MICROPHONE.get(recording.utterance) == recording.microphone
        ]
    return sorted(chosen, key=lambda recording: recording.id)
