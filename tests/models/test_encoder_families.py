from __future__ import annotations

import json

import pytest
import torch

from pedkit.errors import PedkitError
from pedkit.models import random_encoder
from pedkit.models.decoding import decode
from pedkit.models.families import encoder_from_dict

# Passed on by transformers' WavLM to torch's own attention.
pytestmark = pytest.mark.filterwarnings("ignore:Support for mismatched key_padding_mask and attn_mask:UserWarning")

LENGTHS = torch.tensor([16000, 9123, 1600])


@pytest.fixture
def waveforms():
    clips = torch.randn(3, 16000, generator=torch.Generator().manual_seed(1)) * 0.1
    return clips * (torch.arange(16000) < LENGTHS[:, None])


@torch.no_grad()
def test_a_clip_gets_the_same_logits_alone_and_in_a_padded_batch(tiny, family, waveforms):
    encoder = tiny(family)
    assert encoder.batch_invariant
    batch = encoder(waveforms, LENGTHS)
    for i, length in enumerate(LENGTHS):
        alone = encoder(waveforms[i : i + 1, :length], length[None])
        frames = int(alone.frames)
        assert frames == int(batch.frames[i]) > 0
        torch.testing.assert_close(batch.logits[i, :frames], alone.logits[0, :frames], atol=1e-4, rtol=0)


@torch.no_grad()
def test_what_lies_beyond_a_clip_is_ignored(tiny, family, waveforms):
    encoder = tiny(family)
    noisy = waveforms + torch.rand(3, 16000) * (torch.arange(16000) >= LENGTHS[:, None])
    torch.testing.assert_close(encoder(noisy, LENGTHS).logits, encoder(waveforms, LENGTHS).logits)


@pytest.mark.parametrize("model_type", ["wav2vec2", "hubert", "wavlm", "unispeech-sat"])
def test_frames_of_the_wav2vec2_family(tiny, model_type):
    # transformers #15840: 31,440 samples give 98 frames, 16,000 give 49; 399 samples give none, 400 one.
    frames = tiny(model_type).frame_lengths(torch.tensor([31440, 16000, 400, 399, 0]))
    assert frames.tolist() == [98, 49, 1, 0, 0]


@pytest.mark.parametrize(
    ("model_type", "frames"),
    [
        ("wav2vec2-bert", [97, 49, 1, 0]),  # 195 and 98 frames of 25 ms every 10 ms, two by two
        ("pedkit-log-mel-wav2vec2", [98, 50, 2, 0]),  # 196, 100, 3 frames every 10 ms, halved and rounded up
        ("pedkit-whisper-ctc", [98, 50, 2, 0]),
    ],
)
def test_frames_of_families_on_filter_banks(tiny, model_type, frames):
    assert tiny(model_type).frame_lengths(torch.tensor([31440, 16000, 560, 100])).tolist() == frames


@torch.no_grad()
def test_a_clip_without_a_frame_passes_and_leaves_its_neighbours_alone(tiny, family, waveforms):
    encoder = tiny(family)
    assert encoder(torch.zeros(1, 50), torch.tensor([50])).frames.tolist() == [0]
    pair = torch.stack([waveforms[0], waveforms[0] * 0])
    output = encoder(pair, torch.tensor([16000, 50]))
    alone = encoder(waveforms[:1], LENGTHS[:1])
    assert output.frames.tolist() == [int(alone.frames), 0]
    torch.testing.assert_close(output.logits[:1], alone.logits, atol=1e-4, rtol=0)


@torch.no_grad()
def test_group_norm_is_not_batch_invariant_so_clips_are_decoded_one_by_one(tiny, vocabulary, waveforms):
    encoder = tiny("wav2vec2", feat_extract_norm="group", do_stable_layer_norm=False)
    assert not encoder.batch_invariant
    batch = encoder(waveforms, LENGTHS)
    alone = encoder(waveforms[2:, :1600], LENGTHS[2:])
    assert (batch.logits[2, :4] - alone.logits[0, :4]).abs().max() > 0.01
    together = decode(encoder, vocabulary, waveforms, LENGTHS)
    single = [decode(encoder, vocabulary, waveforms[i : i + 1, :n], LENGTHS[i : i + 1])[0]
              for i, n in enumerate(LENGTHS)]  # fmt: skip
    assert together == single


def test_described_and_rebuilt_it_computes_the_same(tiny, family, vocabulary, waveforms):
    encoder = tiny(family)
    rebuilt = encoder_from_dict(json.loads(json.dumps(encoder.to_dict())), vocabulary).eval()
    rebuilt.load_state_dict(encoder.state_dict())
    with torch.no_grad():
        assert torch.equal(rebuilt(waveforms, LENGTHS).logits, encoder(waveforms, LENGTHS).logits)


def test_normalised_input_has_mean_zero_and_variance_one_within_the_clip(tiny, waveforms):
    inputs = tiny("wav2vec2").front_end.inputs(waveforms + 0.5 * (waveforms != 0), LENGTHS)["input_values"]
    for row, length in zip(inputs, LENGTHS.tolist(), strict=True):
        assert row[:length].mean().abs() < 1e-5
        assert row[:length].var(unbiased=False).item() == pytest.approx(1.0, abs=1e-3)
        assert not row[length:].any()


def test_freezing_touches_the_convolutions_alone(tiny):
    encoder = tiny("wav2vec2")
    encoder.freeze_feature_encoder()
    frozen = {name for name, p in encoder.named_parameters() if not p.requires_grad}
    assert frozen
    assert all(".feature_extractor.conv_layers." in name for name in frozen)
    convolutions = {name for name, _ in encoder.named_parameters() if ".feature_extractor." in name}
    assert frozen == convolutions


def test_freezing_what_is_not_there_is_refused(tiny):
    with pytest.raises(PedkitError, match="no convolutional feature encoder to freeze"):
        tiny("wav2vec2-bert").freeze_feature_encoder()


def test_fewer_than_twenty_frames_a_second_are_refused(tiny):
    with pytest.raises(PedkitError, match=r"gives 12\.5 frames a second, but phones need at least 20"):
        tiny("wav2vec2", conv_stride=[5, 2, 2, 2, 2, 4, 4])
    with pytest.raises(PedkitError, match=r"gives 6\.25 frames a second"):
        tiny("wav2vec2-bert", add_adapter=True, num_adapter_layers=3)


def test_unsupported_families_are_refused_with_the_reason(vocabulary):
    with pytest.raises(
        PedkitError, match=r"'parakeet_ctc' give 12\.5 frames a second, but phones need at least 20"
    ):
        random_encoder(vocabulary, model_type="parakeet_ctc")
    with pytest.raises(PedkitError, match=r"expected an encoder of type wav2vec2, .* but got 'bert'"):
        random_encoder(vocabulary, model_type="bert")


def test_a_wrong_field_of_the_configuration_is_named(vocabulary):
    with pytest.raises(PedkitError, match=r"'wav2vec2' has no field 'hiden_size'"):
        random_encoder(vocabulary, model_type="wav2vec2", hiden_size=3)
    with pytest.raises(PedkitError, match="hidden_size of the encoder cannot be 'wide'"):
        random_encoder(vocabulary, model_type="wav2vec2", hidden_size="wide")


def test_the_default_small_model_has_about_nine_tenths_of_a_million_parameters(vocabulary):
    encoder = random_encoder(
        vocabulary,
        hidden_size=144,
        num_hidden_layers=3,
        num_attention_heads=4,
        intermediate_size=576,
        num_conv_pos_embeddings=31,
    )
    # conv1 80x144x3 + conv2 144x144x3 + biases; 3 layers of 4 x 144x144, 2 x 144x576, biases and 2 norms;
    # the positional convolution 144x9x31 with its 31 norms and bias; a norm; a head 144x40 + 40.
    layer = 4 * (144 * 144 + 144) + 144 * 576 + 576 + 576 * 144 + 144 + 4 * 144
    front = 80 * 144 * 3 + 144 + 144 * 144 * 3 + 144
    assert sum(p.numel() for p in encoder.parameters()) == (
        front + 3 * layer + 144 * 9 * 31 + 31 + 144 + 2 * 144 + 144 * 40 + 40
    )
    assert encoder.frames_per_second == 50.0
