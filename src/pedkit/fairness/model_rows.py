"""Observations as the columns of a model; what cannot enter a model is left out and counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pedkit.errors import PedkitError
from pedkit.fairness.groups import UNKNOWN
from pedkit.fairness.metrics import HIGHER_IS_BETTER, check_metric
from pedkit.fairness.observation import Observation
from pedkit.fairness.sample import Attribute, attribute_name, corpora_of, joined_value, label_order

Floats = npt.NDArray[np.float64]
Codes = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class GroupTotals:
    """What one group brings to a model.

    Attributes:
        value: Value of the attribute.
        n_utterances: Number of utterances.
        n_speakers: Number of speakers.
        errors: Sum of the numerators.
        exposure: Sum of the denominators, above 0.
    """

    value: str
    n_utterances: int
    n_speakers: int
    errors: float
    exposure: float

    @property
    def rate(self) -> float:
        """Errors over exposure, all utterances pooled."""
        return self.errors / self.exposure


@dataclass(frozen=True, slots=True)
class ModelRows:
    """The utterances that a model is fitted to, one row each.

    Attributes:
        errors: Numerators of the metric, shape ``(rows,)``.
        exposure: Denominators, above 0, shape ``(rows,)``.
        speaker: Speaker ids, shape ``(rows,)``.
        prompt: Prompts, shape ``(rows,)``; ``None`` where none are modelled.
        values: Name of an attribute -> value of each row; values of an intersection are joined by `` & ``.
        covariates: Name -> number of each row.
        left_out: Why rows were left out -> how many.
        fractional: True where an error count is not a whole number.
    """

    errors: Floats
    exposure: Floats
    speaker: npt.NDArray[np.str_]
    prompt: npt.NDArray[np.str_] | None
    values: Mapping[str, npt.NDArray[np.str_]]
    covariates: Mapping[str, Floats]
    left_out: Mapping[str, int]
    fractional: bool

    def __len__(self) -> int:
        return len(self.errors)

    @property
    def n_speakers(self) -> int:
        """Number of speakers."""
        return len(np.unique(self.speaker))

    def groups(self, attribute: str) -> tuple[GroupTotals, ...]:
        """Return the groups of an attribute in order of their values."""
        column = self.values[attribute]
        return tuple(
            self._totals(value, column == value) for value in sorted(set(column.tolist()), key=label_order)
        )

    def _totals(self, value: str, chosen: npt.NDArray[np.bool_]) -> GroupTotals:
        return GroupTotals(
            value=value,
            n_utterances=int(chosen.sum()),
            n_speakers=len(np.unique(self.speaker[chosen])),
            errors=float(self.errors[chosen].sum()),
            exposure=float(self.exposure[chosen].sum()),
        )

    def in_several_groups(self, attribute: str) -> int:
        """Return how many speakers are in more than one group of an attribute."""
        pairs = set(zip(self.speaker.tolist(), self.values[attribute].tolist(), strict=True))
        return sum(times > 1 for times in Counter(speaker for speaker, _ in pairs).values())

    @property
    def clusters(self) -> dict[str, Codes]:
        """Clustering -> number of the cluster of each row: ``speaker``, and ``prompt`` where it is modelled."""
        named = {"speaker": self.speaker} | ({} if self.prompt is None else {"prompt": self.prompt})
        return {name: np.unique(ids, return_inverse=True)[1].astype(np.int64) for name, ids in named.items()}


def model_rows(
    observations: Iterable[Observation],
    *,
    metric: str,
    attributes: Sequence[Attribute],
    covariates: Sequence[str] = (),
    prompt: bool = False,
    allow_fractional: bool = False,
    pool_corpora: bool = False,
) -> ModelRows:
    """Return the rows of a model.

    A row without a speaker, with denominator 0 (its log is minus infinity), or without one of the named values is
    left out and counted under its first reason. More errors than the reference has phones is no reason: insertions
    are errors.

    Args:
        observations: The utterances of one system.
        metric: Whose sums are modelled.
        attributes: Names in ``Observation.groups``; several together are an intersection.
        covariates: Names in ``Observation.covariates``, or further names in ``Observation.groups``.
        prompt: True also wants the prompt of each row.
        allow_fractional: True takes error counts that are not whole numbers.
        pool_corpora: True takes observations of several corpora together.

    Raises:
        PedkitError: Nothing is left, no row has a speaker, the metric is not a rate of errors, an error count is
            not whole, or observations of several corpora or kinds of reference come together.
    """
    observed = list(observations)
    _check_metric(metric)
    numeric = [name for name in covariates if any(name in one.covariates for one in observed)]
    categorical: list[Attribute] = [*attributes, *(name for name in covariates if name not in numeric)]
    named = {attribute_name(one): (one,) if isinstance(one, str) else one for one in categorical}
    _check_present(observed, metric, named)
    left_out: Counter[str] = Counter()
    kept = []
    for one in observed:
        reason = _reason(one, metric, named, numeric, prompt)
        if reason is None:
            kept.append(one)
        else:
            left_out[reason] += 1
    _check_kept(observed, kept, left_out)
    _check_one_corpus(observed, metric, pool_corpora)
    sums = np.array([one.sums[metric] for one in kept], dtype=np.float64)
    fractional = bool((sums[:, 0] != np.round(sums[:, 0])).any())
    if fractional and not allow_fractional:
        raise PedkitError(
            f"the numerators of '{metric}' are not whole numbers, and a Poisson model counts errors",
            hint="allow_fractional=True fits a quasi-likelihood and says so",
        )
    return ModelRows(
        errors=sums[:, 0],
        exposure=sums[:, 1],
        speaker=np.array([str(one.speaker) for one in kept]),
        prompt=np.array([str(one.prompt) for one in kept]) if prompt else None,
        values={name: np.array([joined_value(one, keys) for one in kept]) for name, keys in named.items()},
        covariates={name: np.array([one.covariates[name] for one in kept], dtype=np.float64) for name in numeric},
        left_out=dict(left_out),
        fractional=fractional,
    )


def _check_metric(metric: str) -> None:
    check_metric(metric)
    if metric in HIGHER_IS_BETTER:
        raise PedkitError(
            f"'{metric}' is not a rate of errors, so it has no Poisson model", hint="frr and far have"
        )


def _check_present(observed: Sequence[Observation], metric: str, named: Mapping[str, tuple[str, ...]]) -> None:
    if not observed:
        raise PedkitError("there are no observations")
    if not any(metric in one.sums for one in observed):
        raise PedkitError(f"no observation has sums of '{metric}'")
    for name, keys in named.items():
        if all(joined_value(one, keys) == UNKNOWN for one in observed):
            raise PedkitError(f"no observation has the attribute or covariate '{name}'")


def _reason(
    one: Observation, metric: str, named: Mapping[str, tuple[str, ...]], numeric: Sequence[str], prompt: bool
) -> str | None:
    """Return why an observation cannot enter the model, ``None`` where it can."""
    if one.speaker is None:
        return "no speaker"
    if metric not in one.sums:
        return f"no {metric}"
    for name, keys in named.items():
        if joined_value(one, keys) == UNKNOWN:
            return f"no {name}"
    for name in numeric:
        if name not in one.covariates:
            return f"no {name}"
    if prompt and one.prompt is None:
        return "no prompt"
    return "denominator 0" if one.sums[metric][1] == 0 else None


def _check_kept(observed: Sequence[Observation], kept: Sequence[Observation], left_out: Mapping[str, int]) -> None:
    if left_out.get("no speaker") == len(observed):
        raise PedkitError(
            "a mixed model needs speaker ids, and no observation has one",
            hint="without a speaker effect about half of all fair systems would look unfair",
        )
    if not kept:
        reasons = ", ".join(f"{reason}: {count}" for reason, count in left_out.items())
        raise PedkitError(f"none of {len(observed)} observations can enter the model ({reasons})")


def _check_one_corpus(observed: Sequence[Observation], metric: str, pool: bool) -> None:
    names = [corpus.name for corpus in corpora_of(observed, [metric], pool=pool)]
    if len(names) > 1:
        raise PedkitError(
            f"expected observations of one corpus, but got several: {', '.join(names)}",
            hint="fit a model for each, or pool_corpora=True fits them together",
        )
