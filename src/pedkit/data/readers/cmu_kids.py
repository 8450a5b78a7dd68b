"""CMU Kids (LDC97S63): children read sentences. What was said is built from words, not annotated phone by phone.

Layout: Lhotse's and Kaldi's readers of the corpus. Decisions: ``docs/corpora/cmu_kids.md``.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from msgspec.structs import replace

from pedkit.data.readers.cmu_kids_tables import (
    SpeakerRow,
    UtteranceName,
    read_dictionary,
    read_sentences,
    read_speakers,
    read_transcripts,
    utterance_name,
    with_fallback,
)
from pedkit.data.readers.cmu_kids_transcript import plain_words, said
from pedkit.data.readers.demography import gender
from pedkit.data.readers.files import absolute, choose, require_folder
from pedkit.data.references import Referencer
from pedkit.data.utterance import Audio, Utterance
from pedkit.errors import PedkitError
from pedkit.phones import Lexicon

CORPUS = "cmu_kids"
_ENDINGS = (".sph", ".wav", ".flac")
_TABLES = ("sentence.tbl", "speaker.tbl", "transcrp.tbl", "alignmnt.dic")
_DICTIONARY = "alignmnt.dic, then cmudict"


def read_cmu_kids(
    root: str | Path,
    *,
    bins: str = "all",
    canonical: str = "alignmnt",
    unreadable: str = "stop",
    wordless: str = "missing",
) -> Iterator[Utterance]:
    """Yield the utterances of ``transcrp.tbl``, sorted by id.

    Args:
        root: The folder that holds ``tables`` and ``kids`` (or ``kids1``), or one above it.
        bins: ``all``, ``1`` = read as prompted and without noise, or ``2`` = the others.
        canonical: Dictionary for the prompt: ``alignmnt`` = the corpus's own, with which what was said is built
            too; ``cmudict``; or ``none``.
        unreadable: A transcript or prompt with an unknown word or symbol: ``stop``, or ``skip`` = that side of
            the utterance is missing.
        wordless: A transcript without words: ``missing`` = nobody says what was said; ``silent`` = nothing was.

    Raises:
        PedkitError: A table or recording is missing or not as documented, or an option has another value.
    """
    folder = require_folder(root, CORPUS)
    bins = str(bins)
    choose(bins=(bins, ("all", "1", "2")), canonical=(canonical, ("alignmnt", "cmudict", "none")))
    choose(unreadable=(unreadable, ("stop", "skip")), wordless=(wordless, ("missing", "silent")))
    tables = _find_tables(folder)
    own = with_fallback(read_dictionary(tables["alignmnt.dic"]), Lexicon.cmudict())
    source = _Source(
        prompts=read_sentences(tables["sentence.tbl"]),
        speakers=read_speakers(tables["speaker.tbl"]),
        transcripts=read_transcripts(tables["transcrp.tbl"]),
        recordings=_find_recordings(folder),
        words=Referencer(own, "first", name=_DICTIONARY),
        reference=_reference(canonical, own),
        skip=unreadable == "skip",
        silent=wordless == "silent",
        file=tables["transcrp.tbl"],
    )
    source.require_pairs()
    return source.utterances(bins)


@dataclass(frozen=True, slots=True)
class _Source:
    prompts: Mapping[str, str]
    speakers: Mapping[str, SpeakerRow]
    transcripts: Mapping[str, str]
    recordings: Mapping[str, Path]
    words: Referencer
    reference: Referencer | None
    skip: bool
    silent: bool
    file: Path

    def require_pairs(self) -> None:
        """Check that each transcript has a recording and each recording a transcript."""
        for name in sorted(set(self.transcripts) ^ set(self.recordings)):
            if name in self.transcripts:
                raise PedkitError(
                    "expected its recording in a folder 'signal', but there is none",
                    file=self.file,
                    utterance=name,
                    hint="is the corpus unpacked as a whole?",
                )
            raise PedkitError("transcrp.tbl has no line for it", file=self.recordings[name], utterance=name)

    def utterances(self, bins: str) -> Iterator[Utterance]:
        for name in sorted(self.transcripts):
            parts = utterance_name(name)
            if bins not in ("all", str(parts.bin)):
                continue
            try:
                yield self._with_canonical(self._utterance(parts))
            except PedkitError as error:
                raise error.at(file=self.file, utterance=name) from None

    def _utterance(self, name: UtteranceName) -> Utterance:
        if name.sentence not in self.prompts:
            raise PedkitError(f"sentence.tbl has no sentence {name.sentence!r}")
        transcript = self.transcripts[name.id]
        row = self.speakers.get(name.speaker)
        return Utterance(
            id=name.id,
            audio=Audio(path=absolute(self.recordings[name.id])),
            text=self.prompts[name.sentence],
            language="eng",
            corpus=CORPUS,
            inventory="cmu39",
            realized=self._realized(transcript),
            level="sentence",
            speaker=f"{CORPUS}:{name.speaker}",
            groups=row.groups if row else {"gender": gender(name.speaker[0])},
            groups_raw=row.raw if row else {},
            may_upload=False,
            extra={"bin": name.bin, "sentence_id": name.sentence, "transcript": transcript},
        )

    def _realized(self, transcript: str) -> tuple[str, ...] | None:
        try:
            phones = said(transcript, self.words)
        except PedkitError:
            if self.skip:
                return None
            raise
        return phones if phones or self.silent else None

    def _with_canonical(self, utterance: Utterance) -> Utterance:
        if self.reference is None:
            return utterance
        try:
            reference = self.reference.of(plain_words(utterance.text or ""), utterance.realized)
        except PedkitError:
            if self.skip:
                return utterance
            raise
        extra = {**utterance.extra, "reference": dict(reference.record)}
        return replace(utterance, **reference.fields(), extra=extra)


def _reference(canonical: str, own: Lexicon) -> Referencer | None:
    if canonical == "none":
        return None
    return Referencer(own, name=_DICTIONARY) if canonical == "alignmnt" else Referencer()


def _find_tables(root: Path) -> dict[str, Path]:
    """Return the tables by name, from the first folder ``tables`` that has them all; either letter case."""
    lacking: list[str] = []
    for pattern in ("tables", "*/tables", "*/*/tables"):
        for folder in sorted(root.glob(pattern)):
            here = {path.name.lower(): path for path in folder.iterdir()}
            lacking = [name for name in _TABLES if name not in here]
            if not lacking:
                return {name: here[name] for name in _TABLES}
    wanted = lacking[0] if lacking else "sentence.tbl"
    raise PedkitError(f"expected the file 'tables/{wanted}' of the corpus {CORPUS} in this folder", file=root)


def _find_recordings(root: Path) -> dict[str, Path]:
    """Return the recordings in folders ``signal`` by id."""
    found: dict[str, Path] = {}
    for folder, names, files in os.walk(root, followlinks=True):
        names.sort()
        if Path(folder).name.lower() != "signal":
            continue
        for name in sorted(files):
            path = Path(folder, name)
            if path.suffix.lower() not in _ENDINGS:
                continue
            try:
                utterance = utterance_name(path.stem).id
            except PedkitError as error:
                raise error.at(file=path) from None
            if found.setdefault(utterance, path) != path:
                raise PedkitError(
                    f"this recording lies there twice, also as {found[utterance]}",
                    file=path,
                    hint="give the folder of one copy",
                )
    if not found:
        raise PedkitError("expected recordings such as kids/fabm/signal/fabm2aa1.sph in this folder", file=root)
    return found
