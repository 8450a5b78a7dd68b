from __future__ import annotations

import math

import pytest
import torch

from pedkit.models.consistency import consistency_loss
from pedkit.models.encoder import CtcOutput


def _view(*frames: tuple[float, ...]) -> CtcOutput:
    return CtcOutput(torch.tensor([frames]).log().requires_grad_(), torch.tensor([len(frames)]))


def test_by_hand():
    # KL((.5, .5) || (.25, .75)) = .5 ln 2 + .5 ln (2/3); KL the other way = .25 ln .5 + .75 ln 1.5.
    first, second = _view((0.5, 0.5), (0.9, 0.1)), _view((0.25, 0.75), (0.9, 0.1))
    there = 0.5 * math.log(2) + 0.5 * math.log(2 / 3)
    back = 0.25 * math.log(0.5) + 0.75 * math.log(1.5)
    assert consistency_loss(first, second, [1]).item() == pytest.approx((there + back) / 2)
    assert consistency_loss(first, second, [4]).item() == pytest.approx((there + back) / 8)
    assert consistency_loss(first, first, [1]).item() == 0.0


def test_no_gradient_goes_through_the_target():
    # d KL(b || softmax(x)) / dx = softmax(x) - b; with the target free there would be another term.
    first, second = _view((0.5, 0.5)), _view((0.25, 0.75))
    consistency_loss(first, second, [1]).backward()
    assert first.logits.grad[0, 0].tolist() == pytest.approx([0.125, -0.125])
    assert second.logits.grad[0, 0].tolist() == pytest.approx([-0.125, 0.125])


def test_it_is_torchs_kl_divergence_over_the_frames_of_the_clips():
    generator = torch.Generator().manual_seed(0)
    frames, phones = torch.tensor([7, 4]), [3, 2]
    logits = [torch.randn(2, 7, 5, generator=generator) for _ in range(2)]
    a, b = (x.log_softmax(-1) for x in logits)
    expected = 0.0
    for row, (frame, number) in enumerate(zip(frames, phones, strict=True)):
        for given, target in ((a, b), (b, a)):
            one = torch.nn.functional.kl_div(
                given[row, :frame], target[row, :frame], reduction="sum", log_target=True
            )
            expected += one / 2 / number / 2
    found = consistency_loss(CtcOutput(logits[0], frames), CtcOutput(logits[1], frames), phones)
    torch.testing.assert_close(found, expected)
