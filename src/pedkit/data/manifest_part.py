"""`ManifestPart`: a manifest, or some of its utterances, as a training or dev set asks for them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from pedkit.data.manifest import iter_manifest
from pedkit.data.utterance import Utterance
from pedkit.errors import PedkitError
from pedkit.garbage import without_garbage_collection
from pedkit.hints import check_arguments


@dataclass(frozen=True, slots=True)
class ManifestPart:
    """Which utterances of which manifest.

    Args:
        manifest: Path of the manifest.
        split: Take only utterances of this split; ``None`` takes all.
        limit: Take at most this many, spread evenly over the manifest; ``None`` takes all.
        repeat: How often each comes in an epoch (0.5: half of them, drawn anew each epoch).

    Raises:
        PedkitError: A number is out of range.
    """

    manifest: str
    split: str | None = None
    limit: int | None = None
    repeat: float = 1.0

    def __post_init__(self) -> None:
        if self.limit is not None and self.limit < 1:
            raise PedkitError(f"expected 'limit' to be 1 or more, but got {self.limit!r}", file=self.manifest)
        if not 0 < self.repeat < math.inf:
            raise PedkitError(f"expected 'repeat' to be more than 0, but got {self.repeat!r}", file=self.manifest)

    @classmethod
    def of(cls, given: str | Path | Mapping[str, Any] | ManifestPart) -> ManifestPart:
        """Read a part given as a path or as a mapping of the arguments.

        Raises:
            PedkitError: A key is unknown or ``manifest`` is missing.
        """
        if isinstance(given, ManifestPart):
            return given
        if isinstance(given, str | Path):
            return cls(str(given))
        keys = {field.name for field in fields(cls)}
        if "manifest" not in given or set(given) - keys:
            raise PedkitError(
                f"expected a data set to be a manifest path or to have the keys {', '.join(sorted(keys))}, "
                f"but got {', '.join(map(str, given)) or 'no key'}"
            )
        arguments = {**given, "manifest": str(given["manifest"])}
        check_arguments(cls, arguments)
        return cls(**arguments)

    def read(self) -> list[Utterance]:
        """Return the utterances, in the order of the manifest.

        Raises:
            PedkitError: The manifest cannot be read, or has none of this split.
        """
        splits: set[str | None] = set()
        chosen = []
        with without_garbage_collection():
            for utterance in iter_manifest(self.manifest):
                splits.add(utterance.split)
                if self.split is None or utterance.split == self.split:
                    chosen.append(utterance)
        if not chosen:
            if not splits:
                raise PedkitError("the manifest has no utterance", file=self.manifest)
            there = ", ".join(sorted(map(str, splits)))
            raise PedkitError(f"has no utterance of the split {self.split!r}, but {there}", file=self.manifest)
        if self.limit is None or self.limit >= len(chosen):
            return chosen
        return [chosen[i * len(chosen) // self.limit] for i in range(self.limit)]
