"""Trap 18: the loss of an update made of several micro-batches, against gradients worked out by hand."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import torch

from pedkit.models.language import AnswerLoss
from pedkit.models.language.accumulation import Window

# Losses are w * x for every token. Two micro-batches: answers of 1 and 3 tokens, then one of 2 tokens alone: the
# last window of an epoch, of which Lightning's accumulation over four would take a quarter of a quarter.
FIRST, SECOND = [[6.0], [1.0, 2.0, 3.0]], [[4.0, 8.0]]
BY_HAND = {
    "token": (6 + 1 + 2 + 3 + 4 + 8) / 6,
    "sequence": (6 / 1 + (1 + 2 + 3) / 3 + (4 + 8) / 2) / 3,
    "microbatch_mean": ((6 + 1 + 2 + 3) / 4 + (4 + 8) / 2) / 2,
}


def _labels(answers):
    """One ignored token before each answer, and padding after it."""
    longest = max(map(len, answers))
    return {
        "labels": torch.tensor([[-100, *([7] * len(one)), *([-100] * (longest - len(one)))] for one in answers])
    }


def _loss(answers, w):
    sums = torch.stack([(w * torch.tensor(one)).sum() for one in answers])
    counts = torch.tensor([len(one) for one in answers])
    return AnswerLoss(sums.sum(), int(counts.sum()), sums, counts)


@pytest.mark.parametrize("norm", BY_HAND)
def test_the_gradient_of_an_update_is_that_of_the_whole_effective_batch(norm):
    w = torch.tensor(0.5, requires_grad=True)
    window = Window.of([_labels(FIRST), _labels(SECOND)])
    assert window == Window(tokens=6, answers=3, microbatches=2)
    total = sum(window.loss(_loss(answers, w), norm) for answers in (FIRST, SECOND))
    total.backward()
    assert float(w.grad) == pytest.approx(BY_HAND[norm], rel=1e-6)


@pytest.mark.parametrize("norm", ["token", "sequence"])
def test_how_the_window_is_cut_changes_nothing(norm):
    cuts = [[*FIRST, *SECOND]], [[FIRST[0]], [FIRST[1]], SECOND]
    values = []
    for cut in cuts:
        window = Window.of([_labels(part) for part in cut])
        values.append(float(sum(window.loss(_loss(part, torch.tensor(0.5)), norm) for part in cut)))
    assert values[0] == pytest.approx(values[1], rel=1e-6) == pytest.approx(0.5 * BY_HAND[norm])


def test_a_mean_of_means_depends_on_the_cut():
    """What the other two are for: 6 tokens in one micro-batch give 4, in two of them 4.5 (times w)."""
    whole = Window.of([_labels([*FIRST, *SECOND])])
    assert float(whole.loss(_loss([*FIRST, *SECOND], torch.tensor(1.0)), "microbatch_mean")) == pytest.approx(4.0)
    assert BY_HAND["microbatch_mean"] == 4.5


@pytest.mark.parametrize("norm", BY_HAND)
def test_two_processes_together_make_the_update_of_one(norm):
    """DDP averages the gradients of its processes; here each has one micro-batch of the same window."""
    window = Window(tokens=6, answers=3, microbatches=2, processes=2)
    grads = []
    for answers in (FIRST, SECOND):
        w = torch.tensor(0.5, requires_grad=True)
        window.loss(_loss(answers, w), norm).backward()
        grads.append(float(w.grad))
    assert sum(grads) / 2 == pytest.approx(BY_HAND[norm], rel=1e-6)


_RANK = """
import json, sys
import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from tests.training.language.test_accumulation import FIRST, SECOND, BY_HAND, _labels, _loss
from pedkit.models.language.accumulation import Window

rank, store = int(sys.argv[1]), sys.argv[2]
dist.init_process_group("gloo", init_method=f"file://{store}", rank=rank, world_size=2)
weight = torch.nn.Linear(1, 1, bias=False)
torch.nn.init.constant_(weight.weight, 0.5)
model = DistributedDataParallel(weight)
found = {}
for norm in BY_HAND:
    model.zero_grad()
    answers = (FIRST, SECOND)[rank]
    w = model(torch.ones(1, 1)).squeeze()
    Window.of([_labels(answers)]).loss(_loss(answers, w), norm).backward()
    found[norm] = float(weight.weight.grad)
print(json.dumps(found))
dist.destroy_process_group()
"""


@pytest.mark.slow
def test_two_real_processes_with_unlike_numbers_of_tokens(tmp_path):
    """4 answer tokens in one, 2 in the other: counted together, and averaged by torch's own DDP."""
    command = [sys.executable, "-W", "ignore", "-c", _RANK]
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONPATH": str(Path(__file__).parents[3])}
    ranks = [
        subprocess.Popen(
            [*command, str(rank), str(tmp_path / "store")], env=environment, stdout=subprocess.PIPE, text=True
        )
        for rank in range(2)
    ]
    for rank in ranks:
        out, _ = rank.communicate(timeout=120)
        assert rank.returncode == 0
        assert json.loads(out.splitlines()[-1]) == pytest.approx(BY_HAND, rel=1e-6)


def test_a_window_without_any_clip_divides_by_nothing():
    assert Window.of([]) == Window(tokens=1, answers=1, microbatches=1)
