from __future__ import annotations

import numpy as np
import torch
from transformers import SeamlessM4TFeatureExtractor, WhisperFeatureExtractor

from pedkit.models.log_mel import KaldiFilterBank, LogMel
from pedkit.models.whisper_ctc import WhisperCtcConfig, WhisperEncoderForCTC


def _speech(*lengths: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Noise that gets louder, so that the loudest frame lies at the end; padded with zeros."""
    generator = torch.Generator().manual_seed(0)
    waveforms = torch.zeros(len(lengths), max(lengths))
    for row, length in zip(waveforms, lengths, strict=True):
        row[:length] = torch.randn(length, generator=generator) * torch.linspace(0.001, 0.3, length)
    return waveforms, torch.tensor(lengths)


def test_whisper_energies_equal_its_feature_extractor_without_the_thirty_seconds():
    waveforms, lengths = _speech(16000, 9123)
    model = WhisperEncoderForCTC(WhisperCtcConfig(d_model=8, encoder_layers=1, encoder_attention_heads=1))
    ours = model._features(waveforms)
    for row, wave, length in zip(ours, waveforms, lengths.tolist(), strict=True):
        theirs = WhisperFeatureExtractor()(wave[:length].numpy(), sampling_rate=16000, return_tensors="np")
        frames = length // 160
        np.testing.assert_allclose(row[:, :frames], theirs.input_features[0, :, :frames], atol=1e-5)


def test_frames_come_every_ten_milliseconds():
    log_mel = LogMel()
    assert log_mel.frames(torch.tensor([159, 160, 16000])).tolist() == [0, 1, 100]
    assert log_mel(torch.zeros(2, 16000)).shape == (2, 80, 100)
    assert torch.equal(log_mel(torch.zeros(1, 320)), torch.full((1, 80, 2), -10.0))


def test_a_tone_excites_the_band_around_its_frequency():
    time = torch.arange(16000) / 16000
    for frequency, low, high in ((500.0, 440.0, 560.0), (3000.0, 2600.0, 3400.0)):
        log_mel = LogMel()
        band = int(log_mel(torch.sin(2 * torch.pi * frequency * time)[None])[0, :, 50].argmax())
        centre = int(log_mel.filters[band].argmax()) * 16000 / 400
        assert low <= centre <= high


def test_mixed_precision_does_not_round_the_energies():
    waveforms, lengths = _speech(16000, 9123)
    with torch.autocast("cpu", torch.bfloat16):
        mixed, mixed_bank = LogMel()(waveforms), KaldiFilterBank()(waveforms, lengths)
    assert torch.equal(mixed, LogMel()(waveforms))
    assert torch.equal(mixed_bank, KaldiFilterBank()(waveforms, lengths))


def test_filter_banks_equal_the_seamless_extractor():
    waveforms, lengths = _speech(16000, 9123, 640)
    theirs = SeamlessM4TFeatureExtractor()(
        [wave[:n].numpy() for wave, n in zip(waveforms, lengths.tolist(), strict=True)],
        sampling_rate=16000,
        return_tensors="pt",
    )
    bank = KaldiFilterBank()
    frames = bank.frames(lengths)
    assert frames.tolist() == theirs.attention_mask.sum(1).tolist() == [49, 27, 1]
    ours = bank(waveforms, lengths)
    for row, reference, n in zip(ours, theirs.input_features, frames.tolist(), strict=True):
        torch.testing.assert_close(row[:n], reference[:n], atol=2e-3, rtol=1e-3)
