"""DoReCo: spontaneous speech of some 50 languages, transcribed in the field and aligned phone by phone.

Source of the layout: doreco.huma-num.fr, and GitHub cldf-datasets/doreco, which reads version 1.2. Decisions:
``docs/corpora/doreco.md``.
"""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from pedkit.data.readers.doreco_tables import Recording, read_phones, read_recordings, read_words
from pedkit.data.readers.doreco_units import Unit, units
from pedkit.data.readers.files import absolute, choose, require_file, require_folder
from pedkit.data.utterance import Audio, Utterance
from pedkit.errors import PedkitError

log = logging.getLogger(__name__)

CORPUS = "doreco"
LABELS = ("drop", "unk", "skip")
_PHONES = re.compile(r"doreco_(?P<glottocode>[a-z0-9]{4}[0-9]{4})_ph\.csv")


def read_doreco(
    root: str | Path,
    *,
    languages: Sequence[str] | None = None,
    labels: str = "drop",
    audio: str = "required",
) -> Iterator[Utterance]:
    """Yield the units of annotation of the core sets, language by language; realized phones in IPA.

    Args:
        root: A folder that holds the unpacked bundles of one or several languages, with their recordings, at any
            depth.
        languages: Glottocodes of those wanted; by default all that are there.
        labels: What becomes of speech that has a label in place of phones, such as filled pauses and what nobody
            understood: ``drop`` = nothing stands for it; ``unk`` = one ``<unk>`` a stretch; ``skip`` = such
            utterances are left out.
        audio: ``required`` = each recording must be there; ``optional`` = utterances of the others have no audio.

    Raises:
        PedkitError: A table is missing or not as documented, or an option has another value.
    """
    folder = require_folder(root, CORPUS)
    choose(labels=(labels, LABELS), audio=(audio, ("required", "optional")))
    if isinstance(languages, str):
        raise PedkitError(f"expected 'languages' to be a list of glottocodes, but got {languages!r}")
    tables, recordings = _find(folder)
    for glottocode in languages or ():
        if glottocode not in tables:
            raise PedkitError(f"expected the file 'doreco_{glottocode}_ph.csv' in this folder", file=folder)
    chosen = {code: path for code, path in sorted(tables.items()) if languages is None or code in languages}
    source = _Source(labels, audio == "required", recordings, _documented_languages())
    return source.utterances(chosen)


def _find(root: Path) -> tuple[dict[str, Path], dict[str, Path]]:
    """Return the phone tables by glottocode and the recordings by name."""
    tables: dict[str, Path] = {}
    recordings: dict[str, Path] = {}
    for folder, below, names in os.walk(root, followlinks=True):
        below.sort()
        for name in sorted(names):
            path = Path(folder, name)
            if name.lower().endswith(".wav") and name[0] != ".":
                recordings.setdefault(path.stem, path)
            elif match := _PHONES.fullmatch(name):
                twin = tables.setdefault(match["glottocode"], path)
                if twin is not path:
                    raise PedkitError(
                        f"the language lies there twice, also as {twin}",
                        file=path,
                        hint="give the folder of one copy",
                    )
    if not tables:
        raise PedkitError(
            "expected bundles of DoReCo in this folder, such as doreco_anal1239_ph.csv",
            file=root,
            hint="unzip them",
        )
    return tables, recordings


@dataclass(frozen=True, slots=True)
class _Language:
    """A line of ``tables/doreco_languages.tsv``."""

    glottocode: str
    name: str
    code: str
    annotation: str
    audio: str

    @property
    def may_upload(self) -> bool | None:
        """False for non-commercial and no-derivatives licences; ``None`` where the audio has none of its own."""
        if not self.audio.startswith("CC"):
            return None
        return "NC" not in self.audio and "ND" not in self.audio


def _documented_languages() -> dict[str, _Language]:
    text = files("pedkit.data.readers").joinpath("tables", "doreco_languages.tsv").read_text(encoding="utf-8")
    rows = (_Language(*line.split("\t")) for line in text.splitlines()[1:])
    return {row.glottocode: row for row in rows}


@dataclass(frozen=True, slots=True)
class _Source:
    labels: str
    needs_audio: bool
    recordings: Mapping[str, Path]
    documented: Mapping[str, _Language]

    def utterances(self, tables: Mapping[str, Path]) -> Iterator[Utterance]:
        for glottocode, path in tables.items():
            words = read_words(require_file(path.parent, (f"doreco_{glottocode}_wd.csv",), CORPUS))
            metadata = require_file(path.parent, (f"doreco_{glottocode}_metadata.csv",), CORPUS)
            recordings = read_recordings(metadata, glottocode)
            language = self.documented.get(glottocode) or _Language(glottocode, glottocode, "und", "", "")
            if glottocode not in self.documented:
                log.warning("%s is no language of DoReCo 1.2: its code and licence are not known", glottocode)
            for (file, speaker), rows in read_phones(path, glottocode).items():
                for unit in units(rows, words, path):
                    if not (self.labels == "skip" and unit.labels):
                        yield self._utterance(unit, file, speaker, language, recordings.get(file))

    def _utterance(
        self, unit: Unit, file: str, speaker: str, language: _Language, recording: Recording | None
    ) -> Utterance:
        known = _speaker_code(speaker, recording)
        extra: dict[str, Any] = {"ref": unit.name} | ({} if recording is None else dict(recording.facts))
        if unit.labels:
            extra["labels"] = dict(unit.labels)
        if language.audio:
            extra["licence"] = language.audio
        name = f"{file}_{speaker}_{unit.name}"
        return Utterance(
            id=name,
            audio=self._audio(unit, file, name),
            text=" ".join(unit.words) or None,
            language=language.code,
            corpus=CORPUS,
            inventory="ipa",
            realized=unit.with_unknown if self.labels == "unk" else unit.phones,
            speaker=f"{CORPUS}:{language.glottocode}_{known or speaker}",
            groups={} if recording is None or known is None else recording.groups[known],
            groups_raw={} if recording is None or known is None else recording.groups_raw[known],
            may_upload=language.may_upload,
            extra=extra,
        )

    def _audio(self, unit: Unit, file: str, name: str) -> Audio | None:
        path = self.recordings.get(file)
        if path is not None:
            return Audio(path=absolute(path), start=unit.start, duration=round(unit.end - unit.start, 6))
        if not self.needs_audio:
            return None
        raise PedkitError(
            f"expected the recording '{file}.wav' somewhere in the folder",
            utterance=name,
            hint="download the audio of the language; audio=optional goes without",
        )


def _speaker_code(speaker: str, recording: Recording | None) -> str | None:
    """Return the speaker's code in the metadata; a zero too many is a known slip (Yucatec Maya)."""
    if recording is None:
        return None
    return next((code for code in (speaker, speaker.lstrip("0")) if code in recording.groups), None)
