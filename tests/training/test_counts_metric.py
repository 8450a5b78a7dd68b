from __future__ import annotations

import torch

from pedkit.scoring import Counts
from pedkit.training import CountsMetric


def _counts(errors: int, phones: int) -> Counts:
    return Counts.from_fields({"substitutions": errors, "reference_phones": phones, "utterances": 1})


def test_sums_are_those_of_counts_and_stay_integers():
    metric = CountsMetric()
    parts = [_counts(1, 4), _counts(1, 1), _counts(3, 9)]
    for part in parts:
        metric.update(part)
    assert metric.compute() == sum(parts, Counts.zero())
    assert metric.vector.dtype == torch.int64
    assert metric.compute().per.value == 5 / 14


def test_the_rate_of_the_list_is_not_the_mean_of_rates():
    # jitsi/jiwer #59: 1 error of 4 and 1 of 1 make 2/5, not 0.625.
    metric = CountsMetric()
    metric.update(_counts(1, 4))
    metric.update(_counts(1, 1))
    assert metric.compute().per.value == 0.4


def test_two_processes_add_up():
    # pytorch-lightning #2398: 3 dev utterances of 5, 7 and 9 phones on two processes are 21 phones.
    one, two = CountsMetric(), CountsMetric()
    one.update(_counts(1, 5))
    one.update(_counts(2, 9))
    two.update(_counts(0, 7))
    one.merge_state(two)
    assert (one.compute()["reference_phones"], one.compute()["substitutions"]) == (21, 3)


def test_reset_forgets():
    metric = CountsMetric()
    metric.update(_counts(1, 4))
    metric.reset()
    metric.update(_counts(2, 5))
    assert metric.compute() == _counts(2, 5)
