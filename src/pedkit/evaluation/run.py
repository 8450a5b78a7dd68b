"""One manifest, several systems: the pass over the utterances that everything else is a view of."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import TypeVar

from pedkit.data.prediction import Prediction
from pedkit.data.utterance import Utterance
from pedkit.errors import PedkitError
from pedkit.evaluation.fairness_audio import AudioMeasures
from pedkit.evaluation.fairness_settings import FairnessSettings
from pedkit.evaluation.items import ItemBuilder
from pedkit.evaluation.matching import match
from pedkit.evaluation.observing import Observer
from pedkit.evaluation.outputs import Outputs
from pedkit.evaluation.result import ScoredUtterance, SystemResult
from pedkit.evaluation.scorers import Scorers
from pedkit.evaluation.settings import ScoreSettings
from pedkit.evaluation.sources import ManifestSource, PredictionSource
from pedkit.scoring import Counts, Item

CHUNK = 1024
"""Utterances in memory together."""

T = TypeVar("T")


class ScoringRun:
    """Scores one system after another; the reference rows come along with the first.

    Args:
        settings: What to compare with what.
        manifest: The utterances.
        compare: How groups are compared afterwards; ``None`` where they are not.

    Raises:
        PedkitError: More than the default comparison is asked for, and there are no groups.

    Attributes:
        systems: Name -> result.
        observers: Name -> what the comparison of groups needs of each utterance.
        references: Name of a reference row -> counts.
        scorers: Scorers of the latest system.
    """

    def __init__(
        self, settings: ScoreSettings, manifest: ManifestSource, compare: FairnessSettings | None = None
    ) -> None:
        if compare is not None:
            compare.check_groups(settings.groups)
        self.settings, self.manifest = settings, manifest
        self._compare, self._measures = compare if settings.groups else None, AudioMeasures()
        self.systems: dict[str, SystemResult] = {}
        self.observers: dict[str, Observer] = {}
        self.references: dict[str, Counts] = {}
        self.scorers = Scorers(settings)

    def score(self, name: str, predictions: PredictionSource, outputs: Outputs | None = None) -> None:
        """Score one system on all utterances.

        Args:
            name: Name of the system.
            predictions: What it heard.
            outputs: Where rows go; ``None`` for nowhere.

        Raises:
            PedkitError: Something cannot be scored; file, line and utterance are named.
        """
        chosen, builder = self.settings, self.settings.builder()
        result = SystemResult(name, chosen)
        if self._compare is not None:
            self.observers[name] = self._compare.observer(
                chosen.groups, profile=chosen.profile, measures=self._measures
            )
        scorers = Scorers(chosen, () if self.systems else chosen.references)
        pairs = match(self.manifest, predictions, split=chosen.split, missing=chosen.missing, extra=chosen.extra)
        for chunk in _chunks(_located(_located(pairs, predictions.located), self.manifest.located)):
            for scored in self._scored(chunk, builder, scorers, predictions):
                self._add(result, scored)
                if outputs is not None:
                    outputs.add(name, scored)
        result.groups.groups()  # raises where no utterance has a key that was asked for
        result.dropped, result.unknown = builder.dropped, builder.unknown
        result.inventory = builder.inventory or result.inventory
        self.systems[name] = result
        self.references |= scorers.references
        self.scorers = scorers

    def _scored(
        self,
        chunk: list[tuple[Utterance, Prediction]],
        builder: ItemBuilder,
        scorers: Scorers,
        source: PredictionSource,
    ) -> Iterator[ScoredUtterance]:
        prepared = [self._prepared(utterance, prediction, builder, source) for utterance, prediction in chunk]
        items, languages = [item for _, item in prepared], [utterance.language for utterance, _ in prepared]
        scores = _located(scorers.score(items, languages, builder.inventory or "ipa"), self.manifest.located)
        for (utterance, item), (_, prediction), score in zip(prepared, chunk, scores, strict=True):
            yield ScoredUtterance.of(utterance, prediction, item, score)

    def _add(self, result: SystemResult, scored: ScoredUtterance) -> None:
        try:
            result.add(scored)
            if self._compare is not None:
                self.observers[result.name].add(scored.utterance, scored.counts)
        except PedkitError as error:  # a word that does not fit its utterance
            raise self.manifest.located(error.at(utterance=scored.utterance.id)) from None

    def _prepared(
        self, utterance: Utterance, prediction: Prediction, builder: ItemBuilder, source: PredictionSource
    ) -> tuple[Utterance, Item]:
        """Return the utterance in the inventory of the scores, and what is scored."""
        try:
            self._check_reference(utterance)
            projected = builder.projected(utterance)
        except PedkitError as error:
            raise self.manifest.located(error.at(utterance=utterance.id)) from None
        canonical = projected.canonical
        try:
            if prediction.status == "failed" and self.settings.failed == "error":
                raise PedkitError(
                    f"the recognizer failed: {prediction.reason or 'no reason given'}",
                    hint="run the recognizer again, or failed=empty scores such utterances as all phones deleted",
                )
            predicted = builder.predicted(utterance, prediction, canonical) if prediction.status == "ok" else ()
        except PedkitError as error:
            raise source.located(error.at(utterance=utterance.id)) from None
        flags = frozenset(projected.flags)
        return projected, Item(utterance.id, canonical, projected.realized, predicted, flags, projected.alignment)

    def _check_reference(self, utterance: Utterance) -> None:
        if getattr(utterance, self.settings.per_reference) is not None:
            return
        other = "per_reference=canonical scores against the G2P reference; detection is then left out"
        raise PedkitError(
            f"the utterance has no {self.settings.per_reference} phones",
            hint=other if self.settings.per_reference == "realized" else None,
        )


def _chunks(stream: Iterable[T]) -> Iterator[list[T]]:
    rest = iter(stream)
    while chunk := list(islice(rest, CHUNK)):
        yield chunk


def _located(stream: Iterator[T], place: Callable[[PedkitError], PedkitError]) -> Iterator[T]:
    """Pass on what ``stream`` yields; an error of its own gets its file and line."""
    try:
        yield from stream
    except PedkitError as error:
        raise place(error) from None
