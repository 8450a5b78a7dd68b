"""`Observation`: one utterance as the statistics see it, sums of metrics with a speaker and groups."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from pedkit.data.utterance import Utterance
from pedkit.errors import PedkitError
from pedkit.fairness.groups import UNKNOWN, group_value
from pedkit.fairness.metrics import metric_sums
from pedkit.scoring import Counts

_MOST = 2.0**53  # beyond, a float skips whole numbers
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
        PedkitError: A sum is negative or not finite, a covariate is not finite, or a speaker or group is no text.
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
        if self.speaker is not None and not (isinstance(self.speaker, str) and self.speaker):
            raise PedkitError(
                f"expected the speaker to be text, but got {self.speaker!r}",
                utterance=self.id,
                hint="None where it is not known",
            )
        for key, value in self.groups.items():
            if not isinstance(value, str):
                raise PedkitError(
                    f"expected the group '{key}' to be text, but got {value!r}",
                    utterance=self.id,
                    hint="leave the key out where it is not known; numbers as text, '18'",
                )
        for metric, sums in self.sums.items():
            if not _is_ratio(sums):
                raise PedkitError(
                    f"expected the sums of '{metric}' to be a numerator and a denominator from 0 to 2 ** 53,"
                    f" but got {_shown(sums)}",
                    utterance=self.id,
                )
        for name, number in self.covariates.items():
            if not _is_finite(number):
                raise PedkitError(
                    f"expected the covariate '{name}' to be a finite number, but got {number!r}",
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


def _is_ratio(sums: Any) -> bool:
    try:
        numerator, denominator = sums
        return bool(0 <= numerator <= _MOST and 0 <= denominator <= _MOST)
    except (TypeError, ValueError):  # not two of them, or no numbers
        return False


def _shown(sums: object) -> str:
    return " / ".join(map(str, sums)) if isinstance(sums, tuple) and len(sums) == 2 else repr(sums)


def _is_finite(number: object) -> bool:
    try:
        return math.isfinite(number)  # type: ignore[arg-type]
    except TypeError:
        return False
