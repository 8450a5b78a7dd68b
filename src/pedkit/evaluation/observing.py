"""What the statistics of groups need of each utterance, kept small while utterances stream past."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from pedkit.data.utterance import Utterance
from pedkit.errors import PedkitError
from pedkit.evaluation.fairness_audio import DURATION, MEASURED, AudioMeasures
from pedkit.fairness import Observation, metric_sums
from pedkit.fairness.groups import UNKNOWN, group_value
from pedkit.fairness.metrics import WORD_METRICS
from pedkit.phones import FEATURE_UNITS
from pedkit.scoring import FIELDS, Counts

CHUNK = 4096
"""Utterances whose whole counts are in memory together; of the others only the sums of the metrics are."""


class Observer:
    """Collects one row an utterance: who spoke, which groups, and the two sums of each metric.

    Args:
        metrics: Names of `pedkit.fairness.METRICS`; word metrics are given to `add` by the caller.
        attributes: Group keys; an intersection is written ``gender*age_group``.
        profile: Detection profile of the metrics of detection.
        covariates: ``duration`` (seconds), ``snr_db`` (estimated noise level), names of numbers in the manifest's
            ``groups`` or ``extra``, or of attributes, which are taken as categories.
        prompt: True keeps what was read, for models in which a prompt has an effect of its own.
        measures: What measures duration and noise level where the manifest does not state them; observers of
            several systems may share it.
    """

    def __init__(
        self,
        *,
        metrics: Sequence[str],
        attributes: Iterable[str],
        profile: str = "full",
        covariates: Sequence[str] = (),
        prompt: bool = False,
        measures: AudioMeasures | None = None,
    ) -> None:
        self.metrics = tuple(metrics)
        self._keys = tuple(dict.fromkeys(key for attribute in attributes for key in attribute.split("*")))
        self._covariates, self._prompt = tuple(covariates), prompt
        self._measures = measures or AudioMeasures()
        counted = [metric for metric in self.metrics if metric not in WORD_METRICS]
        self._weights = _weights(counted, profile)
        self._vectors: list[NDArray[np.int64]] = []
        self._sums = array("d")
        self._who: list[tuple[str, str | None, str, tuple[str, ...], str]] = []
        self._values: list[tuple[float | None, ...]] = []
        self._prompts: list[str | None] = []
        self._shared: dict[tuple[str, ...], tuple[str, ...]] = {}

    def add(self, utterance: Utterance, counts: Counts) -> None:
        """Take in the counts of one utterance."""
        self._describe(utterance, counts.reference)
        self._vectors.append(counts.to_array())
        if len(self._vectors) == CHUNK:
            self._reduce()

    def add_words(self, utterance: Utterance, errors: int, words: int) -> None:
        """Take in word errors and reference words of one utterance, where the metric is ``wer`` alone."""
        self._describe(utterance, "text")
        self._sums.extend((errors, words))

    def _describe(self, utterance: Utterance, reference: str) -> None:
        values = tuple(group_value(utterance, key) for key in self._keys)
        values = self._shared.setdefault(values, values)
        self._who.append((utterance.id, utterance.speaker, utterance.corpus or UNKNOWN, values, reference))
        if self._covariates:
            self._values.append(tuple(self._covariate(utterance, name) for name in self._covariates))
        if self._prompt:
            self._prompts.append(utterance.text)

    def _reduce(self) -> None:
        """Turn whole counts into the sums of the metrics: every sum is linear in the counts."""
        if self._vectors:
            self._sums.frombytes((np.array(self._vectors) @ self._weights / FEATURE_UNITS).tobytes())
            self._vectors.clear()

    def observations(self) -> Iterator[Observation]:
        """Yield one observation an utterance, in order."""
        self._reduce()
        width = 2 * len(self.metrics)
        sums = np.frombuffer(self._sums).reshape(len(self._who), width).tolist() if self._who else []
        for place, ((name, speaker, corpus, values, reference), row) in enumerate(
            zip(self._who, sums, strict=True)
        ):
            yield Observation(
                id=name,
                speaker=speaker,
                corpus=corpus,
                groups=dict(zip(self._keys, values, strict=True)),
                sums={metric: (row[2 * k], row[2 * k + 1]) for k, metric in enumerate(self.metrics)},
                covariates=self._known(place),
                prompt=self._prompts[place] if self._prompt else None,
                reference=reference,
            )

    def _covariate(self, utterance: Utterance, name: str) -> float | None:
        """Return a number as the manifest states it, else as it is measured; ``None`` where there is none."""
        if name == DURATION:
            stated: object = None if utterance.audio is None else utterance.audio.duration
        else:
            sources: tuple[Mapping[str, object], ...] = (utterance.groups, utterance.extra)
            stated = next((source[name] for source in sources if name in source), None)
        if stated is None:
            return self._measures.measure(name, utterance) if name in MEASURED else None
        if isinstance(stated, int | float) and not isinstance(stated, bool):
            return float(stated)
        if name in self._keys:
            return None  # a category, which `groups` holds
        raise PedkitError(
            f"expected the covariate '{name}' to be a number, but got {stated!r}",
            utterance=utterance.id,
            hint=f"among groups= as well, '{name}' is taken as a category",
        )

    def _known(self, place: int) -> dict[str, float]:
        if not self._covariates:
            return {}
        values = zip(self._covariates, self._values[place], strict=True)
        return {name: value for name, value in values if value is not None}


def _weights(metrics: Sequence[str], profile: str) -> NDArray[np.int64]:
    """Return numerator and denominator of each metric as weights of the counts, shape (fields, 2 x metrics).

    They are read off `metric_sums` itself, which gives the sums of one count of each field, and stand in units of
    1/48, so that whole sums stay whole.
    """
    columns = [
        [part for metric in metrics for part in metric_sums(Counts.from_fields({field: 1}), profile, metric)]
        for field in FIELDS
    ]
    weights = np.array(columns, dtype=np.float64).reshape(len(FIELDS), 2 * len(metrics))
    return np.rint(weights * FEATURE_UNITS).astype(np.int64)
