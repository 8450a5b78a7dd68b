"""TIMIT (LDC93S1): read American English with hand-made phone labels, in the LDC's and in NLTK's layout.

Layout and facts: the corpus documentation and Kaldi's recipe ``egs/timit/s5``. Decisions:
``docs/corpora/timit.md``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import Any

from pedkit.data.readers.demography import gender
from pedkit.data.readers.files import absolute, choose, require_folder
from pedkit.data.readers.timit_dictionary import Entry, TimitDictionary
from pedkit.data.readers.timit_layout import SentenceFiles, find_sentences, require_both_parts, require_speakers
from pedkit.data.readers.timit_segments import Segment, read_prompt, read_segments
from pedkit.data.readers.timit_speakers import DIALECTS, SpeakerRow, read_speakers
from pedkit.data.readers.timit_splits import KaldiSplits
from pedkit.data.utterance import Audio, Utterance, Word
from pedkit.errors import PedkitError
from pedkit.phones import ProjectionPolicy, Projector, resolve_flap

CORPUS = "timit"
SAMPLE_RATE = 16000
"""Hz; the PHN and WRD files count samples at this rate."""


def read_timit(
    root: str | Path,
    *,
    inventory: str = "cmu39",
    projection: ProjectionPolicy | Mapping[str, str] | None = None,
    test: str = "core",
    canonical: str = "dictionary",
    speaker_table: str = "required",
    unknown_words: str = "stop",
    missing: str = "stop",
) -> Iterator[Utterance]:
    """Yield the SI and SX sentences, sorted by id; in the full corpus 3,696 train, 400 dev and 192 core test.

    Args:
        root: A folder that holds one copy of the corpus.
        inventory: What canonical and realized phones are projected onto. ``timit61`` leaves both as they
            are: realized with closures and ``h#``, canonical in the dictionary's symbols, which have neither;
            compare them only after a projection.
        projection: A `ProjectionPolicy` or those of its settings that differ from pedkit's usual ones, such as
            ``{"syllabic": "bare"}``. Here a flap is by default what the dictionary has in its place, T or D
            (``flap=canonical``): flapping a D is American English and no error.
        test: ``core`` = the 24 speakers of the core test set; ``complete`` = every speaker of TEST who is not
            one of the 50 of dev. Speakers of TEST outside both sets are left out.
        canonical: ``dictionary`` = from TIMITDIC.TXT; ``none`` for copies without it.
        speaker_table: ``required`` = SPKRINFO.TXT must be there; ``none`` for copies without it.
        unknown_words: A word that TIMITDIC lacks: ``stop``, or ``skip`` = that utterance has no canonical.
        missing: Speakers of SPKRINFO whose folders are not there: ``stop``, or ``skip`` them. NLTK's layout is a
            sample and never has all.

    Raises:
        PedkitError: A file is missing or not as documented, or an option has another value.
    """
    folder = require_folder(root, CORPUS)
    choose(test=(test, ("core", "complete")), canonical=(canonical, ("dictionary", "none")))
    choose(speaker_table=(speaker_table, ("required", "none")))
    choose(unknown_words=(unknown_words, ("stop", "skip")), missing=(missing, ("stop", "skip")))
    sentences = find_sentences(folder)
    require_both_parts(folder, sentences)
    words = _dictionary(folder) if canonical == "dictionary" else None
    speakers = _speakers(folder) if speaker_table == "required" else {}
    if missing == "stop":
        require_speakers(folder, sentences, speakers)
    source = _Source(
        projector=Projector("timit61", inventory, _policy(projection)),
        inventory=inventory,
        dictionary=words,
        speakers=speakers,
        splits=KaldiSplits(complete=test == "complete"),
        stop_at_unknown=unknown_words == "stop",
    )
    return source.utterances(sentences)


@dataclass(frozen=True, slots=True)
class _Source:
    projector: Projector
    inventory: str
    dictionary: TimitDictionary | None
    speakers: Mapping[str, SpeakerRow]
    splits: KaldiSplits
    stop_at_unknown: bool

    def utterances(self, sentences: Sequence[SentenceFiles]) -> Iterator[Utterance]:
        for sentence in sentences:
            row = self.speakers.get(sentence.speaker)
            if row is None and self.speakers:
                raise PedkitError(f"SPKRINFO.TXT has no speaker {sentence.speaker}", file=sentence.phones)
            part = sentence.part or (row.part if row else None)
            if part is None:
                raise PedkitError(
                    "neither a folder TRAIN or TEST nor SPKRINFO.TXT says which part this speaker belongs to",
                    file=sentence.phones,
                )
            split = self.splits.of(sentence.speaker, part)
            if split is None:
                continue
            try:
                yield self._utterance(sentence, split, row)
            except PedkitError as error:
                raise error.at(file=sentence.phones, utterance=sentence.id) from None

    def _utterance(self, sentence: SentenceFiles, split: str, row: SpeakerRow | None) -> Utterance:
        labels = read_segments(sentence.phones)
        words = read_segments(sentence.words)
        entries = self._entries(sentence, words, labels)
        canonical = [self.projector(entry.phones).phones for entry in entries]
        starts = list(accumulate(map(len, canonical), initial=0))
        variants = [entry.form for entry in entries if "~" in entry.form]
        phones = tuple(phone for word in canonical for phone in word)
        realized = self.projector([label for _, _, label in labels]).phones
        region = sentence.region or (row.region if row else None)
        groups = row.groups if row else {"gender": gender(sentence.speaker[0])}
        if region is not None:
            groups = {**groups, "dialect": DIALECTS[region]}
        return Utterance(
            id=sentence.id,
            audio=Audio(path=absolute(sentence.audio)),
            text=read_prompt(sentence.prompt),
            language="eng",
            split=split,
            corpus=CORPUS,
            inventory=self.inventory,
            canonical=phones if entries else None,
            canonical_variant=" ".join(variants) or None,
            realized=resolve_flap(realized, phones),
            words=tuple(
                Word(text, starts[i], starts[i + 1], start / SAMPLE_RATE, end / SAMPLE_RATE)
                for i, (start, end, text) in enumerate(words)
            )
            if entries
            else (),
            level="sentence",
            speaker=f"{CORPUS}:{sentence.speaker}",
            groups=groups,
            groups_raw=row.groups_raw if row else {},
            may_upload=False,
        )

    def _entries(self, sentence: SentenceFiles, words: list[Segment], labels: list[Segment]) -> list[Entry]:
        """Return a dictionary entry for each word, or none at all where that cannot be had."""
        if self.dictionary is None:
            return []
        entries = []
        for start, end, word in words:
            spoken = [label for first, last, label in labels if start <= (first + last) / 2 < end]
            entry = self.dictionary.find(word, spoken)
            if entry is not None:
                entries.append(entry)
            elif self.stop_at_unknown:
                raise PedkitError(
                    f"TIMITDIC.TXT has no entry for the word {word!r}",
                    file=sentence.words,
                    utterance=sentence.id,
                    hint="unknown_words=skip reads such an utterance without canonical phones",
                )
            else:
                return []
        return entries


def _policy(given: ProjectionPolicy | Mapping[str, str] | None) -> ProjectionPolicy:
    if isinstance(given, ProjectionPolicy):
        return given
    settings: dict[str, Any] = {"flap": "canonical", **(given or {})}
    try:
        return ProjectionPolicy(**settings)
    except TypeError:
        raise PedkitError(f"expected 'projection' to hold settings of the projection, but got {given!r}") from None


def _dictionary(root: Path) -> TimitDictionary:
    hint = "canonical=none reads a copy without it; then there is no mispronunciation scoring"
    return TimitDictionary(_table(root, "timitdic.txt", hint))


def _speakers(root: Path) -> dict[str, SpeakerRow]:
    hint = "speaker_table=none reads a copy without it; then only gender and dialect region are known"
    return read_speakers(_table(root, "spkrinfo.txt", hint))


def _table(root: Path, name: str, hint: str) -> Path:
    """Find a documentation file at the top, in DOC, or one folder level down, in either letter case."""
    for pattern in ("*", "*/*", "*/*/*"):
        for path in sorted(root.glob(pattern)):
            if path.name.lower() == name and path.is_file():
                return path
    raise PedkitError(f"expected the file {name.upper()} of TIMIT in this folder or its DOC", file=root, hint=hint)
