"""`GroupRow`: what was measured for one group and one metric."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, replace
from typing import Any

from pedkit.fairness.intervals import Interval
from pedkit.fairness.metrics import SHARES

FEW_SPEAKERS = 10
"""Groups below this many speakers are flagged (the bias study's limit)."""

OVERALL = "overall"
"""Attribute of a row over all speakers of a corpus."""


@dataclass(frozen=True, slots=True)
class Pooled:
    """Rate of all utterances of a group together: sum of numerators over sum of denominators.

    Attributes:
        value: The rate; ``None`` where the denominator is 0.
        numerator: Sum of numerators.
        denominator: Sum of denominators.
        interval: Its 95 % interval, with speakers as the unit that is resampled.
        disparity: ``value`` minus the pooled rate of the corpus.
    """

    value: float | None
    numerator: float
    denominator: float
    interval: Interval
    disparity: float | None = None


@dataclass(frozen=True, slots=True)
class Disparity:
    """How far a group's mean lies from an overall mean; above 0 is a higher rate.

    Attributes:
        value: Group mean minus overall mean; ``None`` where one is undefined.
        interval: 95 % interval from replicates drawn jointly, stratified by group.
    """

    value: float | None
    interval: Interval


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupRow:
    """One group, one corpus, one metric; the unit of every mean and interval is the speaker.

    Attributes:
        attribute: Name of the attribute; several are joined by `` & ``; ``overall`` for all speakers.
        value: Its value; ``unknown`` where it is missing.
        corpus: The corpus, ``all corpora`` where they were pooled.
        metric: The metric.
        n_speakers: Speakers with a value of the metric; ``None`` where speaker ids are missing.
        n_dropped: Speakers without one (nothing to judge); they are left out.
        n_utterances: Number of utterances.
        mean: Mean of the speakers' rates; ``None`` where undefined.
        sd: Their standard deviation (n - 1); ``None`` below two speakers.
        interval: 95 % interval of ``mean`` as its formula gives it; `to_json` cuts it where a rate ends.
        t_interval: The t interval of ``mean``, shown beside the other below 20 speakers; ``None`` from there on.
        pooled: The rate of all utterances together.
        from_speaker_mean: Disparity from the mean over all speakers of the corpus.
        from_mean_of_group_means: Disparity from the unweighted mean of the named groups' means.
        ratio_to_best: ``mean`` over that of the best group; ``None`` where undefined.
        flags: What to keep in mind: ``few_speakers`` (below 10), ``one_speaker``, ``same_value`` (no speaker
            differs), ``dropped_speakers``, ``no_speaker_ids``, ``missing_value`` (the group ``unknown``).
        reason: Why ``mean`` is undefined.
    """

    attribute: str
    value: str
    corpus: str
    metric: str
    n_speakers: int | None
    n_dropped: int
    n_utterances: int
    mean: float | None
    sd: float | None
    interval: Interval
    t_interval: Interval | None
    pooled: Pooled
    from_speaker_mean: Disparity | None = None
    from_mean_of_group_means: Disparity | None = None
    ratio_to_best: float | None = None
    flags: tuple[str, ...] = ()
    reason: str | None = None

    def to_json(self) -> dict[str, Any]:
        """Return the object of ``fairness.json``; what is undefined is ``None`` with a reason beside it.

        A formula for an interval knows nothing of the range of a rate and may pass its ends. There the intervals
        of rates are cut at 0, and those of shares at 1; the distances keep theirs.
        """
        most = 1.0 if self.metric in SHARES else math.inf
        shown = replace(
            self,
            interval=self.interval.within(0.0, most),
            t_interval=None if self.t_interval is None else self.t_interval.within(0.0, most),
            pooled=replace(self.pooled, interval=self.pooled.interval.within(0.0, most)),
        )
        return asdict(shown) | {"flags": list(self.flags)}
