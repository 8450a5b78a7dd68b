"""The comparison of groups: from what was observed of each utterance to the content of ``fairness.json``."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pedkit.errors import PedkitError
from pedkit.evaluation.fairness_settings import FairnessSettings
from pedkit.evaluation.observing import Observer
from pedkit.fairness import HIGHER_IS_BETTER, Observation
from pedkit.fairness.change_of_gap import change_of_gap
from pedkit.fairness.frame import GroupFrame
from pedkit.fairness.sample import POOLED, Attribute, attribute_name

ENGINE = "glmm"
NO_ENGINE = "mixed models need the extra 'glmm', which is not installed"


def compare_groups(
    observers: Mapping[str, Observer], settings: FairnessSettings, groups: Sequence[str]
) -> dict[str, Any]:
    """Return the content of ``fairness.json``: tables, tests and models of each system, and changes of gaps.

    Args:
        observers: Name of a system -> what was observed.
        settings: How to compare.
        groups: Group keys; an intersection is written ``gender*age_group``.

    Raises:
        PedkitError: Models are asked for and the extra ``glmm`` is missing, or nothing can be compared.
    """
    attributes: list[Attribute] = [tuple(key.split("*")) if "*" in key else key for key in groups]
    seen = {name: list(observer.observations()) for name, observer in observers.items()}
    first, *others = seen
    metrics = observers[first].metrics
    return {
        "settings": settings.to_json()
        | {"metrics": list(metrics), "attributes": [attribute_name(one) for one in attributes]},
        "systems": {name: _system(rows, settings, metrics, attributes) for name, rows in seen.items()},
        "change_of_gap": [
            {"first": first, "second": other} | row.to_json()
            for other in others
            for row in change_of_gap(
                seen[first],
                seen[other],
                metrics=metrics,
                attributes=attributes,
                pool_corpora=settings.pool_corpora,
            )
        ],
    }


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
    return found | {
        "speakers": list(_speakers(seen, metrics)),
        "models": list(_models(seen, settings, metrics, attributes)),
    }


def _speakers(seen: Sequence[Observation], metrics: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Yield the rates of each speaker with the groups of their utterances; without ids there are none."""
    sums: dict[tuple[str, str, tuple[str, ...]], list[float]] = {}
    for one in seen:
        if one.speaker is None:
            continue
        total = sums.setdefault(
            (one.corpus, one.speaker, tuple(one.groups.values())), [0.0] * (2 * len(metrics) + 1)
        )
        total[-1] += 1
        for k, metric in enumerate(metrics):
            total[2 * k] += one.sums[metric][0]
            total[2 * k + 1] += one.sums[metric][1]
    keys = list(seen[0].groups) if seen else []
    for (corpus, speaker, values), total in sums.items():
        yield {
            "speaker": speaker,
            "corpus": corpus,
            "groups": dict(zip(keys, values, strict=True)),
            "n_utterances": int(total[-1]),
            "rates": {
                m: total[2 * k] / total[2 * k + 1] if total[2 * k + 1] else None for k, m in enumerate(metrics)
            },
        }


def _models(
    seen: Sequence[Observation],
    settings: FairnessSettings,
    metrics: Sequence[str],
    attributes: Sequence[Attribute],
) -> Iterator[dict[str, Any]]:
    """Yield a mixed model for each attribute, corpus and metric, or why there is none."""
    installed = importlib.util.find_spec(ENGINE) is not None
    if settings.model is False or (settings.model is None and not installed):
        return
    if not installed:
        raise PedkitError(NO_ENGINE, hint="pip install 'pedkit[glmm]', or fairness.model=false")
    from pedkit.fairness.mixed_model import rate_model

    corpora = {POOLED: seen} if settings.pool_corpora else _by_corpus(seen)
    for attribute in attributes:
        for corpus, rows in corpora.items():
            for metric in (m for m in metrics if m not in HIGHER_IS_BETTER):
                named = {"attribute": attribute_name(attribute), "corpus": corpus, "metric": metric}
                try:
                    model = rate_model(
                        rows,
                        metric=metric,
                        attribute=attribute,
                        covariates=settings.covariates,
                        prompt=settings.prompt,
                        resamples=settings.model_resamples,
                        seed=settings.seed,
                        pool_corpora=settings.pool_corpora,
                    )
                except PedkitError as error:  # this corpus has nothing to model, others may
                    yield named | {"p": None, "reason": str(error)}
                else:
                    yield named | model.to_json() | {"reason": model.test.reason}


def _by_corpus(seen: Sequence[Observation]) -> dict[str, list[Observation]]:
    corpora: dict[str, list[Observation]] = {}
    for one in seen:
        corpora.setdefault(one.corpus, []).append(one)
    return dict(sorted(corpora.items()))
