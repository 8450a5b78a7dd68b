"""Log-mel filter-bank energies of a padded batch, on the device of the waveforms.

Both front ends treat a clip as followed by silence, so that a clip gets the same frames alone and in a batch.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from pedkit.models.padding import inside


class LogMel(nn.Module):
    """Base-10 log-mel energies in 25 ms Hann windows every 10 ms, as Whisper computes them (Radford et al. 2022).

    Args:
        num_mel_bins: Number of mel bands between 0 and 8 kHz (Slaney's scale and area normalisation).
        n_fft: Window and Fourier transform length in samples.
        hop_length: Samples between frames.
        sample_rate: Hz.
    """

    def __init__(
        self, num_mel_bins: int = 80, n_fft: int = 400, hop_length: int = 160, sample_rate: int = 16000
    ) -> None:
        from transformers.audio_utils import mel_filter_bank

        super().__init__()
        filters = mel_filter_bank(
            n_fft // 2 + 1, num_mel_bins, 0.0, 8000.0, sample_rate, norm="slaney", mel_scale="slaney"
        )
        self.n_fft, self.hop_length = n_fft, hop_length
        self.filters: Tensor
        self.window: Tensor
        self.register_buffer("filters", torch.from_numpy(filters.T.copy()).float(), persistent=False)
        self.register_buffer("window", torch.hann_window(n_fft), persistent=False)

    def frames(self, lengths: Tensor) -> Tensor:
        """Return the number of frames of clips of ``lengths`` samples: one every ``hop_length``."""
        return lengths // self.hop_length

    def forward(self, waveforms: Tensor) -> Tensor:
        """Return energies of waveforms padded with zeros.

        Args:
            waveforms: Shape ``(batch, samples)``.

        Returns:
            Shape ``(batch, num_mel_bins, samples // hop_length)``, at least -10.
        """
        # One window of silence after the longest clip keeps the reflected end of the transform out of its frames.
        padded = nn.functional.pad(waveforms.float(), (0, self.n_fft))
        spectrum = torch.stft(padded, self.n_fft, self.hop_length, window=self.window, return_complex=True)
        power = spectrum[..., : waveforms.shape[-1] // self.hop_length].abs().square().contiguous()
        with torch.autocast(power.device.type, enabled=False):  # bfloat16 would round the energies
            energies: Tensor = self.filters @ power
        return energies.clamp(min=1e-10).log10()


class KaldiFilterBank(nn.Module):
    """Natural-log mel energies after Kaldi, normalised per clip and band, two frames stacked: 50 vectors a second.

    The input that SeamlessM4T's feature extractor prepares for wav2vec2-bert, computed for a whole batch at once.

    Args:
        num_mel_bins: Number of mel bands between 20 Hz and half the sample rate.
        stride: Number of 10 ms frames in one vector.
        sample_rate: Hz.
    """

    window_length, hop_length, n_fft = 400, 160, 512

    def __init__(self, num_mel_bins: int = 80, stride: int = 2, sample_rate: int = 16000) -> None:
        from transformers.audio_utils import mel_filter_bank

        super().__init__()
        filters = mel_filter_bank(
            self.n_fft // 2 + 1,
            num_mel_bins,
            20.0,
            sample_rate / 2,
            sample_rate,
            norm=None,
            mel_scale="kaldi",
            triangularize_in_mel_space=True,
        )
        self.stride = stride
        self.filters: Tensor
        self.window: Tensor
        self.register_buffer("filters", torch.from_numpy(filters).float(), persistent=False)
        povey = torch.hann_window(self.window_length, periodic=False) ** 0.85
        self.register_buffer("window", povey, persistent=False)

    def frames(self, lengths: Tensor) -> Tensor:
        """Return the number of stacked vectors of clips of ``lengths`` samples."""
        single = (lengths - self.window_length).div(self.hop_length, rounding_mode="floor") + 1
        return single.clamp(min=0) // self.stride

    def forward(self, waveforms: Tensor, lengths: Tensor) -> Tensor:
        """Return normalised, stacked energies; vectors beyond a clip's end are zero.

        Args:
            waveforms: Shape ``(batch, samples)``, at least ``window_length + hop_length`` samples.
            lengths: True number of samples of each clip, shape ``(batch,)``.

        Returns:
            Shape ``(batch, vectors, stride * num_mel_bins)``.
        """
        pieces = (waveforms.float() * 2**15).unfold(-1, self.window_length, self.hop_length)
        pieces = pieces - pieces.mean(-1, keepdim=True)
        before = torch.cat([pieces[..., :1], pieces[..., :-1]], dim=-1)
        spectrum = torch.fft.rfft((pieces - 0.97 * before) * self.window, self.n_fft)
        with torch.autocast(spectrum.device.type, enabled=False):  # bfloat16 would round the energies
            power: Tensor = spectrum.abs().square() @ self.filters
        energies = power.clamp(min=1.192092955078125e-07).log()

        count = (lengths - self.window_length).div(self.hop_length, rounding_mode="floor") + 1
        clip = inside(count, energies.shape[1])[..., None]
        number = count.clamp(min=2)[:, None, None]
        mean = (energies * clip).sum(1, keepdim=True) / number
        centred = (energies - mean) * clip
        variance = centred.square().sum(1, keepdim=True) / (number - 1)
        normalised = centred / (variance + 1e-7).sqrt()
        whole = normalised.shape[1] // self.stride * self.stride
        stacked: Tensor = normalised[:, :whole].reshape(len(waveforms), -1, self.stride * normalised.shape[-1])
        return stacked
