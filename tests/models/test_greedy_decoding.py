from __future__ import annotations

import pytest
import torch

from pedkit.models import CtcEncoder, PhoneVocabulary
from pedkit.models.decoding import Heard, decode


class _Scripted(torch.nn.Module):
    """A model whose logits are the waveform: 3 outputs a frame."""

    class config:  # noqa: N801 (transformers calls it so)
        model_type = "scripted"

    def forward(self, input_values):
        return type("Output", (), {"logits": input_values.reshape(len(input_values), -1, 3)})


class _FrontEnd:
    samples_per_frame, min_samples, max_samples, batch_invariant = 3, 3, None, True

    def inputs(self, waveforms, lengths):  # noqa: ARG002
        return {"input_values": waveforms}

    def frame_lengths(self, lengths):
        return lengths // 3


@pytest.fixture
def scripted():
    return CtcEncoder(_Scripted(), _FrontEnd(), sample_rate=150)


def _logits_of(*frames: tuple[float, float, float]) -> torch.Tensor:
    return torch.tensor(frames).log().reshape(-1)


def test_phones_confidences_and_places(scripted):
    vocabulary = PhoneVocabulary(["T", "S"], "cmu39")
    first = _logits_of((0.1, 0.8, 0.1), (0.2, 0.6, 0.2), (0.9, 0.05, 0.05), (0.2, 0.7, 0.1), (0.1, 0.3, 0.6))
    second = _logits_of((0.6, 0.2, 0.2))
    waveforms = torch.zeros(2, 15)
    waveforms[0], waveforms[1, :3] = first, second
    one, two = decode(scripted, vocabulary, waveforms, torch.tensor([15, 3]))
    assert one.phones == ("T", "T", "S")
    assert one.spans == ((0, 2), (3, 4), (4, 5))
    assert one.confidences == pytest.approx((0.7, 0.7, 0.6))
    assert (one.frames, one.blank_frames) == (5, 1)
    assert two == Heard((), (), (), 1, 1)


def test_outputs_that_are_no_phones_are_not_heard(scripted):
    vocabulary = PhoneVocabulary.of_ids({"S": 2}, "cmu39", size=3)
    waveform = _logits_of((0.1, 0.8, 0.1), (0.1, 0.1, 0.8))[None]
    [heard] = decode(scripted, vocabulary, waveform, torch.tensor([6]))
    assert (heard.phones, heard.spans) == (("S",), ((1, 2),))
