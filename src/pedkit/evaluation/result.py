"""`Evaluation`: the one object behind the command, the files and the Python call."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pedkit.data.prediction import Prediction
from pedkit.data.utterance import Utterance
from pedkit.evaluation.column_counts import ColumnCounts
from pedkit.evaluation.matching import MISSING
from pedkit.evaluation.phone_use import PhoneUse
from pedkit.evaluation.settings import ScoreSettings
from pedkit.evaluation.spans import SpanSums
from pedkit.fairness import GroupSums
from pedkit.scoring import Agreement, Alignment, Column, Counts, Item, Pair, Scored

STATUS_NAMES = ("ok", "empty", "unparsable", "failed", MISSING)


@dataclass(frozen=True, slots=True)
class ScoredUtterance:
    """One utterance with everything that was found out about it.

    Attributes:
        utterance: The utterance.
        prediction: What a system said of it.
        item: The phones that were compared.
        counts: Its counts.
        alignment: Its alignment.
    """

    utterance: Utterance
    prediction: Prediction
    item: Item
    counts: Counts
    alignment: Alignment

    @classmethod
    def of(cls, utterance: Utterance, prediction: Prediction, item: Item, scored: Scored) -> ScoredUtterance:
        """Bring a score together with what it is a score of."""
        return cls(utterance, prediction, item, scored.counts, scored.alignment)

    @property
    def columns(self) -> list[Column]:
        """The grid; where the utterance is not judged, the columns of reference and prediction."""
        return self.alignment.columns


class SystemResult:
    """All counts of one system on one manifest, summed while utterances stream past.

    Args:
        name: Name of the system.
        settings: Group keys, profile, and how many of the worst utterances to keep.

    Attributes:
        statuses: Status -> number of predictions; ``ok`` without a phone counts as ``empty``.
        recovered: Number of answers that were cut off and could be repaired.
        answers: Rule by which answers of a language model were read -> number of answers that met it.
        dropped: Role -> symbol -> how often it was dropped by the projection.
        unknown: Role -> symbol -> how often it was kept although no table knows it.
        inventory: Inventory of all phones.
        phone_use: Phones by language.
    """

    def __init__(self, name: str, settings: ScoreSettings) -> None:
        self.name = name
        self.settings = settings
        self.statuses: Counter[str] = Counter()
        self.recovered = 0
        self.answers: Counter[str] = Counter()
        self.dropped: Mapping[str, Mapping[str, int]] = {}
        self.unknown: Mapping[str, Mapping[str, int]] = {}
        self.inventory = "ipa"
        self.phone_use = PhoneUse()
        self.speakers: set[str | None] = set()
        self._groups = GroupSums(settings.groups)
        self._spans = SpanSums(settings.profile)
        self._vector = Counts.zero().to_array()
        self._pairs: ColumnCounts[Pair] = ColumnCounts()
        self._grid: ColumnCounts[Column] = ColumnCounts()
        self._worst: list[tuple[float, float, int, ScoredUtterance]] = []

    def add(self, scored: ScoredUtterance) -> None:
        """Add one scored utterance."""
        prediction = scored.prediction
        silent = prediction.status == "ok" and not prediction.phones
        self.statuses["empty" if silent else prediction.status] += 1
        self.recovered += bool(prediction.recovered)
        if prediction.outcome:
            self.answers.update(prediction.outcome.split("+"))
        self.speakers.add(scored.utterance.speaker)
        self._vector += scored.counts.to_array()
        if self._groups.keys:
            self._groups.add(scored.utterance, scored.counts)
        views, place = scored.alignment.place
        self._pairs.add(views.unit_pairs, place)
        self._grid.add(views.grid, place)
        self._spans.add(scored.utterance, scored.alignment)
        language = self.settings.spoken(scored.utterance.language)
        self.phone_use.add(scored.item, language, self.settings.per_reference)
        self._rank(scored)

    def _rank(self, scored: ScoredUtterance) -> None:
        rate = scored.counts.per
        if not (self.settings.worst and rate.value):
            return
        rank = (rate.value, rate.numerator, -sum(self.statuses.values()))  # of equals the first one stays
        if len(self._worst) < self.settings.worst:
            heapq.heappush(self._worst, (*rank, scored))
        elif rank > self._worst[0][:3]:
            heapq.heapreplace(self._worst, (*rank, scored))

    @property
    def counts(self) -> Counts:
        """The summed counts; every rate comes from them."""
        return Counts.from_array(self._vector)

    @property
    def pairs(self) -> Counter[Pair]:
        """Reference-predicted columns of the unit-cost alignment and how often each came."""
        return self._pairs.counter()

    @property
    def grid(self) -> Counter[Column]:
        """Columns of the three-row grid and how often each came."""
        return self._grid.counter()

    @property
    def groups(self) -> GroupSums:
        """Counts by group."""
        return self._groups

    @property
    def worst(self) -> list[ScoredUtterance]:
        """The worst utterances by PER, worst first."""
        return [entry[3] for entry in sorted(self._worst, key=lambda entry: entry[:3], reverse=True)]

    def outcomes_by_phone(self) -> dict[str, Counter[str]]:
        """Return canonical phone -> outcome -> number of grid columns."""
        table: dict[str, Counter[str]] = {}
        for column, number in self.grid.items():
            if column.canonical is not None and column.outcome is not None:
                table.setdefault(column.canonical, Counter())[column.outcome] += number
        return table

    def to_json(self) -> dict[str, Any]:
        """Return this system's object in ``scores.json``."""
        profile = self.settings.profile
        return self.counts.to_json(profile) | {
            "agreement": Agreement(self.counts.mdd(profile)).to_json(),
            "inventory_f1": self.phone_use.to_json(self.inventory),
            "spans": self._spans.to_json(),
            "groups": self._groups.to_json(),
            "dropped": _by_frequency(self.dropped),
            "unknown": _by_frequency(self.unknown),
            "statuses": {name: self.statuses[name] for name in STATUS_NAMES} | {"recovered": self.recovered},
            "answers": dict(self.answers.most_common()),
        }


def _by_frequency(symbols: Mapping[str, Mapping[str, int]]) -> dict[str, dict[str, int]]:
    return {role: dict(Counter(numbers).most_common()) for role, numbers in symbols.items()}


@dataclass(slots=True)
class Evaluation:
    """What scoring one manifest gave.

    Attributes:
        systems: Name -> result.
        references: Name of a reference row (``accept-all``, ``empty``, ``perfect``) -> counts.
        settings: Every setting that the numbers depend on.
        versions: Package -> version.
        inventory: Order of the phones.
        fairness: Content of ``fairness.json``; ``None`` where no groups were compared.
        output_dir: Where the files lie; ``None`` where none were asked for.
    """

    systems: dict[str, SystemResult]
    references: dict[str, Counts]
    settings: dict[str, Any]
    versions: dict[str, str]
    inventory: tuple[str, ...] = ()
    fairness: dict[str, Any] | None = None
    output_dir: Path | None = None

    def __repr__(self) -> str:
        rates = {name: system.counts.per.value for name, system in self.systems.items()}
        shown = [f"{name}: PER {'undefined' if rate is None else f'{rate:.4f}'}" for name, rate in rates.items()]
        return f"Evaluation({', '.join(shown)})"

    def __getitem__(self, name: str) -> SystemResult:
        return self.systems[name]

    def to_json(self) -> dict[str, Any]:
        """Return the content of ``scores.json``."""
        profile = self.settings["profile"]
        return {
            "systems": {name: system.to_json() for name, system in self.systems.items()},
            "references": {name: counts.to_json(profile) for name, counts in self.references.items()},
            "settings": self.settings,
            "versions": self.versions,
        }
