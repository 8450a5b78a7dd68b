from __future__ import annotations

import numpy as np
import pytest
import torch

from pedkit.errors import PedkitError
from pedkit.models.consistency import consistency_loss
from pedkit.models.encoder import CtcOutput
from pedkit.models.loss import ctc_loss
from pedkit.models.objective import Objective

# Passed on by transformers' WavLM to torch's own attention.
pytestmark = pytest.mark.filterwarnings("ignore:Support for mismatched key_padding_mask and attn_mask:UserWarning")

LENGTHS, LABELS = torch.tensor([16000, 9000]), [[5, 5, 9, 30], [1, 2]]
WAVEFORMS = torch.randn(2, 16000, generator=torch.Generator().manual_seed(1)) * 0.1


def _seed() -> None:  # of dropout, and of transformers' own masks
    torch.manual_seed(3)
    np.random.seed(3)


def _gradients(encoder, objective) -> tuple[torch.Tensor, list[torch.Tensor | None]]:
    encoder.zero_grad()
    _seed()
    loss = objective(encoder, WAVEFORMS, LENGTHS, LABELS)
    loss.value.backward()
    return loss, [None if p.grad is None else p.grad.clone() for p in encoder.parameters()]


def test_with_everything_off_it_is_the_ctc_loss_bit_for_bit(tiny, vocabulary, family):
    encoder = tiny(family).train()
    objective = Objective(vocabulary, encoder)
    assert not objective.state_dict()
    loss, gradients = _gradients(encoder, objective)
    encoder.zero_grad()
    _seed()
    plain = ctc_loss(encoder(WAVEFORMS, LENGTHS), LABELS)
    plain.value.backward()
    assert torch.equal(loss.value, plain.value)
    assert (loss.aligned, loss.unalignable, list(loss.parts)) == (2, (), ["loss"])
    for one, parameter in zip(gradients, encoder.parameters(), strict=True):
        assert (one is None) == (parameter.grad is None)
        assert one is None or torch.equal(one, parameter.grad)


def test_two_views_without_dropout_and_masks_are_one(tiny, vocabulary):
    encoder = tiny()  # in evaluation mode
    loss = Objective(vocabulary, encoder, consistency=0.2)(encoder, WAVEFORMS, LENGTHS, LABELS)
    plain = ctc_loss(encoder(WAVEFORMS, LENGTHS), LABELS).value
    torch.testing.assert_close(loss.value, plain)
    assert loss.parts["consistency"].item() == pytest.approx(0.0, abs=1e-9)
    assert loss.output.logits.shape[0] == len(loss.output.frames) == loss.aligned == 2


def test_two_views_by_the_formula(tiny, vocabulary):
    encoder = tiny().train()
    objective = Objective(vocabulary, encoder, consistency=0.2, spec_augment={"max_share": 0.5})
    torch.manual_seed(4)
    loss = objective(encoder, WAVEFORMS, LENGTHS, LABELS)
    torch.manual_seed(4)
    with objective._masks.on(encoder, LENGTHS.repeat(2)):
        both = encoder(WAVEFORMS.repeat(2, 1), LENGTHS.repeat(2))
    first, second = (CtcOutput(both.logits[k], both.frames[k]) for k in (slice(0, 2), slice(2, 4)))
    ctc = (ctc_loss(first, LABELS).value + ctc_loss(second, LABELS).value) / 2
    consistency = consistency_loss(first, second, [4, 2])
    torch.testing.assert_close(loss.value, ctc + 0.2 * consistency)
    assert consistency.item() > 0.01
    torch.testing.assert_close(loss.parts["loss"], ctc)


def test_clips_that_cannot_be_aligned_are_in_no_term(tiny, vocabulary):
    encoder = tiny("wav2vec2")
    objective = Objective(vocabulary, encoder, consistency=1.0)
    lengths = torch.tensor([16000, 700])
    loss = objective(encoder, WAVEFORMS, lengths, [[1, 2, 3], [1, 2, 3]])
    assert (loss.aligned, loss.unalignable) == (1, (1,))
    none = objective(encoder, WAVEFORMS[:, :700], torch.tensor([700, 700]), [[1, 2, 3], [1, 2, 3]])
    assert (none.value.item(), none.aligned, none.unalignable) == (0.0, 0, (0, 1))
    none.value.backward()


def test_the_articulatory_heads_see_what_the_phone_head_sees(tiny, vocabulary, family):
    encoder = tiny(family)
    torch.manual_seed(0)
    objective = Objective(vocabulary, encoder, articulatory=0.3)
    loss = objective(encoder, WAVEFORMS, LENGTHS, LABELS)
    hidden = []
    handle = encoder.model.lm_head.register_forward_hook(lambda _, inputs, __: hidden.append(inputs[0]))
    output = encoder(WAVEFORMS, LENGTHS)
    handle.remove()
    expected = objective.articulatory(hidden[0], output.frames, LABELS)
    torch.testing.assert_close(loss.value, ctc_loss(output, LABELS).value + 0.3 * expected)
    loss.value.backward()
    assert objective.articulatory.heads.weight.grad.abs().max() > 0


def test_weights_below_zero(tiny, vocabulary):
    with pytest.raises(PedkitError, match=r"the weight consistency to be 0 or more, but got -0\.1"):
        Objective(vocabulary, tiny(), consistency=-0.1)
