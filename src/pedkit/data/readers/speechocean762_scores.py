"""The score files of speechocean762: one JSON object with an entry an utterance, each checked when it is used."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NotRequired, TypedDict

from pedkit.data.json_file import read_object
from pedkit.data.readers.files import require_file
from pedkit.errors import PedkitError
from pedkit.hints import conform

ScoredWord = TypedDict(
    "ScoredWord",
    {
        "text": str,
        "phones": list[str] | str,
        "phones-accuracy": NotRequired[list[float | None]],
        "mispronunciations": NotRequired[list[dict[str, Any]] | None],
    },
)
"""What the reader needs of a word in ``scores.json``."""


class ScoredEntry(TypedDict):
    """What it needs of an utterance there."""

    words: list[ScoredWord]


class DetailedWord(TypedDict):
    """What it needs of a word in ``scores-detail.json``: a string an expert."""

    phones: list[str]


class DetailedEntry(TypedDict):
    """What it needs of an utterance there."""

    words: list[DetailedWord]


@dataclass(frozen=True, slots=True)
class ScoreFile:
    """A score file.

    Attributes:
        path: Where it lies.
        entries: Utterance -> entry, as written.
    """

    path: Path
    entries: Mapping[str, Any]

    @classmethod
    def read(cls, root: Path, name: str, corpus: str) -> ScoreFile:
        """Read the file from ``resource`` in the corpus folder, or from the folder itself.

        Raises:
            PedkitError: It is missing, or not one JSON object.
        """
        path = require_file(root, (f"resource/{name}", name), corpus)
        return cls(path, read_object(path))

    def entry(self, utterance: str, form: type) -> Mapping[str, Any]:
        """Return the entry of an utterance.

        Args:
            utterance: Its id.
            form: `ScoredEntry` or `DetailedEntry`.

        Raises:
            PedkitError: There is none, or it is of another form; file and utterance are named.
        """
        if utterance not in self.entries:
            raise PedkitError("expected an entry of this utterance", file=self.path, utterance=utterance)
        try:
            entry: Mapping[str, Any] = conform(self.entries[utterance], form, "its entry")
        except PedkitError as error:
            raise error.at(file=self.path, utterance=utterance) from None
        return entry
