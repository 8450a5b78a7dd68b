"""The two ways in which transformers CTC models take audio: raw waveforms, and Kaldi filter banks."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn

from pedkit.models.log_mel import KaldiFilterBank
from pedkit.models.padding import inside


class WaveformFrontEnd:
    """Waveforms as they are, or with mean 0 and variance 1 per clip: wav2vec2, HuBERT, WavLM, and pedkit's own.

    Args:
        model: A model whose ``forward`` takes ``input_values`` and ``attention_mask``.
        samples_per_frame: Samples a CTC frame stands for.
        normalize: Whether the model expects mean 0 and variance 1 (``do_normalize`` of its preprocessor).
        use_mask: Whether the model takes an attention mask; without one, padding changes the logits.
        max_samples: Longest clip the model can take.
    """

    def __init__(
        self,
        model: Any,
        *,
        samples_per_frame: int,
        normalize: bool,
        use_mask: bool = True,
        max_samples: int | None = None,
    ) -> None:
        self._model = model
        self.samples_per_frame, self.max_samples = samples_per_frame, max_samples
        self.normalize, self.batch_invariant = normalize, use_mask
        self.min_samples = next(n for n in range(1, 16001) if self.frame_lengths(torch.tensor([n])) >= 1)

    def frame_lengths(self, lengths: Tensor) -> Tensor:
        """Return the number of frames, by the model's own arithmetic (31,440 samples give wav2vec2 98 frames)."""
        frames: Tensor = self._model._get_feat_extract_output_lengths(lengths)
        return frames

    def inputs(self, waveforms: Tensor, lengths: Tensor) -> dict[str, Tensor]:
        """Return ``input_values`` and, where the model takes one, ``attention_mask``."""
        lengths = lengths.clamp(min=self.min_samples)  # a clip without any frame must not mask the whole row
        clip = inside(lengths, waveforms.shape[1])
        if self.normalize:
            number = lengths[:, None]
            centred = (waveforms - waveforms.sum(1, keepdim=True) / number) * clip
            waveforms = centred / (centred.square().sum(1, keepdim=True) / number + 1e-7).sqrt()
        if not self.batch_invariant:
            return {"input_values": waveforms}
        return {"input_values": waveforms, "attention_mask": clip.long()}


class FilterBankFrontEnd(nn.Module):
    """Kaldi filter banks, two frames stacked: wav2vec2-bert, which is batch-invariant and has nothing to freeze.

    Args:
        model: A model whose ``forward`` takes ``input_features`` and ``attention_mask``.
        stride: Filter-bank frames in one vector.
        samples_per_frame: Samples a CTC frame stands for.
    """

    batch_invariant = True
    max_samples: int | None = None
    normalize = None

    def __init__(self, model: Any, *, stride: int = 2, samples_per_frame: int = 320) -> None:
        super().__init__()
        self._output_lengths = model._get_feat_extract_output_lengths
        self.filter_bank = KaldiFilterBank(model.config.feature_projection_input_dim // stride, stride)
        self.samples_per_frame = samples_per_frame
        self.min_samples = KaldiFilterBank.window_length + (stride - 1) * KaldiFilterBank.hop_length

    def frame_lengths(self, lengths: Tensor) -> Tensor:
        """Return the number of frames (16,000 samples give 49)."""
        frames: Tensor = self._output_lengths(self.filter_bank.frames(lengths))
        return frames

    def inputs(self, waveforms: Tensor, lengths: Tensor) -> dict[str, Tensor]:
        """Return ``input_features`` and ``attention_mask``."""
        lengths = lengths.clamp(min=self.min_samples)
        features = self.filter_bank(waveforms, lengths)
        mask = inside(self.filter_bank.frames(lengths), features.shape[1])
        return {"input_features": features, "attention_mask": mask.long()}
