from __future__ import annotations

import math

import pytest
import torch
from torch.nn.functional import ctc_loss as torch_ctc_loss

from pedkit.models.encoder import CtcOutput
from pedkit.models.loss import ctc_loss


def _logits(*shape: int) -> torch.Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(0))


def test_it_equals_torchs_mean_reduction():
    logits, frames = _logits(3, 12, 7), torch.tensor([12, 9, 5])
    labels = [[1, 2, 2, 5], [3], [6, 4]]
    flat = torch.tensor([i for ids in labels for i in ids])
    log_probs = logits.log_softmax(-1).transpose(0, 1)
    expected = torch_ctc_loss(log_probs, flat, frames, torch.tensor([4, 1, 2]), reduction="mean")
    loss = ctc_loss(CtcOutput(logits, frames), labels)
    torch.testing.assert_close(loss.value, expected)
    assert (loss.aligned, loss.unalignable) == (3, ())


def test_it_equals_transformers_own_loss(tiny):
    encoder = tiny("wav2vec2", ctc_loss_reduction="mean")
    waveforms = torch.randn(2, 16000, generator=torch.Generator().manual_seed(1))
    lengths, labels = torch.tensor([16000, 8000]), [[5, 5, 9, 30], [1, 2]]
    inputs = encoder.front_end.inputs(waveforms * (torch.arange(16000) < lengths[:, None]), lengths)
    padded = torch.tensor([[5, 5, 9, 30], [1, 2, -100, -100]])
    expected = encoder.model(**inputs, labels=padded).loss
    torch.testing.assert_close(ctc_loss(encoder(waveforms, lengths), labels).value, expected)


def test_by_hand_two_frames_one_label():
    # Uniform over blank and one phone: of the 4 paths of 2 frames, 3 collapse to the phone.
    loss = ctc_loss(CtcOutput(torch.zeros(1, 2, 2), torch.tensor([2])), [[1]])
    assert loss.value.item() == pytest.approx(-math.log(3 / 4))


def test_too_few_frames_for_a_repeated_phone_are_left_out_not_counted_as_zero():
    # k2-fsa/icefall #135: 2 frames, [1, 1] needs 3.
    logits, frames = _logits(2, 2, 4), torch.tensor([2, 2])
    loss = ctc_loss(CtcOutput(logits, frames), [[1, 1], [1, 2]])
    alone = ctc_loss(CtcOutput(logits[1:], frames[1:]), [[1, 2]])
    assert (loss.aligned, loss.unalignable) == (1, (0,))
    torch.testing.assert_close(loss.value, alone.value)
    assert 0 < loss.value.item() < math.inf


def test_a_clip_of_700_samples_with_three_phones(tiny):
    # 700 samples at 16 kHz: wav2vec2 has 1 frame, too few for 3 phones.
    encoder = tiny("wav2vec2")
    waveforms = torch.randn(2, 16000, generator=torch.Generator().manual_seed(1))
    output = encoder(waveforms, torch.tensor([700, 16000]))
    loss = ctc_loss(output, [[1, 2, 3], [1, 2, 3]])
    assert output.frames.tolist() == [1, 49]
    assert loss.unalignable == (0,)
    assert torch.isfinite(loss.value)


def test_a_batch_that_cannot_be_aligned_has_a_gradient_of_zero():
    logits = _logits(1, 2, 4).requires_grad_()
    loss = ctc_loss(CtcOutput(logits, torch.tensor([2])), [[1, 1]])
    loss.value.backward()
    assert (loss.value.item(), loss.aligned) == (0.0, 0)
    assert torch.equal(logits.grad, torch.zeros_like(logits))


def test_padding_frames_do_not_matter():
    logits, frames = _logits(1, 9, 4), torch.tensor([6])
    padded = ctc_loss(CtcOutput(logits, frames), [[1, 3]])
    cut = ctc_loss(CtcOutput(logits[:, :6], frames), [[1, 3]])
    torch.testing.assert_close(padded.value, cut.value)


def test_the_blank_may_have_another_id():
    logits, frames = _logits(1, 6, 4), torch.tensor([6])
    swapped = logits[..., [1, 0, 2, 3]]
    torch.testing.assert_close(
        ctc_loss(CtcOutput(swapped, frames), [[0, 3]], blank=1).value,
        ctc_loss(CtcOutput(logits, frames), [[1, 3]]).value,
    )


def test_silence_without_phones_is_learnt_as_blanks():
    logits, frames = _logits(1, 5, 3), torch.tensor([5])
    loss = ctc_loss(CtcOutput(logits, frames), [[]])
    expected = -logits.log_softmax(-1)[0, :, 0].sum()
    torch.testing.assert_close(loss.value, expected)
