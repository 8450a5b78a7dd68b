"""A set that ``python -m synthetic`` has made, as the programs see it that check it afterwards."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from pedkit.data.json_file import read_object
from pedkit.data.manifest import file_hash, read_manifest, write_manifest
from pedkit.data.utterance import Utterance
from pedkit.errors import PedkitError


class MadeSet:
    """The manifests of a finished set.

    Args:
        folder: What ``output_dir`` was.
        selection: Name of a selection of its utterances, as `write_selection` wrote it (``accepted``,
            ``reviewed``); the whole set where ``None``.

    Attributes:
        folder: The folder.
        splits: Names of the splits, in the order of ``run.json``.

    Raises:
        PedkitError: The folder holds no finished set, or not this selection of it.
    """

    def __init__(self, folder: str | Path, selection: str | None = None) -> None:
        self.folder, self._selection = Path(folder), selection
        record = self.folder / "run.json"
        try:
            self.splits = tuple(read_object(record)["manifests"])
        except (PedkitError, KeyError, TypeError):
            raise PedkitError(
                "expected the folder of a finished set, but its record is missing or not complete",
                file=record,
                hint="python -m synthetic makes a set, and finishes one that was stopped",
            ) from None
        for split in self.splits:
            if not self.manifest(split).exists():
                raise PedkitError("this manifest of the set is missing", file=self.manifest(split))

    def manifest(self, split: str) -> Path:
        """Return where the manifest of a split lies."""
        return self._manifest(split, self._selection)

    @property
    def hashes(self) -> dict[str, str]:
        """The sha256 of each manifest, by split."""
        return {split: file_hash(self.manifest(split)) for split in self.splits}

    @cached_property
    def utterances(self) -> dict[str, Utterance]:
        """The utterances by id, in the order of the manifests.

        Raises:
            PedkitError: A manifest is broken, or an id stands in two of them.
        """
        found: dict[str, Utterance] = {}
        for split in self.splits:
            for utterance in read_manifest(self.manifest(split)):
                if utterance.id in found:
                    raise PedkitError(
                        "this id stands in another manifest of the set too",
                        file=self.manifest(split),
                        utterance=utterance.id,
                    )
                found[utterance.id] = utterance
        return found

    @cached_property
    def mark(self) -> str:
        """Twelve hex digits that stand for what was made: ids, phones and speakers, whatever the selection."""
        whole = self if self._selection is None else MadeSet(self.folder)
        digest = hashlib.sha256()
        for name, one in whole.utterances.items():
            digest.update(json.dumps([name, one.speaker, one.canonical, one.realized]).encode())
        return digest.hexdigest()[:12]

    def write_selection(
        self, name: str, kept: Callable[[Utterance], bool], extra: Mapping[str, Mapping[str, Any]]
    ) -> dict[str, int]:
        """Write ``SPLIT.NAME.jsonl`` beside each manifest, with those utterances alone.

        Args:
            name: Of the selection.
            kept: Whether an utterance belongs to it.
            extra: Id -> what is added to ``extra`` of that utterance.

        Returns:
            The number of utterances of each split.
        """
        counts = {}
        for split in self.splits:
            utterances = [
                replace(one, extra={**one.extra, **extra.get(one.id, {})})
                for one in read_manifest(self.manifest(split))
                if kept(one)
            ]
            counts[split] = write_manifest(self._manifest(split, name), utterances)
        return counts

    def _manifest(self, split: str, selection: str | None) -> Path:
        return self.folder / (f"{split}.jsonl" if selection is None else f"{split}.{selection}.jsonl")
