"""speechocean762: English read by speakers of Mandarin, half of them children, with expert phone scores.

Source of the layout: GitHub jimbozhang/speechocean762 and OpenSLR SLR101. Decisions:
``docs/corpora/speechocean762.md``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import Any

from pedkit.data.readers.demography import age_group, gender, require_years
from pedkit.data.readers.files import absolute, require_folder
from pedkit.data.readers.speechocean762_experts import ExpertWord, agreed_insertions
from pedkit.data.readers.speechocean762_lists import PartLists, dev_speaker_list
from pedkit.data.readers.speechocean762_phones import PhoneErrors, SpokenWord
from pedkit.data.readers.speechocean762_scores import DetailedEntry, ScoredEntry, ScoreFile
from pedkit.data.utterance import Audio, Utterance, Word
from pedkit.errors import PedkitError

CORPUS = "speechocean762"
_SENTENCE_SCORES = ("accuracy", "completeness", "fluency", "prosodic", "total")
_WORD_SCORES = ("accuracy", "stress", "total")


def read_speechocean762(
    root: str | Path,
    *,
    threshold: float = 0.5,
    star: str = "error",
    unlabelled: str = "stop",
    unk: str = "keep",
    insertion_votes: int | None = None,
    experts: bool = False,
    dev_speakers: str | Path | None = None,
) -> Iterator[Utterance]:
    """Yield the utterances of ``train`` and ``test`` in the order of the corpus lists.

    Args:
        root: The folder that holds ``train``, ``test``, ``WAVE`` and ``resource``.
        threshold: A phone scoring below is an error (0 to 2; see `PhoneErrors`).
        star: ``error``, ``strip`` or ``keep`` for labels such as ``EH*`` (see `PhoneErrors`).
        unlabelled: ``stop`` or ``unk`` for wrong phones without a label (see `PhoneErrors`).
        unk: What to do with utterances in which a sound of unknown identity (``<unk>``) was said: ``keep`` them
            with that symbol, or ``drop`` them.
        insertion_votes: Read inserted phones from ``scores-detail.json`` where at least this many of the five
            experts agree; ``None`` reads none, as in ``scores.json``.
        experts: Keep each expert's mark of each phone (0, 1, 2) from ``scores-detail.json`` in
            ``extra.expert_phone_scores``, a list an expert.
        dev_speakers: File with one speaker a line, taken out of ``train`` as ``dev``; by default
            ``dev_spk.list`` in ``root`` where there is one (the corpus itself has no dev set).

    Raises:
        PedkitError: A file is missing, or an utterance is not as documented (its id is named).
    """
    folder = require_folder(root, CORPUS)
    if insertion_votes is not None and insertion_votes not in range(1, 6):
        raise PedkitError(f"expected 'insertion_votes' to be 1 to 5 experts, but got {insertion_votes!r}")
    if unk not in ("keep", "drop"):
        raise PedkitError(f"expected 'unk' to be one of keep, drop, but got {unk!r}")
    lists = [PartLists.read(folder, part, CORPUS) for part in ("train", "test")]
    source = _Source(
        root=folder,
        errors=PhoneErrors(threshold, star, unlabelled),
        scores=ScoreFile.read(folder, "scores.json", CORPUS),
        detail=ScoreFile.read(folder, "scores-detail.json", CORPUS) if experts or insertion_votes else None,
        votes=insertion_votes,
        experts=experts,
        dev=dev_speaker_list(folder, dev_speakers, lists[0]),
    )
    utterances = (utterance for part in lists for utterance in source.utterances(part))
    return utterances if unk == "keep" else (u for u in utterances if "unk" not in u.flags.values())


@dataclass(frozen=True, slots=True)
class _Source:
    root: Path
    errors: PhoneErrors
    scores: ScoreFile
    detail: ScoreFile | None
    votes: int | None
    experts: bool
    dev: frozenset[str]

    def utterances(self, part: PartLists) -> Iterator[Utterance]:
        for name in part.audio:
            try:
                yield self._utterance(name, part)
            except PedkitError as error:
                raise error.at(file=self.root, utterance=name) from None

    def _utterance(self, name: str, part: PartLists) -> Utterance:
        if name not in part.text or name not in part.speaker:
            raise PedkitError("expected it in text and utt2spk as in wav.scp, but it is missing there")
        entry, speaker = self.scores.entry(name, ScoredEntry), part.speaker[name]
        spoken = [self.errors.word(word) for word in entry["words"]]
        views = self._views(name, spoken)
        starts = list(accumulate((len(word.canonical) for word in spoken), initial=0))
        realized, alignment = _realized(spoken, self._inserted(views, spoken))
        raw = {key: table[speaker] for key, table in part.tables() if speaker in table}
        return Utterance(
            id=name,
            audio=Audio(path=absolute(self.root / part.audio[name])),
            text=part.text[name],
            language="eng",
            split="dev" if part.name == "train" and speaker in self.dev else part.name,
            corpus=CORPUS,
            inventory="cmu39",
            canonical=tuple(phone for word in spoken for phone in word.canonical),
            realized=realized,
            alignment=alignment,
            flags={at + index: mark for at, word in _placed(starts, spoken) for index, mark in word.flags.items()},
            words=tuple(
                Word(word["text"], start, end)
                for word, start, end in zip(entry["words"], starts, starts[1:], strict=False)
            ),
            level="sentence",
            speaker=f"{CORPUS}:{speaker}",
            groups=_groups(raw),
            groups_raw=raw,
            may_upload=True,
            extra=_extra(entry, [at + index for at, word in _placed(starts, spoken) for index in word.starred])
            | ({"expert_phone_scores": _marks(views)} if self.experts else {}),
        )

    def _views(self, name: str, spoken: Sequence[SpokenWord]) -> list[list[ExpertWord]]:
        """Return each expert's view of each word."""
        if self.detail is None:
            return []
        words = self.detail.entry(name, DetailedEntry)["words"]
        if len(words) != len(spoken):
            raise PedkitError(f"expected {len(spoken)} words in scores-detail.json, but got {len(words)}")
        return [
            [ExpertWord.read(text, len(word.canonical)) for text in entry["phones"]]
            for entry, word in zip(words, spoken, strict=True)
        ]

    def _inserted(
        self, views: Sequence[Sequence[ExpertWord]], spoken: Sequence[SpokenWord]
    ) -> list[list[tuple[str, ...]]]:
        if self.votes is None:
            return [[()] * (len(word.canonical) + 1) for word in spoken]
        return [agreed_insertions(experts, self.votes) for experts in views]


def _marks(views: Sequence[Sequence[ExpertWord]]) -> list[list[int]]:
    experts = min((len(word) for word in views), default=0)
    return [[mark for word in views for mark in word[number].marks] for number in range(experts)]


def _placed(starts: Sequence[int], spoken: Sequence[SpokenWord]) -> Iterator[tuple[int, SpokenWord]]:
    return zip(starts, spoken, strict=False)  # starts holds the end of the last word as well


def _realized(
    spoken: Sequence[SpokenWord], inserted: Sequence[Sequence[tuple[str, ...]]]
) -> tuple[tuple[str, ...], str]:
    """Return the realized phones, and which stand beside a canonical one (see `Utterance.alignment`)."""
    phones: list[str] = []
    columns = ""
    for word, slots in zip(spoken, inserted, strict=True):
        for slot, canonical, said in zip(slots, word.canonical, word.realized, strict=False):
            phones += [*slot, *said]
            match = said.index(canonical) if canonical in said else 0
            columns += "I" * len(slot) + ("I" * match + "M" + "I" * (len(said) - match - 1) if said else "D")
        phones += slots[-1]
        columns += "I" * len(slots[-1])
    return tuple(phones), columns


def _groups(raw: Mapping[str, str]) -> dict[str, str | int | bool]:
    groups: dict[str, str | int | bool] = {}
    if "gender" in raw:
        groups["gender"] = gender(raw["gender"])
    if "age" in raw:
        age = require_years(raw["age"])
        groups |= {"age": age, "age_group": age_group(age)}
    return groups | {"l1": "mandarin", "native": False}


def _extra(entry: Mapping[str, Any], starred: list[int]) -> dict[str, Any]:
    extra: dict[str, Any] = {
        "scores": {key: entry[key] for key in _SENTENCE_SCORES if key in entry},
        "word_scores": [{key: word[key] for key in _WORD_SCORES if key in word} for word in entry["words"]],
        "phone_scores": [score for word in entry["words"] for score in word.get("phones-accuracy", ())],
    }
    return extra | {"starred": starred} if starred else extra
