"""Rows of the group table: means, intervals and disparities of the groups of one attribute in one corpus."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from pedkit.errors import PedkitError
from pedkit.fairness.bootstrap import minus_total, weighted_sum
from pedkit.fairness.comparable import best_mean, why_not_independent
from pedkit.fairness.defined_intervals import NO_VALUE, SAME_VALUE, defined_intervals
from pedkit.fairness.group_row import FEW_SPEAKERS, OVERALL, Disparity, GroupRow, Pooled
from pedkit.fairness.groups import UNKNOWN
from pedkit.fairness.intervals import AUTO_SMALL, Interval
from pedkit.fairness.resampling import bootstrap_columns, derived_seed
from pedkit.fairness.sample import GroupSample
from pedkit.hints import conform

Floats = NDArray[np.float64]

WHOLE, ALONE = "the group is the whole corpus", "it is the only named group"
"""Why the distance from a mean has no interval: there is nothing else in that mean, and it is always 0."""

NO_NAMED = "no named group has a value"

LEAST_RESAMPLES, MOST_RESAMPLES = 100, 1_000_000


@dataclass(frozen=True, slots=True)
class TableSettings:
    """What the intervals of a table depend on."""

    metrics: tuple[str, ...]
    ci: str
    resamples: int
    seed: int


def check_resamples(resamples: int) -> None:
    """Raise a `PedkitError` where a bootstrap cannot have so many resamples."""
    if not LEAST_RESAMPLES <= conform(resamples, int, "resamples") <= MOST_RESAMPLES:
        raise PedkitError(
            f"expected from {LEAST_RESAMPLES} to {MOST_RESAMPLES:,} resamples, but got {resamples}",
            hint="10000 are usual",
        )


class _Measured:
    """A sample with the replicates of its means, and the intervals of its means and pooled rates."""

    def __init__(self, sample: GroupSample, attribute: str, corpus: str, settings: TableSettings) -> None:
        self.sample = sample
        defined = ~np.isnan(sample.rates)
        boot, sizes = bootstrap_columns(
            np.concatenate([np.where(defined, sample.rates, 0.0), sample.numerators], axis=1),
            np.concatenate([defined.astype(float), sample.denominators], axis=1),
            resamples=settings.resamples,
            seed=derived_seed(settings.seed, attribute, corpus, sample.value),
        )
        why, metrics = sample.why_no_speakers, len(settings.metrics)
        found = defined_intervals(boot, sizes, settings.ci, np.abs(boot.estimate), why)
        self.intervals, self.pooled_intervals = found[:metrics], found[metrics:]
        self.n, self.means = sizes[:metrics], boot.columns(slice(metrics))
        self.t_intervals = defined_intervals(self.means, self.n, "t", np.abs(self.means.estimate), why)


def group_rows(
    samples: Sequence[GroupSample], whole: GroupSample, attribute: str, settings: TableSettings
) -> list[GroupRow]:
    """Return one row a group and metric, groups in the order of ``samples``, metrics within.

    Args:
        samples: The groups of one attribute.
        whole: All speakers of the corpus together.
        attribute: Name of the attribute.
        settings: What the intervals depend on.
    """
    measured = [_Measured(sample, attribute, whole.value, settings) for sample in samples]
    columns = range(len(settings.metrics))
    overall = [_mean(whole.values(m)) for m in columns]
    group_means = [_mean_of_means([s for s in samples if s.value != UNKNOWN], m) for m in columns]
    from_speakers = _disparities(measured, settings.ci, over_speakers=True)
    from_groups = _disparities(measured, settings.ci, over_speakers=False)
    best = [best_mean(samples, m, metric) for m, metric in enumerate(settings.metrics)]
    rows = []
    for place, one in enumerate(measured):
        for m, row in enumerate(_rows_of(one, attribute, whole.value, settings)):
            pooled_overall = _quotient(*whole.total[:, m].tolist())
            rows.append(
                replace(
                    row,
                    pooled=replace(row.pooled, disparity=_difference(row.pooled.value, pooled_overall)),
                    from_speaker_mean=Disparity(_difference(row.mean, overall[m]), from_speakers[place][m]),
                    from_mean_of_group_means=Disparity(
                        _difference(row.mean, group_means[m]), from_groups[place][m]
                    ),
                    ratio_to_best=_quotient(row.mean, best[m]),
                )
            )
    return rows


def overall_rows(whole: GroupSample, settings: TableSettings) -> list[GroupRow]:
    """Return one row a metric over all speakers of a corpus."""
    return _rows_of(_Measured(whole, OVERALL, whole.value, settings), OVERALL, whole.value, settings)


def _rows_of(one: _Measured, attribute: str, corpus: str, settings: TableSettings) -> list[GroupRow]:
    sample = one.sample
    rows = []
    for m, metric in enumerate(settings.metrics):
        values, known = sample.values(m), sample.why_no_speakers is None
        numerator, denominator = sample.total[:, m].tolist()
        rows.append(
            GroupRow(
                attribute=attribute,
                value=sample.value,
                corpus=corpus,
                metric=metric,
                n_speakers=len(values) if known else None,
                n_dropped=len(sample.speakers) - len(values),
                n_utterances=sample.n_utterances,
                mean=_mean(values),
                sd=float(values.std(ddof=1)) if len(values) > 1 else None,
                interval=one.intervals[m],
                t_interval=one.t_intervals[m] if len(values) < AUTO_SMALL else None,
                pooled=Pooled(_quotient(numerator, denominator), numerator, denominator, one.pooled_intervals[m]),
                flags=_flags(sample, values, one.intervals[m], missing=attribute != OVERALL),
                reason=sample.why_no_speakers or (None if len(values) else NO_VALUE),
            )
        )
    return rows


def _disparities(measured: Sequence[_Measured], ci: str, *, over_speakers: bool) -> list[list[Interval]]:
    """Return the intervals of every group's disparity, by group and metric.

    The mean over speakers holds those of the group `UNKNOWN` too, the mean of the groups' means named groups only.
    """
    inside = [one for one in measured if over_speakers or one.sample.value != UNKNOWN]
    sizes = np.array([one.n if one in inside else np.zeros_like(one.n) for one in measured], dtype=float)
    weights = sizes if over_speakers else (sizes > 0).astype(float)
    weights /= np.maximum(weights.sum(axis=0), 1)
    total = weighted_sum([one.means for one in measured], list(weights))
    out = []
    for one, weight in zip(measured, weights, strict=True):
        why = why_not_independent([other.sample for other in measured if other in inside or other is one])
        scale = np.abs(one.means.estimate) + np.abs(total.estimate)
        found = defined_intervals(minus_total(one.means, total, weight), one.n, ci, scale, why)
        alone, without = weight == 1, (one.n > 0) & ~weights.any(axis=0)
        for m in np.flatnonzero(alone | without) if why is None else ():
            found[m] = Interval.undefined(WHOLE if over_speakers else ALONE if alone[m] else NO_NAMED)
        out.append([_with_singles(found[m], inside, m, fixed=over_speakers) for m in range(len(one.n))])
    return out


def _with_singles(interval: Interval, inside: Sequence[_Measured], metric: int, *, fixed: bool) -> Interval:
    """Say what groups of one speaker mean for a disparity: a small share of all speakers is taken as fixed."""
    singles = [one.sample.value for one in inside if one.n[metric] == 1]
    if not singles or interval.low is None:
        return interval
    if not fixed:
        return Interval.undefined(f"the spread of a group of one speaker is unknown: {singles[0]}")
    note = f"groups of one speaker are taken as fixed: {', '.join(singles)}"
    return replace(interval, reason="; ".join(filter(None, (interval.reason, note))))


def _flags(sample: GroupSample, values: Floats, interval: Interval, *, missing: bool) -> tuple[str, ...]:
    """Return the flags; the value of a row over all speakers is its corpus, and no group that may be missing."""
    known = sample.why_no_speakers is None
    raised = {
        "missing_value": missing and sample.value == UNKNOWN,
        "no_speaker_ids": not known,
        "few_speakers": known and len(values) < FEW_SPEAKERS,
        "one_speaker": known and len(values) == 1,
        "same_value": interval.reason == SAME_VALUE,
        "dropped_speakers": len(values) < len(sample.speakers),
    }
    return tuple(name for name, is_raised in raised.items() if is_raised)


def _mean_of_means(samples: Sequence[GroupSample], metric: int) -> float | None:
    if any(sample.why_no_speakers for sample in samples):
        return None
    return _mean(np.array([values.mean() for sample in samples if (values := sample.values(metric)).size]))


def _mean(values: Floats) -> float | None:
    return float(values.mean()) if values.size else None


def _quotient(numerator: float | None, denominator: float | None) -> float | None:
    return numerator / denominator if numerator is not None and denominator else None


def _difference(value: float | None, other: float | None) -> float | None:
    return None if value is None or other is None else value - other
