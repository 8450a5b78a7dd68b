"""The lists of one Kaldi data folder, each under the name of what it says."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pedkit.data.readers.files import optional_file
from pedkit.data.readers.kaldi_lists import Recording, Segment, read_list, read_recordings, read_segments
from pedkit.errors import PedkitError

PRISM_SETS = {
    "doreco": False,
    "gmuaccent": False,
    "l2arctic_perceived": False,
    "timit": False,
    "tusom2021": True,
    "voxangeles": False,
}
"""PRiSM's evaluation sets (folders ``test_<set>``), and whether the licence lets their audio be passed on."""

PRISM_PHONES = "text.good"
SPEAKER_LISTS = {"gender": "spk2gender", "age": "spk2age"}
_LANGUAGE_LISTS = ("text.lang", "utt2lang")
_TAG = re.compile(r"<([^<>]+)>")


@dataclass(frozen=True, slots=True)
class KaldiFolder:
    """A data folder.

    Attributes:
        path: The folder.
        recordings: Recording -> its file.
        segments: Utterance -> part of a recording; ``None`` where each recording is an utterance.
        words: Utterance -> words. ``realized``, ``canonical``: the same for phones, as written.
        language: Utterance -> code. ``speaker``: utterance -> speaker. ``seconds``: utterance -> length.
        groups: Group key -> speaker or utterance -> value.
    """

    path: Path
    recordings: Mapping[str, Recording]
    segments: Mapping[str, Segment] | None
    words: Mapping[str, str] | None
    realized: Mapping[str, str] | None
    canonical: Mapping[str, str] | None
    language: Mapping[str, str]
    speaker: Mapping[str, str] | None
    seconds: Mapping[str, str]
    groups: Mapping[str, Mapping[str, str]]

    @classmethod
    def read(
        cls, path: Path, *, realized: str | None, canonical: str | None, groups: Mapping[str, str]
    ) -> KaldiFolder:
        """Read the lists of a folder; those that are named must be there, of the others those that are.

        Raises:
            PedkitError: A named list is missing, or a list is not as documented.
        """
        words, language = _words_and_language(path)
        named = {key: name for key, name in SPEAKER_LISTS.items() if optional_file(path / name)} | dict(groups)
        segments = optional_file(path / "segments")
        return cls(
            path=path,
            recordings=read_recordings(path / "wav.scp"),
            segments=read_segments(segments) if segments else None,
            words=words,
            realized=read_list(path / realized) if realized else _optional(path / PRISM_PHONES),
            canonical=read_list(path / canonical) if canonical else None,
            language=language,
            speaker=_optional(path / "utt2spk"),
            seconds=_optional(path / "utt2dur") or {},
            groups={key: read_list(path / name) for key, name in named.items()},
        )

    @property
    def prism_set(self) -> str | None:
        """Name of PRiSM's evaluation set that this folder is."""
        name = self.path.resolve().name.removeprefix("test_")
        return name if name in PRISM_SETS and (self.path / PRISM_PHONES).is_file() else None

    def part(self, utterance: str) -> Segment:
        """Return which part of which recording an utterance is.

        Raises:
            PedkitError: ``wav.scp`` lacks the recording.
        """
        part = Segment(utterance, 0.0, None) if self.segments is None else self.segments[utterance]
        if part.recording not in self.recordings:
            raise PedkitError(f"wav.scp lacks the recording {part.recording!r} of this segment")
        return part

    def lacking(self, utterance: str) -> list[str]:
        """Return which lists lack an utterance."""
        lists = {
            "text": self.words, "utt2spk": self.speaker, "realized": self.realized, "canonical": self.canonical,
        }  # fmt: skip
        return [name for name, found in lists.items() if found is not None and utterance not in found]


def read_folders(
    root: Path, *, realized: str | None, canonical: str | None, groups: Mapping[str, str]
) -> list[KaldiFolder]:
    """Read ``root`` where it holds ``wav.scp``, else each folder in it that does (see `KaldiFolder.read`).

    Raises:
        PedkitError: There is no such folder, or a list is missing or not as documented.
    """
    single = optional_file(root / "wav.scp") is not None
    paths = [root] if single else sorted(path.parent for path in root.glob("*/wav.scp"))
    if not paths:
        raise PedkitError("expected the file 'wav.scp' in this folder, or folders that have one", file=root)
    return [KaldiFolder.read(path, realized=realized, canonical=canonical, groups=groups) for path in paths]


def _words_and_language(path: Path) -> tuple[dict[str, str] | None, dict[str, str]]:
    """Return words and languages; in PRiSM's folders ``text`` holds language tags such as ``<eng><pr>``."""
    text = _optional(path / "text")
    tags = next((tags for name in _LANGUAGE_LISTS if (tags := _optional(path / name))), None)
    if text and all(value.startswith("<") for value in text.values()):
        tags, text = tags or text, None
    languages = {key.removesuffix("_pr"): _code(value) for key, value in (tags or {}).items()}
    return text, {key: code for key, code in languages.items() if code not in ("", "unk")}


def _code(value: str) -> str:
    tag = _TAG.match(value)
    return tag[1].strip() if tag else value.strip()


def _optional(path: Path) -> dict[str, str] | None:
    return read_list(path) if optional_file(path) else None
