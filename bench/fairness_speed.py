"""Speed and memory of the bootstrap over speakers against fairlearn's over rows, on one core, in the same run.

    pip install fairlearn
    OMP_NUM_THREADS=1 python bench/fairness_speed.py

Input: 10 groups of 200 speakers, one row a speaker, 8 metrics, 10,000 resamples. pedkit gives for each group and
metric the BCa interval of the speaker mean, of the pooled rate and of both disparities; fairlearn's MetricFrame
the percentile interval of the pooled rate by group. fairlearn runs on a few resamples: the time of 20 minus that
of 10 is the time of 10, without what it does once. CPU time, median of three interleaved runs.
"""

from __future__ import annotations

import importlib.util
import resource
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from pedkit.fairness import GroupFrame, Observation

GROUPS, SPEAKERS, METRICS, RESAMPLES = 10, 200, 8, 10_000
PART = 10  # resamples of a fairlearn run, and twice as many
PHONES = 400
RUNS = 3
MOST_SECONDS, LEAST_RATIO, MOST_MEGABYTES = 3.0, 20.0, 1000.0


def make_observations() -> list[Observation]:
    draw = np.random.default_rng(0)
    errors = draw.binomial(
        PHONES, draw.beta(4, 16, size=(GROUPS * SPEAKERS, 1)), size=(GROUPS * SPEAKERS, METRICS)
    )
    return [
        Observation(
            id=f"u{row}",
            speaker=f"s{row}",
            corpus="simulated",
            groups={"group": f"g{row // SPEAKERS}"},
            sums={f"m{m}": (int(errors[row, m]), PHONES) for m in range(METRICS)},
        )
        for row in range(GROUPS * SPEAKERS)
    ]


def by_pedkit(observations: list[Observation]) -> object:
    names = [f"m{m}" for m in range(METRICS)]
    frame = GroupFrame(
        observations=observations, metrics=names, attributes=["group"], ci="bca", resamples=RESAMPLES
    )
    return frame.by_group


def by_fairlearn(observations: list[Observation]) -> Callable[[int], object]:
    from fairlearn.metrics import MetricFrame

    errors = np.array([[one.sums[f"m{m}"][0] for m in range(METRICS)] for one in observations])
    phones = np.full(len(observations), float(PHONES))
    groups = np.array([one.groups["group"] for one in observations])

    def rate(_true: Any, _predicted: Any, *, errors: Any, phones: Any) -> float:
        return float(errors.sum() / phones.sum())

    names = [f"m{m}" for m in range(METRICS)]

    def run(resamples: int) -> object:
        frame = MetricFrame(
            metrics={
                name: lambda a, b, errors, phones: rate(a, b, errors=errors, phones=phones) for name in names
            },
            y_true=phones,
            y_pred=phones,
            sensitive_features=groups,
            sample_params={name: {"errors": errors[:, m], "phones": phones} for m, name in enumerate(names)},
            n_boot=resamples,
            ci_quantiles=[0.025, 0.975],
            random_state=0,
        )
        return frame.by_group_ci

    return run


def seconds(run: Callable[[], object]) -> float:
    start = time.process_time()
    run()
    return time.process_time() - start


def scaled_seconds(run: Callable[[int], object]) -> float:
    few, twice = seconds(lambda: run(PART)), seconds(lambda: run(2 * PART))
    return (twice - few) * RESAMPLES / PART


def main() -> int:
    observations = make_observations()
    ours = [seconds(lambda: by_pedkit(observations))]
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (
        1024**2 if sys.platform == "darwin" else 1024
    )
    peer = by_fairlearn(observations) if importlib.util.find_spec("fairlearn") else None
    theirs = [scaled_seconds(peer)] if peer else []
    for _ in range(RUNS - 1):
        ours.append(seconds(lambda: by_pedkit(observations)))
        theirs += [scaled_seconds(peer)] if peer else []
    mine = statistics.median(ours)
    print(f"pedkit    {mine:8.2f} s   ({RESAMPLES} resamples; most {MOST_SECONDS} s)")
    print(f"memory    {megabytes:8.0f} MB  (pedkit alone; most {MOST_MEGABYTES:.0f} MB)")
    good = mine <= MOST_SECONDS and megabytes <= MOST_MEGABYTES
    if not theirs:
        print("fairlearn is not installed: no ratio (pip install fairlearn)")
        return int(not good)
    other = statistics.median(theirs)
    print(f"fairlearn {other:8.2f} s   (scaled from {PART} and {2 * PART} resamples)")
    print(f"ratio     {other / mine:8.1f}     (at least {LEAST_RATIO})")
    return int(not (good and other / mine >= LEAST_RATIO))


if __name__ == "__main__":
    sys.exit(main())
