"""The comparison of groups: from what was observed of each utterance to the content of ``fairness.json``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from pedkit.errors import PedkitError
from pedkit.evaluation.fairness_audio import MEASURED
from pedkit.evaluation.fairness_models import check_extras, faas_scores, mixed_models
from pedkit.evaluation.fairness_settings import FairnessSettings
from pedkit.evaluation.observing import Observer
from pedkit.fairness import Observation
from pedkit.fairness.change_of_gap import change_of_gap
from pedkit.fairness.confounding_table import confounding
from pedkit.fairness.frame import GroupFrame
from pedkit.fairness.gap_of_sets import language_gap
from pedkit.fairness.groups import UNKNOWN
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
    _check_covariates(next(iter(seen.values())), settings)
    metrics = _judged(seen.values(), next(iter(observers.values())).metrics)
    names = [attribute_name(one) for one in attributes]
    systems = {name: _system(rows, settings, metrics, attributes) for name, rows in seen.items()}
    return {
        "settings": settings.to_json() | {"metrics": list(metrics), "attributes": names},
        "systems": systems,
        "change_of_gap": list(_changes(seen, settings, metrics, attributes)),
        "gap_between_sets": list(_sets(systems, settings, metrics, names)),
        "confounding": list(_confounding(next(iter(seen.values())), settings, attributes)),
    }


def _attribute(key: str) -> Attribute:
    parts = tuple(dict.fromkeys(key.split("*")))
    return parts if len(parts) > 1 else parts[0]


def _check_covariates(rows: Sequence[Observation], settings: FairnessSettings) -> None:
    for name in settings.covariates:
        if not any(name in one.covariates or one.groups.get(name, UNKNOWN) != UNKNOWN for one in rows):
            measured = f"{', '.join(MEASURED)} are measured where there is audio"
            raise PedkitError(f"no utterance has the covariate '{name}'", hint=measured)


def _judged(systems: Iterable[Sequence[Observation]], metrics: Sequence[str]) -> list[str]:
    """Return the metrics that have something to judge; against a G2P reference no detection rate has."""
    rows = [one for seen in systems for one in seen]
    return [metric for metric in metrics if any(one.sums[metric][1] for one in rows)] or list(metrics[:1])


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
    """Yield the rates of each speaker with the groups of their utterances; without ids there are none."""
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
        rates = {m: total[2 * k] / total[2 * k + 1] if total[2 * k + 1] else None for k, m in enumerate(metrics)}
        yield {
            "speaker": speaker,
            "corpus": corpus,
            "groups": dict(groups),
            "n_utterances": int(total[-1]),
            "rates": rates,
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


def _sets(
    systems: Mapping[str, Any], settings: FairnessSettings, metrics: Sequence[str], attributes: Sequence[str]
) -> Iterator[dict[str, Any]]:
    """Yield the gap between the two sets of groups that the settings name, averaged over groups, then systems."""
    if settings.sets is None:
        return
    reference, compared = settings.sets["reference"], settings.sets["compared"]
    for attribute in attributes:
        for metric in metrics:
            means: dict[str, dict[str, float | None]] = {name: {} for name in systems}
            for name, system in systems.items():
                for row in system["by_group"]:
                    if (row["attribute"], row["metric"]) == (attribute, metric):
                        mean = row["pooled"]["value"] if row["n_speakers"] is None else row["mean"]
                        means[name][row["value"]] = mean
            named = {"attribute": attribute, "metric": metric}
            try:
                yield named | language_gap(means, reference, compared).to_json()
            except PedkitError as error:
                yield named | {"value": None, "reason": str(error)}


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
