"""L2-ARCTIC: English read by 24 speakers of six first languages, some 150 sentences of each annotated by hand.

Source of the layout: the corpus documentation (v5.0) and public copies of single files. Decisions:
``docs/corpora/l2arctic.md``.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from msgspec.structs import replace
from rapidfuzz.distance import Levenshtein

from pedkit.data.readers.demography import gender
from pedkit.data.readers.files import absolute, choose, read_lines, require_folder
from pedkit.data.readers.l2arctic_annotation import Annotation, read_annotation
from pedkit.data.readers.l2arctic_labels import ERR, STAR_POLICIES
from pedkit.data.readers.l2arctic_layout import PARTS, Item, chosen_speakers, find_items
from pedkit.data.references import OOV_POLICIES, VARIANTS, Referencer, cmudict_referencer
from pedkit.data.utterance import Audio, Utterance
from pedkit.errors import PedkitError

log = logging.getLogger(__name__)

CORPUS = "l2arctic"
SPLITS = ("mdd", "alternative", "none")
_L1 = {"Chinese": "mandarin"}  # the corpus site says Mandarin; the other names are one in all corpora


def read_l2arctic(
    root: str | Path,
    *,
    subset: str | Sequence[str] = "all_annotated",
    split: str = "mdd",
    canonical: str = "annotation",
    star: str = "strip",
    faulty: str = "stop",
    variant: str = "best",
    unknown_words: str = "stop",
    part: str = "scripted",
) -> Iterator[Utterance]:
    """Yield the manually annotated sentences, sorted by speaker and sentence; 3,599 in the full corpus.

    Args:
        root: The folder that holds the speakers' folders, at any depth.
        subset: ``all_annotated`` = all 24 speakers, each of whom must be there; ``test6`` = the six usual test
            speakers; a list of speakers; ``present`` = those who are there.
        split: ``mdd`` = the usual split by speakers (test NJS TLV TNI TXHC YKWK ZHAA); ``alternative`` = the other
            published one (test NJS HQTV SVBI NCC YKWK ZHAA); ``none``.
        canonical: ``annotation`` = the annotators' canonical phones (CPL), as in most published numbers; ``g2p`` =
            from the prompt by cmudict, as PEDBench derives them.
        star: ``strip``, ``error`` or ``keep`` for perceived phones such as ``AE*`` (see `read_annotation`).
        faulty: An annotation that cannot be read: ``stop``, or ``skip`` = that recording is left out.
        variant: With ``canonical=g2p``: ``best`` or ``first`` pronunciation (see `Referencer`).
        unknown_words: With ``canonical=g2p``, a word that cmudict lacks: ``stop``; ``skip`` = that utterance has
            no canonical phones; ``g2p`` = espeak-ng pronounces it.
        part: ``scripted``, or ``suitcase`` = the spontaneous stories of 22 speakers in ``suitcase_corpus``.

    Raises:
        PedkitError: A speaker or a file is missing, an annotation cannot be read, or an option has another value.
    """
    folder = require_folder(root, CORPUS)
    choose(split=(split, SPLITS), canonical=(canonical, ("annotation", "g2p")), star=(star, STAR_POLICIES))
    choose(faulty=(faulty, ("stop", "skip")), part=(part, PARTS))
    choose(variant=(variant, VARIANTS), unknown_words=(unknown_words, (*OOV_POLICIES, "g2p")))
    source = _Source(
        split=split,
        star=star,
        skip_faulty=faulty == "skip",
        level="passage" if part == "suitcase" else "sentence",
        referencer=cmudict_referencer(unknown_words, variant) if canonical == "g2p" else None,
    )
    return source.utterances(find_items(folder, part, chosen_speakers(subset, part)))


@dataclass(frozen=True, slots=True)
class _Source:
    split: str
    star: str
    skip_faulty: bool
    level: str
    referencer: Referencer | None

    def utterances(self, items: Iterator[Item]) -> Iterator[Utterance]:
        odd, left_out = 0, []
        for item in items:
            try:
                annotation = read_annotation(item.annotation, self.star)
            except PedkitError as error:
                if not self.skip_faulty:
                    raise _named(error, item) from None
                left_out.append(f"{item.id} ({error.message})")
                continue
            odd += bool(annotation.notes)
            try:
                yield self._utterance(item, annotation)
            except PedkitError as error:
                raise error.at(file=item.transcript, utterance=item.id) from None
        if odd:
            log.warning("%d annotations of l2arctic hold something odd: see extra.annotation_notes", odd)
        if left_out:
            log.warning("%d recordings of l2arctic are left out: %s", len(left_out), "; ".join(left_out))

    def _utterance(self, item: Item, annotation: Annotation) -> Utterance:
        speaker = item.speaker
        utterance = Utterance(
            id=item.id,
            audio=Audio(path=absolute(item.audio)),
            text=_prompt(item.transcript),
            language="eng",
            split={"mdd": speaker.usual, "alternative": speaker.alternative}.get(self.split),
            corpus=CORPUS,
            inventory="cmu39",
            canonical=annotation.canonical,
            realized=annotation.realized,
            alignment=annotation.alignment,
            flags=annotation.flags,
            words=annotation.words,
            level=self.level,
            speaker=f"{CORPUS}:{speaker.name}",
            groups={
                "gender": gender(speaker.gender),
                "l1": _L1.get(speaker.l1, speaker.l1.lower()),
                "native": False,
            },
            groups_raw={"gender": speaker.gender, "l1": speaker.l1},
            may_upload=False,
            extra=_extra(annotation),
        )
        return utterance if self.referencer is None else _with_reference(utterance, self.referencer)


def _with_reference(utterance: Utterance, referencer: Referencer) -> Utterance:
    """Take canonical phones from the prompt; what pointed at the annotators' phones follows to equal ones."""
    said = [phone.rstrip("*") for phone in utterance.realized or () if phone != ERR]
    reference = referencer.of(utterance.text or "", said)
    moved = _moved(utterance.canonical or (), reference.canonical or ())
    extra: dict[str, Any] = {**utterance.extra, "reference": dict(reference.record)}
    if "starred" in extra:
        extra["starred"] = [moved[index] for index in extra["starred"] if index in moved]
    flags = {moved[index]: mark for index, mark in utterance.flags.items() if index in moved}
    bare = replace(utterance, canonical=None, alignment=None, words=(), flags=flags, extra=extra)
    return replace(bare, **reference.fields())


def _moved(before: Sequence[str], after: Sequence[str]) -> dict[int, int]:
    """Return the new index of each phone that a least-cost alignment keeps."""
    blocks = Levenshtein.editops(list(before), list(after)).as_matching_blocks()
    return {block.a + offset: block.b + offset for block in blocks for offset in range(block.size)}


def _named(error: PedkitError, item: Item) -> PedkitError:
    hint = error.hint or "faulty=skip leaves such a recording out"
    return PedkitError(error.message, file=item.annotation, line=error.line, utterance=item.id, hint=hint)


def _prompt(path: Path) -> str:
    lines = read_lines(path)
    if not lines:
        raise PedkitError("expected the prompt, but the file is empty", file=path)
    return " ".join(line.strip() for _, line in lines)


def _extra(annotation: Annotation) -> Mapping[str, Any]:
    extra: dict[str, Any] = {"tags": dict(annotation.tags)} if annotation.tags else {}
    if annotation.starred:
        extra["starred"] = list(annotation.starred)
    if annotation.notes:
        extra["annotation_notes"] = list(annotation.notes)
    return extra
