from __future__ import annotations

import pytest
import torch
from transformers import get_linear_schedule_with_warmup

from pedkit.errors import PedkitError
from pedkit.models.optimization import adamw, rate_factor, scheduler, warmup_updates


def _optimizer(**changes):
    settings = {"learning_rate": 0.1, "weight_decay": 0.01, "betas": (0.9, 0.999), "decay": "matrices"}
    model = torch.nn.Sequential(torch.nn.Linear(3, 2), torch.nn.LayerNorm(2))
    return model, adamw(model, **{**settings, **changes})


def _rates(warmup, total, schedule="linear"):
    _, optimizer = _optimizer()
    rate = scheduler(optimizer, warmup=warmup, total=total, schedule=schedule)
    rates = []
    for _ in range(total):
        rates.append(optimizer.param_groups[0]["lr"])
        optimizer.step()
        rate.step()
    return rates


def test_the_rate_of_every_step():
    assert _rates(2, 6) == pytest.approx([0.05, 0.1, 0.1, 0.075, 0.05, 0.025])
    assert _rates(3, 5, "constant") == pytest.approx([0.1 / 3, 0.2 / 3, 0.1, 0.1, 0.1])
    assert _rates(0, 2) == pytest.approx([0.1, 0.05])


def test_it_is_transformers_schedule_without_the_first_step_at_zero():
    _, optimizer = _optimizer()
    theirs = get_linear_schedule_with_warmup(optimizer, 3, 26).lr_lambdas[0]
    # Theirs: 0, 1/3, 2/3, 1, then down to 1/23; ours begins at 1/3.
    assert theirs(0) == 0.0
    assert [rate_factor(s, 3, 26) for s in range(3)] == [theirs(s + 1) for s in range(3)]
    assert [rate_factor(s, 3, 26) for s in range(3, 26)] == pytest.approx([theirs(s) for s in range(3, 26)])


def test_warmup_in_steps_or_as_a_share():
    assert warmup_updates(1386, steps=None, ratio=0.03) == 42  # 41.58, rounded up
    assert warmup_updates(25, steps=None, ratio=0.1) == 3
    assert warmup_updates(25, steps=7, ratio=None) == 7
    assert warmup_updates(25, steps=None, ratio=None) == 0
    with pytest.raises(PedkitError, match=r"but got both \(7 and 0\.1\)"):
        warmup_updates(25, steps=7, ratio=0.1)
    with pytest.raises(PedkitError, match="warm-up of 150 steps is longer than the whole training of 25"):
        warmup_updates(25, steps=150, ratio=None)


@pytest.mark.parametrize(("steps", "ratio"), [(-5, None), (None, -0.5), (None, 1.5), (None, float("nan"))])
def test_a_warmup_out_of_range_is_named(steps, ratio):
    with pytest.raises(PedkitError, match=r"expected warmup_steps to be 0 or more and warmup_ratio .* but got"):
        warmup_updates(25, steps=steps, ratio=ratio)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"betas": (0.9,)}, r"expected betas to be two numbers .*, but got \[0\.9\]"),
        ({"betas": (0.9, 0.95, 0.999)}, "expected betas to be two numbers"),
        ({"betas": (0.9, 1.0)}, "expected betas to be two numbers"),
        ({"betas": (-0.1, 0.9)}, "expected betas to be two numbers"),
        ({"learning_rate": -1.0}, "expected learning_rate to be 0 or more, but got -1"),
        ({"learning_rate": float("nan")}, "expected learning_rate to be 0 or more, but got nan"),
        ({"weight_decay": float("inf")}, "expected weight_decay to be 0 or more, but got inf"),
    ],
)
def test_numbers_out_of_range_are_named(changes, sentence):
    with pytest.raises(PedkitError, match=sentence):
        _optimizer(**changes)


def test_biases_and_norms_are_spared_from_decay():
    model, optimizer = _optimizer()
    decayed, spared = optimizer.param_groups
    assert (decayed["weight_decay"], spared["weight_decay"]) == (0.01, 0.0)
    assert [id(p) for p in decayed["params"]] == [id(model[0].weight)]
    assert {id(p) for p in spared["params"]} == {id(model[0].bias), id(model[1].weight), id(model[1].bias)}


def test_or_everything_decays():
    _, optimizer = _optimizer(decay="all")
    assert [(len(group["params"]), group["weight_decay"]) for group in optimizer.param_groups] == [(4, 0.01)]


def test_frozen_parameters_are_not_given_to_the_optimizer():
    model = torch.nn.Linear(3, 2)
    model.bias.requires_grad_(False)
    optimizer = adamw(model, learning_rate=0.1, weight_decay=0.01, betas=(0.9, 0.98), decay="matrices")
    assert [len(group["params"]) for group in optimizer.param_groups] == [1]
    assert optimizer.param_groups[0]["betas"] == (0.9, 0.98)
    with pytest.raises(PedkitError, match="all are frozen"):
        adamw(model.requires_grad_(False), learning_rate=0.1, weight_decay=0.0, betas=(0.9, 0.98), decay="all")


def test_unknown_choices_are_named():
    with pytest.raises(PedkitError, match="expected decay to be all or matrices, but got 'none'"):
        _optimizer(decay="none")
    with pytest.raises(PedkitError, match="expected a schedule out of linear, constant, but got 'cosine'"):
        scheduler(_optimizer()[1], warmup=1, total=2, schedule="cosine")
