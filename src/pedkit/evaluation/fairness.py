"""The comparison of groups: from what was observed of each utterance to the content of ``fairness.json``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from pedkit.evaluation.asked_keys import expect_covariates
from pedkit.evaluation.fairness_models import check_extras, faas_scores, mixed_models
from pedkit.evaluation.fairness_sets import gaps_between_sets
from pedkit.evaluation.fairness_settings import FairnessSettings
from pedkit.evaluation.observing import Observer
from pedkit.fairness import Observation
from pedkit.fairness.change_of_gap import change_of_gap
from pedkit.fairness.confounding_table import confounding
from pedkit.fairness.frame import GroupFrame
from pedkit.fairness.sample import POOLED, Attribute, attribute_name


def compare_groups(
    observers: Mapping[str, Observer], settings: FairnessSettings, groups: Sequence[str]
) -> dict[str, Any]:
    """Return the content of ``fairness.json``: tables, tests and models of each system, and changes of gaps.

    Args:
        observers: Name of a system -> what was observed.
        settings: How to compare.
        groups: Group keys; an intersection is written ``gender*age_group``.

    Raises:
        PedkitError: The extra ``glmm`` is asked for and missing, no utterance has a covariate, or nothing can be
            compared.
    """
    check_extras(settings)
    attributes = list(dict.fromkeys(map(_attribute, groups)))
    seen = {name: list(observer.observations()) for name, observer in observers.items()}
    expect_covariates(next(iter(seen.values())), settings.covariates)
    asked = next(iter(observers.values())).metrics
    metrics = _judged(seen.values(), asked)
    names = [attribute_name(one) for one in attributes]
    systems = {name: _system(rows, settings, metrics, attributes) for name, rows in seen.items()}
    return {
        "settings": settings.to_json() | {"metrics": list(metrics), "attributes": names},
        "notes": [_left_out(name) for name in asked if settings.metrics and name not in metrics],
        "systems": systems,
        "change_of_gap": list(_changes(seen, settings, metrics, attributes)),
        "gap_between_sets": list(gaps_between_sets(systems, settings, metrics, names)),
        "confounding": list(_confounding(next(iter(seen.values())), settings, attributes)),
    }


def _attribute(key: str) -> Attribute:
    parts = tuple(dict.fromkeys(key.split("*")))
    return parts if len(parts) > 1 else parts[0]


def _judged(systems: Iterable[Sequence[Observation]], metrics: Sequence[str]) -> list[str]:
    """Return the metrics that have something to judge; against a G2P reference no detection rate has."""
    rows = [one for seen in systems for one in seen]
    return [metric for metric in metrics if any(one.sums[metric][1] for one in rows)] or list(metrics[:1])


def _left_out(metric: str) -> str:
    """Return the note on a metric that was asked for by name."""
    return f"'{metric}' was asked for and is left out: no utterance has anything to judge by it"


def _system(
    seen: Sequence[Observation],
    settings: FairnessSettings,
    metrics: Sequence[str],
    attributes: Sequence[Attribute],
) -> dict[str, Any]:
    frame = GroupFrame(
        observations=seen,
        metrics=metrics,
        attributes=attributes,
        ci=settings.ci,
        resamples=settings.resamples,
        seed=settings.seed,
        pool_corpora=settings.pool_corpora,
    )
    found = frame.to_json()
    del found["settings"]
    corpora = by_corpus(seen, pool=settings.pool_corpora)
    return found | {
        "speakers": list(_speakers(seen, metrics)),
        "models": list(mixed_models(corpora, settings, metrics, attributes)),
        "faas": list(faas_scores(corpora, settings, metrics[0], attributes)),
    }


def by_corpus(seen: Sequence[Observation], *, pool: bool) -> dict[str, list[Observation]]:
    """Return the observations of each corpus, or all of them under one name where corpora are pooled."""
    corpora: dict[str, list[Observation]] = {}
    for one in seen:
        corpora.setdefault(POOLED if pool else one.corpus, []).append(one)
    return dict(sorted(corpora.items()))


def _speakers(seen: Sequence[Observation], metrics: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Yield the sums and rates of each speaker, an entry for every combination of groups of his or her utterances.

    A rate of a speaker in one group is the quotient of the sums over several entries where other attributes vary
    within the speaker. Without speaker ids there are no entries.
    """
    sums: dict[tuple[str, str, tuple[tuple[str, str], ...]], list[float]] = {}
    for one in seen:
        if one.speaker is None:
            continue
        who = one.corpus, one.speaker, tuple(one.groups.items())
        total = sums.setdefault(who, [0.0] * (2 * len(metrics) + 1))
        total[-1] += 1
        for k, metric in enumerate(metrics):
            total[2 * k] += one.sums[metric][0]
            total[2 * k + 1] += one.sums[metric][1]
    for (corpus, speaker, groups), total in sums.items():
        parts = {metric: (total[2 * k], total[2 * k + 1]) for k, metric in enumerate(metrics)}
        yield {
            "speaker": speaker,
            "corpus": corpus,
            "groups": dict(groups),
            "n_utterances": int(total[-1]),
            "numerators": {metric: numerator for metric, (numerator, _) in parts.items()},
            "denominators": {metric: denominator for metric, (_, denominator) in parts.items()},
            "rates": {metric: top / bottom if bottom else None for metric, (top, bottom) in parts.items()},
        }


def _changes(
    seen: Mapping[str, Sequence[Observation]],
    settings: FairnessSettings,
    metrics: Sequence[str],
    attributes: Sequence[Attribute],
) -> Iterator[dict[str, Any]]:
    """Yield the changes of gaps from the first system to every other one."""
    first, *others = seen
    for other in others:
        rows = change_of_gap(
            seen[first], seen[other], metrics=metrics, attributes=attributes, pool_corpora=settings.pool_corpora
        )
        yield from ({"first": first, "second": other} | row.to_json() for row in rows)


def _confounding(
    seen: Sequence[Observation], settings: FairnessSettings, attributes: Sequence[Attribute]
) -> Iterator[dict[str, Any]]:
    """Yield for each corpus which attributes of its speakers go together; intersections hold their own parts."""
    plain = [one for one in attributes if isinstance(one, str)]
    for corpus, rows in by_corpus(seen, pool=settings.pool_corpora).items():
        known = [name for name in settings.covariates if any(name in one.covariates for one in rows)]
        if any(one.speaker is not None for one in rows):
            pairs = confounding(rows, plain, covariates=known, pool_corpora=settings.pool_corpora)
            yield {"corpus": corpus} | pairs.to_json()
