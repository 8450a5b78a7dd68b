"""Mixed models and FAAS of one system, where the extra ``glmm`` is installed."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pedkit.errors import PedkitError
from pedkit.evaluation.fairness_settings import FairnessSettings
from pedkit.fairness import HIGHER_IS_BETTER, Observation
from pedkit.fairness.sample import Attribute, attribute_name, why_no_speakers

ENGINE = "glmm"
_NO_MODEL: dict[str, Any] = {"p": None, "groups": [], "flags": {}}


def mixed_models(
    corpora: Mapping[str, Sequence[Observation]],
    settings: FairnessSettings,
    metrics: Sequence[str],
    attributes: Sequence[Attribute],
) -> Iterator[dict[str, Any]]:
    """Yield a mixed model for each attribute, corpus and rate of errors, or why there is none.

    `check_extras` comes first.

    Args:
        corpora: Name of a corpus -> observations of one system.
        settings: Terms of the models; nothing is yielded where they are off, or left to an extra that is missing.
        metrics: Names of metrics.
        attributes: Names of attributes.
    """
    if settings.model is False or (settings.model is None and not _installed()):
        return
    from pedkit.fairness.mixed_model import rate_model

    for attribute in attributes:
        for corpus, rows in corpora.items():
            for metric in (m for m in metrics if m not in HIGHER_IS_BETTER):
                named = {"attribute": attribute_name(attribute), "corpus": corpus, "metric": metric}
                if (reason := _why_no_inference(rows)) is not None:
                    yield named | _NO_MODEL | {"reason": reason}
                    continue
                try:
                    model = rate_model(
                        rows,
                        metric=metric,
                        attribute=attribute,
                        covariates=[one for one in settings.covariates if one not in _parts(attribute)],
                        prompt=settings.prompt,
                        resamples=settings.model_resamples,
                        seed=settings.seed,
                        pool_corpora=settings.pool_corpora,
                    )
                except PedkitError as error:  # this corpus has nothing to model, others may
                    yield named | _NO_MODEL | {"reason": str(error)}
                else:
                    yield named | model.to_json() | {"reason": model.test.reason}


def _parts(attribute: Attribute) -> tuple[str, ...]:
    return (attribute,) if isinstance(attribute, str) else attribute


def faas_scores(
    corpora: Mapping[str, Sequence[Observation]],
    settings: FairnessSettings,
    metric: str,
    attributes: Sequence[Attribute],
) -> Iterator[dict[str, Any]]:
    """Yield FAAS of each corpus; nothing where it is not asked for.

    Its categories are the attributes without intersections, which would say the same twice. `check_extras` comes
    first.
    """
    form = settings.faas_form
    if form is None:
        return
    from pedkit.fairness.faas_score import faas

    plain = [attribute for attribute in attributes if isinstance(attribute, str)]
    for corpus, rows in corpora.items():
        if (reason := _why_no_inference(rows)) is not None:
            yield {"corpus": corpus, "form": form, "faas": None, "faas_reason": reason}
            continue
        try:
            score = faas(
                rows,
                metric=metric,
                categories=plain,
                form=form,
                pool_corpora=settings.pool_corpora,
            )
        except PedkitError as error:
            yield {"corpus": corpus, "form": form, "faas": None, "faas_reason": str(error)}
        else:
            yield {"corpus": corpus} | score.to_json()


def _why_no_inference(rows: Sequence[Observation]) -> str | None:
    """Return why nothing beyond point estimates may be said of a corpus, ``None`` where more may be."""
    return why_no_speakers(sum(one.speaker is None for one in rows), len(rows))


def check_extras(settings: FairnessSettings) -> None:
    """Raise a `PedkitError` where models or FAAS are asked for and the extra ``glmm`` is missing."""
    if settings.model:
        _check_engine("mixed models", "fairness.model=false")
    if settings.faas_form is not None:
        _check_engine("FAAS", "fairness.faas=false")


def _installed() -> bool:
    return importlib.util.find_spec(ENGINE) is not None


def _check_engine(what: str, otherwise: str) -> None:
    if not _installed():
        raise PedkitError(
            f"{what} need the extra '{ENGINE}', which is not installed",
            hint=f"pip install 'pedkit[{ENGINE}]', or {otherwise}",
        )
