"""`LogMelWav2Vec2ForCTC`: a small CTC model that learns from scratch, log-mel and two convolutions under wav2vec2.

A wav2vec2 fed with raw samples stays on the blank for minutes when it starts from random weights; fed with
log-mel energies it leaves it within half a minute on one core. The encoder is the one of transformers.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn
from transformers import AutoConfig, AutoModelForCTC, Wav2Vec2Config
from transformers.modeling_outputs import CausalLMOutput
from transformers.models.wav2vec2.modeling_wav2vec2 import (
    Wav2Vec2Encoder,
    Wav2Vec2EncoderStableLayerNorm,
    Wav2Vec2PreTrainedModel,
)

from pedkit.models.log_mel import LogMel
from pedkit.models.padding import inside

DYNAMIC_RANGE = 6.0
"""Powers of ten between the loudest and the softest energy that the model sees (60 dB)."""


class LogMelWav2Vec2Config(Wav2Vec2Config):  # type: ignore[misc]  # transformers is not typed
    """Sizes of a `LogMelWav2Vec2ForCTC`: those of a wav2vec2 encoder, and of the log-mel front end.

    The convolution fields of `Wav2Vec2Config` (``conv_dim`` ...) have no meaning here.

    Attributes:
        num_mel_bins: Mel bands.
        hop_length: Samples between log-mel frames; a CTC frame covers two of them.
        initializer_range: Standard deviation of the first weights. The 0.02 of wav2vec2 suits its width of 768; a
            narrow model started so stays on the blank about twice as long.
    """

    model_type = "pedkit-log-mel-wav2vec2"

    num_mel_bins: int = 80
    hop_length: int = 160
    initializer_range: float = 0.06

    @property
    def inputs_to_logits_ratio(self) -> int:
        """Samples a CTC frame covers."""
        return 2 * self.hop_length


class LogMelWav2Vec2ForCTC(Wav2Vec2PreTrainedModel):  # type: ignore[misc]  # transformers is not typed
    """CTC over log-mel energies relative to the clip's loudest; 50 frames a second at the default hop."""

    config_class = LogMelWav2Vec2Config
    config: LogMelWav2Vec2Config
    base_model_prefix = "encoder"

    def __init__(self, config: LogMelWav2Vec2Config) -> None:
        super().__init__(config)
        self.log_mel = LogMel(config.num_mel_bins, hop_length=config.hop_length)
        self.conv1 = nn.Conv1d(config.num_mel_bins, config.hidden_size, kernel_size=3, stride=2, padding=1)
        self.conv2 = nn.Conv1d(config.hidden_size, config.hidden_size, kernel_size=3, padding=1)
        stable = config.do_stable_layer_norm
        self.encoder = Wav2Vec2EncoderStableLayerNorm(config) if stable else Wav2Vec2Encoder(config)
        self.dropout = nn.Dropout(config.final_dropout)
        self.lm_head = nn.Linear(config.hidden_size, config.vocab_size)
        self.post_init()

    def freeze_feature_encoder(self) -> None:
        """Keep the two convolutions as they are."""
        for layer in (self.conv1, self.conv2):
            layer.requires_grad_(False)

    def _init_weights(self, module: nn.Module) -> None:
        super()._init_weights(module)
        if isinstance(module, LogMel):  # buffers that are not saved are lost on the meta device
            fresh = LogMel(module.filters.shape[0], module.n_fft, module.hop_length)
            module.filters.data.copy_(fresh.filters)
            module.window.data.copy_(fresh.window)

    def _get_feat_extract_output_lengths(self, input_lengths: Tensor, add_adapter: bool | None = None) -> Tensor:
        del add_adapter  # a parameter of wav2vec2's own method
        return (self.log_mel.frames(input_lengths) + 1) // 2

    def forward(self, input_values: Tensor, attention_mask: Tensor | None = None, **kwargs: Any) -> CausalLMOutput:
        """Return logits.

        Args:
            input_values: Waveforms, shape ``(batch, samples)``, zero beyond a clip's end.
            attention_mask: 1 inside a clip, 0 beyond its end, shape ``(batch, samples)``.
            kwargs: Passed to the encoder.

        Returns:
            An output with ``logits`` of shape ``(batch, frames, vocabulary)``.
        """
        if attention_mask is None:
            attention_mask = torch.ones_like(input_values, dtype=torch.long)
        lengths = attention_mask.sum(-1)
        mel_frames, frames = self.log_mel.frames(lengths), self._get_feat_extract_output_lengths(lengths)
        hidden = _scale(self.log_mel(input_values), mel_frames).to(self.conv1.weight.dtype)
        for layer in (self.conv1, self.conv2):
            hidden = nn.functional.gelu(layer(hidden))
            hidden = hidden * inside(frames, hidden.shape[-1])[:, None]
        mask = inside(frames, hidden.shape[-1])
        hidden = self.encoder(hidden.transpose(1, 2), attention_mask=mask, **kwargs).last_hidden_state
        return CausalLMOutput(logits=self.lm_head(self.dropout(hidden)))


def _scale(energies: Tensor, frames: Tensor) -> Tensor:
    """Return energies relative to the clip's loudest, cut at 60 dB below it, between -2 and 2; 0 beyond its end.

    So the level of a recording does not matter. Mean and variance per clip and band would hide it too, but in a
    word of half a second they are those of its phones: after the same training the dev PER of words was 0.34
    instead of 0.12.
    """
    clip = inside(frames, energies.shape[-1])[:, None]
    loudest = energies.masked_fill(~clip, -torch.inf).amax(dim=(1, 2), keepdim=True)
    loudest = loudest.clamp(min=-10.0)  # a clip without any frame
    return ((energies - loudest).clamp(min=-DYNAMIC_RANGE) + DYNAMIC_RANGE / 2) / (DYNAMIC_RANGE / 4) * clip


AutoConfig.register(LogMelWav2Vec2Config.model_type, LogMelWav2Vec2Config)
AutoModelForCTC.register(LogMelWav2Vec2Config, LogMelWav2Vec2ForCTC)
