"""`Observation`: one utterance as the statistics see it, sums of metrics with a speaker and groups."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from pedkit.data.utterance import Utterance
from pedkit.errors import PedkitError
from pedkit.fairness.groups import UNKNOWN, group_value
from pedkit.fairness.metrics import metric_sums
from pedkit.scoring import Counts

_EMPTY: Mapping[str, float] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Observation:
    """One utterance of one system: what was counted, who spoke, and which groups the speaker belongs to.

    Attributes:
        id: Utterance id, unique within one system's observations.
        speaker: Speaker id, unique across corpora; ``None`` where it is not known.
        corpus: Corpus of the utterance, ``unknown`` where it is not named.
        groups: Attribute -> value. An attribute that is absent, or has the value ``unknown``, is missing.
        sums: Metric -> (numerator, denominator); a rate of many utterances is the quotient of the two sums.
        covariates: Name -> number, for models with covariates.
        prompt: What was read, where several speakers read the same.
        reference: What the sums were counted against. Two kinds of reference are never pooled.

    Raises:
        PedkitError: A sum is negative or not finite, or a covariate is not finite.
    """

    id: str
    speaker: str | None
    corpus: str
    groups: Mapping[str, str]
    sums: Mapping[str, tuple[float, float]]
    covariates: Mapping[str, float] = field(default_factory=lambda: _EMPTY)
    prompt: str | None = None
    reference: str = "realized phones"

    def __post_init__(self) -> None:
        for metric, (numerator, denominator) in self.sums.items():
            if not (0 <= numerator < math.inf and 0 <= denominator < math.inf):
                raise PedkitError(
                    f"expected the sums of '{metric}' to be finite and not negative,"
                    f" but got {numerator} / {denominator}",
                    utterance=self.id,
                )
        for name, value in self.covariates.items():
            if not math.isfinite(value):
                raise PedkitError(
                    f"expected the covariate '{name}' to be a finite number, but got {value}",
                    utterance=self.id,
                    hint="leave the covariate of this utterance out where it is not known",
                )

    @classmethod
    def of(
        cls,
        utterance: Utterance,
        counts: Counts,
        *,
        metrics: Iterable[str],
        attributes: Iterable[str],
        profile: str = "full",
        covariates: Mapping[str, float] = _EMPTY,
        prompt: str | None = None,
    ) -> Observation:
        """Return the observation of a scored utterance.

        Args:
            utterance: The utterance.
            counts: Its counts.
            metrics: Names of `METRICS` that can be computed from counts.
            attributes: Group keys; a key that the utterance does not carry gets the value ``unknown``.
            profile: Detection profile of the metrics of detection.
            covariates: Name -> number.
            prompt: What was read.

        Raises:
            PedkitError: A metric cannot be computed from counts.
        """
        return cls(
            id=utterance.id,
            speaker=utterance.speaker,
            corpus=utterance.corpus or UNKNOWN,
            groups={key: group_value(utterance, key) for key in attributes},
            sums={metric: metric_sums(counts, profile, metric) for metric in metrics},
            covariates=covariates,
            prompt=prompt,
            reference=counts.reference,
        )
