"""Counts summed by any group key of the manifest, and never across corpora."""

from __future__ import annotations

import difflib
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from pedkit.data.utterance import Utterance
from pedkit.errors import PedkitError
from pedkit.scoring import Counts

UNKNOWN = "unknown"
"""Value of a group key, and name of a corpus, that an utterance does not carry."""

FIELD_KEYS = ("speaker", "corpus", "language", "split", "level")
"""Fields of an utterance that serve as group keys beside its ``groups``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """The utterances of one corpus that share one value of one key.

    Attributes:
        key: The group key, for example ``gender``.
        value: Its value as text; ``unknown`` where utterances do not carry the key.
        corpus: The corpus; two corpora never share a group, whatever their labels are called.
        counts: Summed counts.
        n_utterances: Number of utterances.
        n_speakers: Number of speakers; ``None`` where an utterance of the group has no speaker id.
    """

    key: str
    value: str
    corpus: str
    counts: Counts
    n_utterances: int
    n_speakers: int | None


@dataclass(slots=True)
class _Sum:
    vector: npt.NDArray[np.int64]
    utterances: int = 0
    speakers: set[str | None] = field(default_factory=set)


class GroupSums:
    """Adds up counts by group while utterances stream past.

    Args:
        keys: Group keys of the manifest, or names of `FIELD_KEYS`; several joined by ``*`` are an intersection.

    For each key the groups' counts add up to the total, because a missing value is a group of its own.
    """

    def __init__(self, keys: Iterable[str]) -> None:
        self.keys = tuple(dict.fromkeys(keys))
        self._sums: dict[tuple[str, str, str], _Sum] = defaultdict(lambda: _Sum(Counts.zero().to_array().copy()))
        self._seen: set[str] = set()

    def add(self, utterance: Utterance, counts: Counts) -> None:
        """Add one utterance's counts to its group under every key."""
        vector, corpus = counts.to_array(), utterance.corpus or UNKNOWN
        self._seen.update(utterance.groups)
        for key in self.keys:
            total = self._sums[key, corpus, group_value(utterance, key)]
            total.vector += vector
            total.utterances += 1
            total.speakers.add(utterance.speaker)

    def groups(self) -> tuple[Group, ...]:
        """Return all groups: keys in the order asked for, then corpora and values by name, ``unknown`` last.

        Raises:
            PedkitError: No utterance carries a key that was asked for.
        """
        for key in self.keys:
            values = {value for name, _, value in self._sums if name == key}
            if values == {UNKNOWN}:
                raise PedkitError(f"no utterance has the group key '{key}'", hint=self._suggestion(key))
        order = sorted(self._sums, key=lambda name: (self.keys.index(name[0]), name[1], value_order(name[2])))
        return tuple(self._group(*name) for name in order)

    def to_json(self) -> dict[str, Any]:
        """Return the "groups" object of ``scores.json``: key -> corpus -> value -> scores with group sizes."""
        out: dict[str, Any] = {key: {} for key in self.keys}
        for group in self.groups():
            sizes = {"n_utterances": group.n_utterances, "n_speakers": group.n_speakers}
            out[group.key].setdefault(group.corpus, {})[group.value] = sizes | group.counts.to_json()
        return out

    def _group(self, key: str, corpus: str, value: str) -> Group:
        total = self._sums[key, corpus, value]
        return Group(
            key=key,
            value=value,
            corpus=corpus,
            counts=Counts.from_array(total.vector),
            n_utterances=total.utterances,
            n_speakers=None if None in total.speakers else len(total.speakers),
        )

    def _suggestion(self, key: str) -> str:
        known = sorted((self._seen | set(FIELD_KEYS)) - {key})
        close = difflib.get_close_matches(str(key), known, n=1)
        return f"did you mean '{close[0]}'?" if close else f"there are: {', '.join(known)}"


def group_value(utterance: Utterance, key: str) -> str:
    """Return the utterance's value of a group key as text, `UNKNOWN` where it has none.

    An intersection is written ``gender*age_group``; its value is ``female & adult``, unknown where one part is.
    """
    if "*" in key:
        values = [group_value(utterance, part) for part in key.split("*")]
        return UNKNOWN if UNKNOWN in values else " & ".join(values)
    value = utterance.groups.get(key)
    if value is None and key in FIELD_KEYS:
        value = getattr(utterance, key)
    if value is None:
        return UNKNOWN
    return str(value).lower() if isinstance(value, bool) else str(value)


def value_order(value: str) -> tuple[bool, bool, float, str]:
    """Sort numbers by size before words, and `UNKNOWN` last."""
    try:
        return False, False, float(value), value
    except ValueError:
        return value == UNKNOWN, True, 0.0, value
