"""The lists of speechocean762: who said what, in which file, and who is held out as dev."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pedkit.data.readers.files import optional_file, read_lines, read_pairs, require_file
from pedkit.errors import PedkitError


@dataclass(frozen=True, slots=True)
class PartLists:
    """The Kaldi-style lists of one part of the corpus, ``train`` or ``test``.

    Attributes:
        name: The part.
        text: Utterance -> prompt. ``speaker`` and ``audio``: the same for speaker and path.
        age: Speaker -> age as written. ``gender``: the same.
    """

    name: str
    text: Mapping[str, str]
    speaker: Mapping[str, str]
    audio: Mapping[str, str]
    age: Mapping[str, str]
    gender: Mapping[str, str]

    @classmethod
    def read(cls, root: Path, part: str, corpus: str) -> PartLists:
        """Read the lists in the folder ``part``.

        Raises:
            PedkitError: A list is missing or not as documented.
        """
        names = ("text", "utt2spk", "wav.scp", "spk2age", "spk2gender")
        return cls(part, *(read_pairs(require_file(root, (f"{part}/{name}",), corpus)) for name in names))

    def tables(self) -> tuple[tuple[str, Mapping[str, str]], ...]:
        """Return the speaker tables under the names of their group keys."""
        return ("gender", self.gender), ("age", self.age)


def dev_speaker_list(root: Path, given: str | Path | None, train: PartLists) -> frozenset[str]:
    """Return the speakers of dev: those in the file ``given``, or in ``dev_spk.list`` where there is one.

    Raises:
        PedkitError: One of them is no speaker of ``train``.
    """
    path = optional_file(root / "dev_spk.list") if given is None else Path(given)
    if path is None:
        return frozenset()
    speakers = set(train.speaker.values())
    for number, line in read_lines(path):
        if line not in speakers:
            raise PedkitError(f"{line!r} is no speaker of train", file=path, line=number)
    dev = frozenset(line for _, line in read_lines(path))
    if not dev and given is None:
        raise PedkitError("expected speakers of dev, but the file is empty", file=path)
    return dev
