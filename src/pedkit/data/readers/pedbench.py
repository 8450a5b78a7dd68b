"""PEDBench's own test sets (Authentic, Acted, Synthetic) in pedkit's manifest form; no release of them is known.

Decisions: ``docs/corpora/pedbench.md``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from msgspec.structs import replace

from pedkit.data.manifest import iter_manifest
from pedkit.data.parts import Word
from pedkit.data.readers.files import optional_file, require_folder
from pedkit.data.readers.options import require_text_lists
from pedkit.data.references import Referencer, cmudict_referencer, with_reference
from pedkit.data.utterance import Utterance
from pedkit.errors import PedkitError

CORPUS = "pedbench"
SETS = ("authentic", "acted", "synthetic")


def read_pedbench(
    root: str | Path,
    *,
    sets: Sequence[str] | None = None,
    canonical: str = "g2p",
    unknown_words: str = "stop",
) -> Iterator[Utterance]:
    """Yield the utterances of the sets, each in the order of its manifest.

    Args:
        root: The folder that holds ``<set>.jsonl`` or ``<set>/manifest.jsonl`` of one set or more.
        sets: Some of ``authentic``, ``acted``, ``synthetic``; by default those that are there.
        canonical: ``g2p`` = from the text by cmudict, as PEDBench derives them; ``annotation`` = the manifest's.
        unknown_words: With ``g2p``, a word that cmudict lacks (see `cmudict_referencer`).

    Raises:
        PedkitError: A set is missing, or a line is not of the form that the set needs; the utterance is named.
    """
    folder = require_folder(root, CORPUS)
    if canonical not in ("g2p", "annotation"):
        raise PedkitError(f"expected 'canonical' to be one of g2p, annotation, but got {canonical!r}")
    referencer = cmudict_referencer(unknown_words) if canonical == "g2p" else None
    files = _find_sets(folder, sets)
    sources = [_Set(name, path, referencer) for name, path in files.items()]
    return (utterance for source in sources for utterance in source.utterances())


@dataclass(frozen=True, slots=True)
class _Set:
    name: str
    path: Path
    referencer: Referencer | None

    def utterances(self) -> Iterator[Utterance]:
        utterance = None
        for utterance in iter_manifest(self.path):
            try:
                self._check(utterance)
                yield self._completed(utterance)
            except PedkitError as error:
                raise error.at(file=self.path, utterance=utterance.id) from None
        if utterance is None:
            raise PedkitError(f"expected the items of the set {self.name}, but the file is empty", file=self.path)

    def _check(self, utterance: Utterance) -> None:
        needed: dict[str, object] = {
            "speaker": utterance.speaker,
            "realized": utterance.realized,
            "inventory": utterance.inventory,
        }
        if self.referencer is None:
            needed["canonical"] = utterance.canonical
        else:
            needed["text"] = utterance.text
        if self.name == "synthetic":
            needed["level"] = utterance.level
        if self.name == "synthetic" and utterance.level in ("sentence", "passage"):
            needed |= {"target_span": utterance.target_span, "source_id": utterance.source_id}
        for key, value in needed.items():
            if value is None:
                raise PedkitError(f"expected '{key}', which every such item of the set {self.name} has")
        if self.name == "authentic" and utterance.level not in (None, "word"):
            raise PedkitError(f"expected single words in the set authentic, but got a {utterance.level}")
        if self.referencer is not None and utterance.inventory != "cmu39":
            raise PedkitError(
                f"canonical=g2p gives phones of cmu39, but those of the manifest are {utterance.inventory}",
                hint="canonical=annotation keeps the manifest's",
            )

    def _completed(self, utterance: Utterance) -> Utterance:
        completed = replace(
            utterance,
            corpus=utterance.corpus or CORPUS,
            split=utterance.split or self.name,
            level=utterance.level or ("word" if self.name == "authentic" else None),
            extra={**utterance.extra, "set": self.name},
        )
        return completed if self.referencer is None else _with_g2p(completed, self.referencer)


def _with_g2p(utterance: Utterance, referencer: Referencer) -> Utterance:
    """Take canonical phones from the text; the target word is the same word of the text as before."""
    if utterance.flags:
        raise PedkitError(
            "its 'flags' point at the manifest's canonical phones, and canonical=g2p would replace those",
            hint="canonical=annotation keeps them",
        )
    target = None if utterance.target_span is None else _target_word(utterance)
    bare = replace(utterance, canonical=None, alignment=None, words=(), target_span=None)
    renewed = with_reference(bare, referencer)
    if target is None or renewed.canonical is None:
        return renewed
    if len(renewed.words) != len(utterance.words):
        raise PedkitError(
            f"the text has {len(renewed.words)} words, but 'words' has {len(utterance.words)}, so the target word "
            "cannot be told"
        )
    word = renewed.words[target]
    return replace(renewed, target_span=(word.start, word.end))


def _target_word(utterance: Utterance) -> int:
    """Return which of ``words`` is the target word."""
    spans = [_span(word) for word in utterance.words]
    if utterance.target_span not in spans:
        raise PedkitError(
            f"expected 'target_span' {list(utterance.target_span or ())} to be one of 'words'",
            hint="with canonical=g2p the target word is found by its place among 'words'",
        )
    return spans.index(utterance.target_span)


def _span(word: Word) -> tuple[int, int]:
    return word.start, word.end


def _find_sets(root: Path, wanted: Sequence[str] | None) -> dict[str, Path]:
    require_text_lists(sets=wanted)
    names = SETS if wanted is None else wanted
    found: dict[str, Path] = {}
    for name in names:
        if name not in SETS:
            raise PedkitError(f"expected 'sets' to hold some of {', '.join(SETS)}, but got {name!r}")
        places = (root / f"{name}.jsonl", root / name / "manifest.jsonl")
        path = next((place for place in places if optional_file(place)), None)
        if path is not None:
            found[name] = path
        elif wanted is not None:
            raise PedkitError(f"expected the file '{name}.jsonl' or '{name}/manifest.jsonl'", file=root)
    if not found:
        raise PedkitError("expected authentic.jsonl, acted.jsonl or synthetic.jsonl in this folder", file=root)
    return found
