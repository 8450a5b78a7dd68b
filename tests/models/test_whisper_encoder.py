from __future__ import annotations

import pytest
import torch
from transformers import WhisperConfig, WhisperFeatureExtractor, WhisperForConditionalGeneration

from pedkit.errors import PedkitError
from pedkit.models import hub_vocabulary, pretrained_encoder


@pytest.fixture(scope="module")
def whisper_folder(tmp_path_factory):
    """A Whisper checkpoint as a hub has it: encoder, decoder, 3 s of positions."""
    torch.manual_seed(0)
    config = WhisperConfig(
        vocab_size=60, d_model=32, encoder_layers=2, encoder_attention_heads=2, encoder_ffn_dim=64,
        decoder_layers=1, decoder_attention_heads=2, decoder_ffn_dim=64, max_source_positions=150,
        pad_token_id=0, bos_token_id=1,
        eos_token_id=2, decoder_start_token_id=3, begin_suppress_tokens=None,
    )  # fmt: skip
    model = WhisperForConditionalGeneration(config).eval()
    torch.nn.init.normal_(model.model.encoder.conv1.bias)  # as trained weights have, and zeros would hide
    torch.nn.init.normal_(model.model.encoder.conv2.bias)
    folder = tmp_path_factory.mktemp("whisper")
    model.save_pretrained(folder)
    return folder, model


@torch.no_grad()
def test_on_a_clip_of_full_length_it_is_whispers_own_encoder(whisper_folder, vocabulary):
    folder, whisper = whisper_folder
    encoder = pretrained_encoder(vocabulary, name=str(folder)).eval()
    waveform = torch.randn(1, 48000, generator=torch.Generator().manual_seed(2)) * 0.1
    waveform[:, -400:] = 0  # the extractor mirrors the end of a clip of 3 s, ours is followed by silence
    extractor = WhisperFeatureExtractor(chunk_length=3)
    features = extractor(waveform[0].numpy(), sampling_rate=16000, return_tensors="pt").input_features
    hidden = whisper.model.encoder(features).last_hidden_state
    expected = encoder.model.lm_head(hidden)
    output = encoder(waveform, torch.tensor([48000]))
    assert output.frames.tolist() == [150]
    torch.testing.assert_close(output.logits, expected, atol=1e-5, rtol=1e-5)


def test_the_head_is_new_and_the_decoder_stays_behind(whisper_folder, vocabulary):
    folder, whisper = whisper_folder
    encoder = pretrained_encoder(vocabulary, name=str(folder))
    assert encoder.model.lm_head.weight.shape == (40, 32)
    assert not [name for name, _ in encoder.named_parameters() if "decoder" in name]
    loaded = encoder.model.encoder.layers[1].fc1.weight
    assert torch.equal(loaded, whisper.model.encoder.layers[1].fc1.weight)


def test_positions_are_not_trained_and_freezing_takes_both_convolutions(whisper_folder, vocabulary):
    encoder = pretrained_encoder(vocabulary, name=str(whisper_folder[0]))
    assert not encoder.model.encoder.embed_positions.weight.requires_grad
    encoder.freeze_feature_encoder()
    frozen = {name for name, p in encoder.model.named_parameters() if not p.requires_grad}
    assert frozen == {
        f"encoder.{name}" for name in
        ("conv1.weight", "conv1.bias", "conv2.weight", "conv2.bias", "embed_positions.weight")
    }  # fmt: skip


def test_a_clip_longer_than_the_positions_is_refused(whisper_folder, vocabulary):
    encoder = pretrained_encoder(vocabulary, name=str(whisper_folder[0]))
    with pytest.raises(PedkitError, match=r"a clip of 3\.1 s is longer than the 3 s"):
        encoder(torch.zeros(1, 49600), torch.tensor([49600]))


def test_a_whisper_that_writes_words_has_no_phones_and_no_head(whisper_folder, vocabulary):
    folder = str(whisper_folder[0])
    with pytest.raises(PedkitError, match=r"writes words, not phones \(train a CTC head on it"):
        hub_vocabulary(folder)
    with pytest.raises(PedkitError, match="has no CTC head of its own"):
        pretrained_encoder(vocabulary, name=folder, head="own")
