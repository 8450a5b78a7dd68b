"""The rows of the result tables, as views of what was scored."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from operator import itemgetter
from typing import Any

from pedkit.evaluation.result import ScoredUtterance, SystemResult
from pedkit.phones import FEATURE_UNITS, GAP
from pedkit.report.textgrid import Interval, column_times
from pedkit.scoring import OUTCOME_FIELDS
from pedkit.scoring.fields import INDEX

_COUNTED = ("reference_phones", "substitutions", "deletions", "insertions")
UTTERANCE_COLUMNS = (
    "system", "id", "corpus", "split", "speaker", "status", *_COUNTED, "feature_distance", "soft_distance",
    *OUTCOME_FIELDS, "canonical_variant", "canonical", "realized", "predicted",
)  # fmt: skip
CONFUSION_COLUMNS = ("system", "view", "reference", "heard", "count")
PHONE_COLUMNS = ("system", "canonical", "TA", "FR", "FA", "CD", "DE", "DU")

_whole = itemgetter(*(INDEX[name] for name in _COUNTED))
_FEATURE, _SOFT = INDEX["feature_distance"], INDEX["soft_distance"]
_OUTCOMES = slice(INDEX["TA"], INDEX["TA"] + len(OUTCOME_FIELDS))


def utterance_row(system: str, scored: ScoredUtterance) -> tuple[Any, ...]:
    """Return the row of ``utterances.csv``: counts, never rates, so that nobody averages ratios."""
    utterance, item, vector = scored.utterance, scored.item, scored.counts.to_array().tolist()
    canonical = None if item.canonical is None else " ".join(item.canonical)
    realized = None if item.realized is None else " ".join(item.realized)
    return (
        system, utterance.id, utterance.corpus, utterance.split, utterance.speaker, scored.prediction.status,
        *_whole(vector), vector[_FEATURE] / FEATURE_UNITS, vector[_SOFT] / FEATURE_UNITS, *vector[_OUTCOMES],
        utterance.canonical_variant, canonical, realized, " ".join(item.predicted),
    )  # fmt: skip


def tiers(scored: ScoredUtterance) -> tuple[dict[str, list[Interval]], float]:
    """Return TextGrid tiers and their common end in seconds.

    Columns stand where the predicted phones were heard; without times they are spread evenly over the clip.
    """
    prediction, heard = scored.prediction, scored.item.predicted
    times = prediction.times if prediction.times is not None and len(prediction.times) == len(heard) else ()
    following = iter(times)
    anchors = [next(following, None) if column.predicted is not None else None for column in scored.columns]
    audio = scored.utterance.audio
    edges = column_times(anchors, None if audio is None else audio.duration)
    end = edges[-1][1] if edges else (audio.duration or 0.0 if audio is not None else 0.0)
    names = ("canonical", "realized", "predicted", "outcome")
    found: dict[str, list[Interval]] = {
        name: [(*edge, getattr(column, name) or "") for edge, column in zip(edges, scored.columns, strict=True)]
        for name in names
    }
    if times:
        heard_at = [(start, min(stop, end)) for start, stop in times]
        found["predicted times"] = [(*edge, phone) for edge, phone in zip(heard_at, heard, strict=True)]
        if prediction.confidences is not None and len(prediction.confidences) == len(heard):
            certain = zip(heard_at, prediction.confidences, strict=True)
            found["confidence"] = [(*edge, f"{value:.2f}") for edge, value in certain]
    return found, end


def confusion_rows(systems: Iterable[SystemResult]) -> Iterator[tuple[str, str, str, str, int]]:
    """Return the rows of ``confusions.csv``, most frequent first within a view.

    View ``heard``: what the system heard for a reference phone, on their direct alignment. View ``said``: what
    speakers said for a canonical phone.
    """
    for system in systems:
        said: Counter[tuple[str, str]] = Counter()
        for column, number in system.grid.items():
            if column.canonical is not None or column.realized is not None:
                said[column.canonical or GAP, column.realized or GAP] += number
        heard = {(pair.reference or GAP, pair.predicted or GAP): n for pair, n in system.pairs.items()}
        for view, table in (("heard", heard), ("said", said)):
            for (reference, other), number in sorted(table.items(), key=lambda row: (-row[1], row[0])):
                yield system.name, view, reference, other, number


def phone_rows(systems: Iterable[SystemResult]) -> Iterator[tuple[Any, ...]]:
    """Return the rows of ``phones.csv``: outcomes of each canonical phone."""
    for system in systems:
        for phone, outcomes in sorted(system.outcomes_by_phone().items()):
            yield system.name, phone, *(outcomes[name] for name in PHONE_COLUMNS[2:])
