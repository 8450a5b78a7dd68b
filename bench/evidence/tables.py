"""Scores and tables of `synthetic_evidence.py`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from evidence.plan import CONDITIONS, TEST_SETS, Plan

from pedkit.data.manifest import iter_manifest, read_predictions
from pedkit.evaluation.fairness_settings import FairnessSettings
from pedkit.evaluation.run import ScoringRun
from pedkit.evaluation.settings import ScoreSettings
from pedkit.evaluation.sources import ManifestSource, prediction_sources
from pedkit.fairness import GroupFrame, Observation
from pedkit.fairness.resampling import bootstrap_ratios
from pedkit.scoring import Counts
from pedkit.training.run_folder import read_run

METRICS = ("per", "pfer", "f1")
RESAMPLES = 10_000


@dataclass(frozen=True)
class Heard:
    """What the models of one condition made of one test set.

    Attributes:
        counts: Of each seed.
        nothing: Of a system that hears nothing, all seeds together.
        observations: One an utterance and seed.
    """

    counts: tuple[Counts, ...]
    nothing: Counts
    observations: tuple[Observation, ...]

    def sums(self, metric: str) -> dict[str, tuple[float, float]]:
        """Return speaker -> numerator and denominator of a metric, all seeds together."""
        found: dict[str, tuple[float, float]] = {}
        for one in self.observations:
            before = found.get(str(one.speaker), (0.0, 0.0))
            found[str(one.speaker)] = before[0] + one.sums[metric][0], before[1] + one.sums[metric][1]
        return found


def score_condition(plan: Plan, condition: str, test_set: str) -> Heard:
    """Score what was heard of a test set, seed by seed."""
    counts, nothing, observations = [], Counts.zero(), []
    for seed in plan.seeds:
        one = plan.test_sets(condition, seed)[test_set]
        scoring = ScoringRun(
            ScoreSettings.of({"references": ["empty"], "groups": ["gender"]}),
            ManifestSource.of(one.utterances()),
            FairnessSettings.of({"metrics": METRICS}),
        )
        heard = read_predictions(plan.folder(condition, seed) / test_set / "predictions.jsonl")
        scoring.score(condition, prediction_sources({condition: heard.values()}, "auto")[condition])
        counts.append(scoring.systems[condition].counts)
        nothing += scoring.references["empty"]
        observations += [
            replace(each, id=f"{seed}/{each.id}") for each in scoring.observers[condition].observations()
        ]
    return Heard(tuple(counts), nothing, tuple(observations))


def tables(plan: Plan) -> str:
    """Return everything in Markdown."""
    about = f"Each training: {plan.words} words, {plan.updates} updates. Seeds {', '.join(map(str, plan.seeds))}."
    parts = [about, trained_table(plan)]
    for test_set, heading in TEST_SETS.items():
        heard = {name: score_condition(plan, name, test_set) for name in plan.conditions}
        parts += [f"**{heading}**", results_table(heard, alike=test_set != "held_out")]
        if test_set != "held_out" and (rows := difference_rows(heard)):
            parts.append(table(["difference", "PER", "PFER", "F1"], rows))
    return "\n\n".join(parts) + "\n"


def trained_table(plan: Plan) -> str:
    """Return what was learnt from, and the dev PER of the kept checkpoints."""
    rows = []
    for name in plan.conditions:
        voices, errors, kept = [], [], []
        for seed in plan.seeds:
            said = list(iter_manifest(plan.folder(name, seed) / "synthetic/train.jsonl"))
            voices.append(len({utterance.speaker for utterance in said}))
            errors.append(sum(utterance.canonical != utterance.realized for utterance in said))
            record = read_run(plan.folder(name, seed) / "train")["kept"]
            kept.append(f"{record['dev_per']:.3f} (epoch {record['epoch']})")
        engines = ", ".join(sorted({str(utterance.extra["engine"]) for utterance in said}))
        speech = CONDITIONS[name].speech
        numbers = [", ".join(map(str, dict.fromkeys(values))) for values in (voices, errors)]
        row = [f"`{name}`", f"{speech}: {engines}" if "," in engines else speech, CONDITIONS[name].errors]
        rows.append([*row, *numbers, ", ".join(kept)])
    return table(["condition", "speech", "errors", "voices", "words with an error", "dev PER by seed"], rows)


def results_table(heard: Mapping[str, Heard], *, alike: bool) -> str:
    """Return the rates of every condition.

    Args:
        heard: Condition -> what its models heard of a test set.
        alike: Whether that is the same set for all; a last row then has a system that hears nothing.
    """
    rows = []
    for name, one in heard.items():
        frame = GroupFrame(
            observations=one.observations, metrics=METRICS, attributes=(), resamples=RESAMPLES, pool_corpora=True
        )
        pooled = {row.metric: row.pooled for row in frame.overall}
        ranged = {
            metric: _ranged(rate.value, rate.interval.low, rate.interval.high) for metric, rate in pooled.items()
        }
        found = sum(one.counts, Counts.zero()).mdd().rates()
        by_seed = [[counts.per.value, counts.mdd().rates()["f1"].value] for counts in one.counts]
        per, f1 = (", ".join(map(_number, values)) for values in zip(*by_seed, strict=True))
        judged = [_number(found[key].value) for key in ("precision", "recall")]
        rows.append([f"`{name}`", ranged["per"], per, ranged["pfer"], ranged["f1"], f1, *judged])
    if alike:
        nothing = next(iter(heard.values())).nothing
        found = nothing.mdd().rates()
        judged = [_number(found[key].value) for key in ("precision", "recall")]
        rates = [_number(nothing.per.value), "", _number(nothing.pfer.value), _number(found["f1"].value), ""]
        rows.append(["hears nothing", *rates, *judged])
    return table(["condition", "PER", "by seed", "PFER", "F1", "by seed", "precision", "recall"], rows)


def difference_rows(heard: Mapping[str, Heard]) -> list[list[str]]:
    """Return the difference of each condition from the one that it differs from in one thing."""
    rows = []
    for name, one in heard.items():
        other = CONDITIONS[name].against
        if other is not None and other in heard:
            cells = [_difference(one.sums(metric), heard[other].sums(metric)) for metric in METRICS]
            rows.append([f"`{name}` − `{other}`", *cells])
    return rows


def _difference(one: Mapping[str, tuple[float, float]], other: Mapping[str, tuple[float, float]]) -> str:
    """Return the difference of two pooled rates with its interval: both from the same resampled speakers."""
    speakers = sorted(speaker for speaker in one if one[speaker][1] and other[speaker][1])
    sums = np.array([(one[speaker], other[speaker]) for speaker in speakers], dtype=np.float64)
    draws = np.random.default_rng(0)
    boot = bootstrap_ratios(sums[:, :, 0], sums[:, :, 1], resamples=RESAMPLES, rng=draws)
    replicates = boot.estimate[:, None] + boot.deviations
    low, high = np.percentile(replicates[0] - replicates[1], [2.5, 97.5])
    return _ranged(float(boot.estimate[0] - boot.estimate[1]), float(low), float(high), sign="+")


def _ranged(value: float | None, low: float | None, high: float | None, sign: str = "") -> str:
    around = "" if low is None or high is None else f" [{_number(low, sign)}, {_number(high, sign)}]"
    return _number(value, sign) + around


def _number(value: Any, sign: str = "") -> str:
    return "–" if value is None else f"{value:{sign}.3f}".replace("-", "−")


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table in Markdown."""
    return "\n".join(f"| {' | '.join(line)} |" for line in [head, ["---"] * len(head), *rows])
