"""Where the files of L2-ARCTIC lie, and who its 24 speakers are."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from pedkit.errors import PedkitError

SUITCASE = "suitcase_corpus"
PARTS = ("scripted", "suitcase")
TEST6 = ("NJS", "TLV", "TNI", "TXHC", "YKWK", "ZHAA")
"""The usual test speakers of mispronunciation detection."""

_NO_SUITCASE = frozenset({"ASI", "SKA"})  # 22 speakers told the story (corpus documentation)


@dataclass(frozen=True, slots=True)
class Speaker:
    """A speaker of the corpus documentation.

    Attributes:
        name: Such as ``ABA``.
        gender: ``M`` or ``F``. ``l1``: first language as the corpus names it.
        usual: ``train``, ``dev`` or ``test`` in the usual split. ``alternative``: the same in the other one.
    """

    name: str
    gender: str
    l1: str
    usual: str
    alternative: str


@dataclass(frozen=True, slots=True)
class Item:
    """The files of one annotated recording."""

    speaker: Speaker
    id: str
    annotation: Path
    audio: Path
    transcript: Path


def all_speakers() -> dict[str, Speaker]:
    """Return the 24 speakers by name (``tables/l2arctic_speakers.tsv``)."""
    text = files("pedkit.data.readers").joinpath("tables", "l2arctic_speakers.tsv").read_text(encoding="utf-8")
    rows = (Speaker(*line.split("\t")) for line in text.splitlines()[1:])
    return {row.name: row for row in rows}


def chosen_speakers(subset: str | Sequence[str], part: str) -> tuple[Speaker, ...] | None:
    """Return the speakers that must be there; ``None`` for ``present`` = those that are.

    Raises:
        PedkitError: The subset has another name, or names nobody of the corpus.
    """
    known = all_speakers()
    if part == "suitcase":
        known = {name: speaker for name, speaker in known.items() if name not in _NO_SUITCASE}
    if isinstance(subset, str) and subset not in ("all_annotated", "test6", "present"):
        raise PedkitError(
            f"expected 'subset' to be all_annotated, test6, present or a list of speakers, but got {subset!r}"
        )
    if subset == "present":
        return None
    wanted = {"all_annotated": tuple(known), "test6": TEST6}.get(subset) if isinstance(subset, str) else subset
    for name in wanted or ():
        if name not in known:
            raise PedkitError(f"there is no speaker {name!r} (there are: {', '.join(sorted(known))})")
    return tuple(known[name] for name in wanted or ())


def find_items(root: Path, part: str, wanted: Sequence[Speaker] | None) -> Iterator[Item]:
    """Return the annotated recordings, sorted by speaker and id.

    Raises:
        PedkitError: A speaker is missing, lies there twice or has no annotations.
    """
    annotations = _annotations(root, part)
    names = sorted(annotations if wanted is None else {speaker.name for speaker in wanted})
    for name in names:
        if name not in annotations:
            raise _missing(root, name, part)
    speakers = all_speakers()
    return (_item(speakers[name], path, part) for name in names for path in annotations[name])


def _annotations(root: Path, part: str) -> dict[str, list[Path]]:
    """Return the annotation files by speaker."""
    known, found = all_speakers(), dict[str, list[Path]]()
    for folder, names, entries in os.walk(root, followlinks=True):
        names.sort()
        path = Path(folder)
        if path.name.lower() != "annotation" or (path.parent.name.lower() == SUITCASE) != (part == "suitcase"):
            continue
        grids = sorted(path / name for name in entries if name.lower().endswith(".textgrid") and name[0] != ".")
        for speaker, paths in _by_speaker(path, grids, part).items():
            if speaker not in known:
                raise PedkitError(f"{speaker!r} is no speaker of L2-ARCTIC", file=paths[0] if paths else path)
            if speaker in found:
                raise PedkitError(
                    f"the speaker {speaker} lies there twice, also as {found[speaker][0].parent}",
                    file=path,
                    hint="give the folder of one copy",
                )
            if not paths:
                raise PedkitError("expected TextGrids of manual annotation in this folder", file=path)
            found[speaker] = paths
    if not found:
        expected = "suitcase_corpus/annotation/aba.TextGrid" if part == "suitcase" else "ABA/annotation/*.TextGrid"
        raise PedkitError(
            f"expected the corpus L2-ARCTIC in this folder, such as {expected}",
            file=root,
            hint="unpack the archives of the speakers; textgrid/ holds forced alignments, not annotations",
        )
    return found


def _by_speaker(folder: Path, grids: list[Path], part: str) -> dict[str, list[Path]]:
    if part == "scripted":
        return {folder.parent.name.upper(): grids}
    return {path.stem.upper(): [path] for path in grids}


def _missing(root: Path, speaker: str, part: str) -> PedkitError:
    packed = next(root.rglob(f"{speaker}.zip"), None)
    what = f"it is still packed in {packed}" if packed else "it is not there"
    where = f"{SUITCASE}/annotation" if part == "suitcase" else f"{speaker}/annotation"
    return PedkitError(
        f"expected the speaker {speaker} ({where}), but {what}",
        file=root,
        hint="subset=present reads the speakers that are there, subset=test6 the six usual test speakers",
    )


def _item(speaker: Speaker, annotation: Path, part: str) -> Item:
    home, stem = annotation.parent.parent, annotation.stem
    return Item(
        speaker=speaker,
        id=f"{speaker.name}_{'suitcase' if part == 'suitcase' else stem}",
        annotation=annotation,
        audio=home / "wav" / f"{stem}.wav",
        transcript=home / "transcript" / f"{stem}.txt",
    )
