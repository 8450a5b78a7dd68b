from __future__ import annotations

import pytest
import torch

from pedkit.errors import PedkitError
from pedkit.models.objective import Objective
from pedkit.models.spec_augment import SpecAugment

# Passed on by transformers' WavLM to torch's own attention.
pytestmark = pytest.mark.filterwarnings("ignore:Support for mismatched key_padding_mask and attn_mask:UserWarning")

LENGTHS = torch.tensor([16000, 8000])


def _share(augment: SpecAugment, frames: int, draws: int = 300) -> list[float]:
    torch.manual_seed(0)
    return augment.time_mask(torch.full((draws,), frames), frames).float().mean(1).tolist()


def test_short_words_lose_no_larger_share_than_long_sentences():
    """Trap 15: transformers' two masks of ten frames hide 62 % of a clip of 0.5 s and 36 % of one of 1 s."""
    augment = SpecAugment(time_masks=2, time_length=10, max_share=0.2)
    for frames in (24, 39, 49, 149):  # 0.5, 0.8, 1 and 3 seconds
        shares = _share(augment, frames)
        assert max(shares) <= 0.2
        assert max(shares) > 0.1
    assert max(_share(augment, 4)) == 0.0  # a fifth of four frames is none
    assert max(_share(SpecAugment(max_share=1.0), 24)) > 0.6  # what the limit prevents


def test_masks_lie_within_the_clip_and_everywhere_in_it():
    torch.manual_seed(0)
    mask = SpecAugment(max_share=0.5).time_mask(torch.full((400,), 30), 50)
    assert not mask[:, 30:].any()
    assert mask[:, :30].any(0).all()


def test_bands_of_features():
    torch.manual_seed(0)
    mask = SpecAugment(feature_masks=1, feature_share=0.25).feature_mask(300, 80)
    assert mask.sum(1).max() == 20
    assert mask.any(0).all()
    features = torch.ones(2, 10, 80)
    masked = SpecAugment(time_masks=0, feature_masks=2, feature_share=0.5).masked(
        features, torch.tensor([10, 5]), 10
    )
    assert all(len(set(row.sum(1).tolist())) == 1 for row in masked)  # the same bands in every frame
    assert (masked == 0).any()


def test_it_works_in_every_family_only_within_its_context_and_ends_alike(tiny, family):
    encoder = tiny(family)  # in evaluation mode: no dropout
    waveforms = torch.randn(2, 16000, generator=torch.Generator().manual_seed(1)) * 0.1
    plain = encoder(waveforms, LENGTHS).logits
    augment = SpecAugment(time_masks=3, max_share=0.5, feature_masks=1)
    torch.manual_seed(5)
    with augment.on(encoder, LENGTHS):
        masked = encoder(waveforms, LENGTHS).logits
    assert masked.shape == plain.shape
    assert (masked - plain).abs().max() > 1e-3
    torch.manual_seed(5)
    with augment.on(encoder, LENGTHS):
        assert torch.equal(encoder(waveforms, LENGTHS).logits, masked)
    assert torch.equal(encoder(waveforms, LENGTHS).logits, plain)
    with SpecAugment(time_masks=0).on(encoder, LENGTHS):
        assert torch.equal(encoder(waveforms, LENGTHS).logits, plain)


def test_a_frame_of_log_mel_energies_is_hidden_whole(tiny):
    """Two energies make a frame, and 16,000 samples have 100 of them."""
    encoder, seen = tiny(), []
    encoder.model.conv1.register_forward_hook(lambda _, inputs, __: seen.append(inputs[0]))
    torch.manual_seed(0)
    with SpecAugment(time_masks=1, time_length=10, max_share=1.0).on(encoder, LENGTHS):
        encoder(torch.randn(2, 16000), LENGTHS)
    hidden = (seen[0][0] == 0).all(0).reshape(50, 2)
    assert torch.equal(hidden[:, 0], hidden[:, 1])
    assert 0 < hidden[:, 0].sum() <= 10


def test_it_is_refused_beside_the_familys_own_masks(tiny, vocabulary):
    own = tiny("wav2vec2", mask_time_prob=0.05)
    with pytest.raises(
        PedkitError, match=r"either spec_augment or the encoder's own mask_time_prob, but got both"
    ):
        Objective(vocabulary, own, spec_augment={})
    Objective(vocabulary, tiny(), spec_augment={})  # pedkit's own model has such a field, but no such masks


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"max_share": 1.5}, r"spec_augment.max_share to be from 0 to 1, but got 1.5"),
        ({"time_length": 0}, "spec_augment.time_length to be 1 or more, but got 0"),
        ({"time_maks": 1}, "unknown setting 'spec_augment.time_maks'"),
        ({"time_masks": "two"}, "expected spec_augment.time_masks to be"),
    ],
)
def test_fields_out_of_range(tiny, vocabulary, fields, message):
    with pytest.raises(PedkitError, match=message):
        Objective(vocabulary, tiny(), spec_augment=fields)
