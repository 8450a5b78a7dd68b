"""One manifest, several systems: the pass over the utterances that everything else is a view of."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import TypeVar

from pedkit.data.prediction import Prediction
from pedkit.data.utterance import Utterance
from pedkit.errors import PedkitError
from pedkit.evaluation.items import ItemBuilder
from pedkit.evaluation.matching import match
from pedkit.evaluation.outputs import Outputs
from pedkit.evaluation.result import ScoredUtterance, SystemResult
from pedkit.evaluation.settings import ScoreSettings
from pedkit.evaluation.sources import ManifestSource, PredictionSource
from pedkit.phones import get_inventory
from pedkit.scoring import Counts, Item, Scorer, ScoringSettings

CHUNK = 1024
"""Utterances in memory together."""

T = TypeVar("T")


class ScoringRun:
    """Scores one system after another; the reference rows come along with the first.

    Args:
        settings: What to compare with what.
        manifest: The utterances.

    Attributes:
        systems: Name -> result.
        references: Name of a reference row -> counts.
        scoring: Settings of the scorer, known after the first chunk.
    """

    def __init__(self, settings: ScoreSettings, manifest: ManifestSource) -> None:
        self.settings, self.manifest = settings, manifest
        self.systems: dict[str, SystemResult] = {}
        self.references: dict[str, Counts] = {}
        self.scoring: ScoringSettings | None = None

    @property
    def phones(self) -> tuple[str, ...]:
        """Phones of the inventory in its order; empty for an open one."""
        return get_inventory(self.scoring.inventory).phones if self.scoring is not None else ()

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
        references = () if self.systems else chosen.references
        pairs = match(self.manifest, predictions, split=chosen.split, missing=chosen.missing, extra=chosen.extra)
        scorer: Scorer | None = None
        for chunk in _chunks(_located(pairs, predictions.located)):
            items = [self._item(builder, utterance, heard, predictions) for utterance, heard in chunk]
            if scorer is None:
                self.scoring = chosen.scoring(builder.inventory or "ipa", chunk[0][0].language)
                scorer = Scorer(self.scoring, references)
            for scored in self._scored(chunk, items, scorer):
                self._add(result, scored)
                if outputs is not None:
                    outputs.add(name, scored)
        result.groups.groups()  # raises where no utterance has a key that was asked for
        result.dropped, result.unknown = builder.dropped, builder.unknown
        self.systems[name] = result
        self.references |= scorer.references if scorer is not None else {}

    def _scored(
        self, chunk: list[tuple[Utterance, Prediction]], items: list[Item], scorer: Scorer
    ) -> Iterator[ScoredUtterance]:
        scores = _located(scorer.score(items), self.manifest.located)
        for (utterance, prediction), item, score in zip(chunk, items, scores, strict=True):
            yield ScoredUtterance.of(utterance, prediction, item, score)

    def _add(self, result: SystemResult, scored: ScoredUtterance) -> None:
        try:
            result.add(scored)
        except PedkitError as error:  # a word that does not fit its utterance
            raise self.manifest.located(error.at(utterance=scored.utterance.id)) from None

    def _item(
        self, builder: ItemBuilder, utterance: Utterance, prediction: Prediction, source: PredictionSource
    ) -> Item:
        try:
            canonical, realized = builder.reference(utterance)
            self._check_reference(utterance)
        except PedkitError as error:
            raise self.manifest.located(error.at(utterance=utterance.id)) from None
        try:
            if prediction.status == "failed" and self.settings.failed == "error":
                raise PedkitError(
                    f"the recognizer failed: {prediction.reason or 'no reason given'}",
                    hint="run the recognizer again, or failed=empty scores such utterances as all phones deleted",
                )
            predicted = builder.predicted(utterance, prediction, canonical) if prediction.status == "ok" else ()
        except PedkitError as error:
            raise source.located(error.at(utterance=utterance.id)) from None
        return Item(utterance.id, canonical, realized, predicted, frozenset(utterance.flags))

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
