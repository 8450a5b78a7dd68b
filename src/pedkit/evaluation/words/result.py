"""Word errors of one system, summed while utterances stream past."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pedkit.data.prediction import STATUSES, Prediction
from pedkit.data.utterance import Utterance
from pedkit.errors import PedkitError
from pedkit.evaluation.matching import MISSING
from pedkit.fairness.groups import UNKNOWN, group_value, value_order
from pedkit.scoring import Rate


@dataclass(slots=True)
class WordSum:
    """Word errors of some utterances."""

    errors: int = 0
    words: int = 0
    utterances: int = 0
    speakers: set[str | None] = field(default_factory=set)

    def add(self, speaker: str | None, errors: int, words: int) -> None:
        """Add one utterance."""
        self.errors += errors
        self.words += words
        self.utterances += 1
        self.speakers.add(speaker)

    @property
    def wer(self) -> Rate:
        """Word error rate: (substitutions + deletions + insertions) / reference words."""
        return Rate.of(self.errors, self.words, undefined="no reference words")

    def to_json(self) -> dict[str, Any]:
        """Return sizes and rate; the number of speakers is ``None`` where one is not known."""
        known = None not in self.speakers
        return {
            "n_utterances": self.utterances,
            "n_speakers": len(self.speakers) if known else None,
            "wer": self.wer.to_json(),
        }


class WordResult:
    """Everything that was counted of one system.

    Args:
        name: Name of the system.
        groups: Group keys to break results down by.

    Attributes:
        total: All utterances.
        statuses: Status -> number of predictions.
    """

    def __init__(self, name: str, groups: Sequence[str] = ()) -> None:
        self.name = name
        self.total = WordSum()
        self.statuses: Counter[str] = Counter()
        self._groups: dict[str, defaultdict[tuple[str, str], WordSum]] = {
            key: defaultdict(WordSum) for key in groups
        }

    def add(self, utterance: Utterance, prediction: Prediction, errors: int, words: int) -> None:
        """Add one utterance."""
        self.statuses[prediction.status] += 1
        self.total.add(utterance.speaker, errors, words)
        for key, sums in self._groups.items():
            group = utterance.corpus or UNKNOWN, group_value(utterance, key)
            sums[group].add(utterance.speaker, errors, words)

    def check_groups(self) -> None:
        """Raise a `PedkitError` where no utterance has a key that was asked for."""
        for key, sums in self._groups.items():
            if {value for _, value in sums} == {UNKNOWN}:
                raise PedkitError(f"no utterance has the group key '{key}'")

    def to_json(self) -> dict[str, Any]:
        """Return this system's object in ``scores.json``: key -> corpus -> value in ``groups``."""
        groups: dict[str, dict[str, dict[str, Any]]] = {}
        for key, sums in self._groups.items():
            corpora = groups.setdefault(key, {})
            for (corpus, value), total in sorted(
                sums.items(), key=lambda one: (one[0][0], value_order(one[0][1]))
            ):
                corpora.setdefault(corpus, {})[value] = total.to_json()
        statuses = {name: self.statuses[name] for name in (*STATUSES, MISSING)}
        return self.total.to_json() | {"groups": groups, "statuses": statuses}


@dataclass(slots=True)
class WordEvaluation:
    """What scoring words gave.

    Attributes:
        systems: Name -> result.
        settings: Every setting that the numbers depend on.
        versions: Package -> version.
        fairness: Content of ``fairness.json``; ``None`` where no groups were compared.
        output_dir: Where the files lie; ``None`` where none were asked for.
    """

    systems: dict[str, WordResult]
    settings: dict[str, Any]
    versions: dict[str, str]
    fairness: dict[str, Any] | None = None
    output_dir: Path | None = None

    def __getitem__(self, name: str) -> WordResult:
        return self.systems[name]

    def to_json(self) -> dict[str, Any]:
        """Return the content of ``scores.json``."""
        return {
            "metric": "wer",
            "systems": {name: system.to_json() for name, system in self.systems.items()},
            "settings": self.settings,
            "versions": self.versions,
        }
