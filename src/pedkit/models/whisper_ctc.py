"""`WhisperEncoderForCTC`: a CTC head on the encoder of a Whisper model, for clips of any length up to 30 s."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn
from transformers import AutoConfig, AutoModelForCTC, WhisperConfig
from transformers.masking_utils import create_bidirectional_mask
from transformers.modeling_outputs import CausalLMOutput
from transformers.models.whisper.modeling_whisper import WhisperEncoder, WhisperPreTrainedModel

from pedkit.models.log_mel import LogMel
from pedkit.models.padding import inside


class WhisperCtcConfig(WhisperConfig):  # type: ignore[misc]  # transformers is not typed
    """A `WhisperConfig` (its decoder fields have no meaning here) with the size of the CTC head.

    Attributes:
        ctc_vocab_size: Outputs of the head.
    """

    model_type = "pedkit-whisper-ctc"

    ctc_vocab_size: int = 40

    @property
    def inputs_to_logits_ratio(self) -> int:
        """Samples a CTC frame covers: Whisper's hop of 160, halved by its second convolution."""
        return 320


class WhisperEncoderForCTC(WhisperPreTrainedModel):  # type: ignore[misc]  # transformers is not typed
    """Whisper's encoder on the clip alone, under a linear CTC head; 50 frames a second.

    Whisper pads every clip to 30 s, so that a word costs as much as half a minute of speech. Here its layers run
    with the position table cut to the clip's length and an attention mask, on the same log-mel energies as
    `transformers.WhisperFeatureExtractor` returns. ``from_pretrained`` reads any Whisper checkpoint.
    """

    config_class = WhisperCtcConfig
    config: WhisperCtcConfig
    main_input_name = "input_values"
    _keys_to_ignore_on_load_unexpected = (r"^decoder\.", r"^model\.decoder\.", r"^proj_out\.")

    def __init__(self, config: WhisperCtcConfig) -> None:
        super().__init__(config)
        self.log_mel = LogMel(config.num_mel_bins)
        self.encoder = WhisperEncoder(config)
        self.dropout = nn.Dropout(config.dropout)
        self.lm_head = nn.Linear(config.d_model, config.ctc_vocab_size)
        self.post_init()

    def freeze_feature_encoder(self) -> None:
        """Keep the two convolutions as they are."""
        for layer in (self.encoder.conv1, self.encoder.conv2):
            layer.requires_grad_(False)

    def _init_weights(self, module: nn.Module) -> None:
        super()._init_weights(module)
        if isinstance(module, LogMel):  # buffers that are not saved are lost on the meta device
            fresh = LogMel(module.filters.shape[0], module.n_fft, module.hop_length)
            module.filters.data.copy_(fresh.filters)
            module.window.data.copy_(fresh.window)

    def _get_feat_extract_output_lengths(self, input_lengths: Tensor) -> Tensor:
        return (self.log_mel.frames(input_lengths) + 1) // 2

    def _features(self, waveforms: Tensor) -> Tensor:
        """Return energies at most 8 decades below the clip's loudest, moved to about [-1, 1], as Whisper does."""
        # Frames that reach over the end into the silence count for the loudest, as they do in 30 s of input.
        energies = self.log_mel(nn.functional.pad(waveforms, (0, self.log_mel.n_fft)))
        loudest = energies.amax(dim=(1, 2), keepdim=True)
        scaled = (torch.maximum(energies, loudest - 8.0) + 4.0) / 4.0
        return scaled[..., : waveforms.shape[-1] // self.log_mel.hop_length]

    def forward(self, input_values: Tensor, attention_mask: Tensor | None = None, **kwargs: Any) -> CausalLMOutput:
        """Return logits.

        Args:
            input_values: Waveforms, shape ``(batch, samples)``, zero beyond a clip's end, at most 30 s.
            attention_mask: 1 inside a clip, 0 beyond its end, shape ``(batch, samples)``.
            kwargs: Passed to the encoder's layers.

        Returns:
            An output with ``logits`` of shape ``(batch, frames, vocabulary)``.
        """
        if attention_mask is None:
            attention_mask = torch.ones_like(input_values, dtype=torch.long)
        lengths = attention_mask.sum(-1)
        hidden = self._features(input_values).to(self.lm_head.weight.dtype)
        # In a batch a convolution must see the zeros beyond a clip's end that it sees at the end of a tensor.
        hidden = _keep(hidden, self.log_mel.frames(lengths))
        hidden = _keep(nn.functional.gelu(self.encoder.conv1(hidden)), self.log_mel.frames(lengths))
        hidden = nn.functional.gelu(self.encoder.conv2(hidden)).transpose(1, 2)
        hidden = hidden + self.encoder.embed_positions.weight[: hidden.shape[1]]
        hidden = nn.functional.dropout(hidden, p=self.config.dropout, training=self.training)
        frames = self._get_feat_extract_output_lengths(lengths)
        mask = create_bidirectional_mask(
            config=self.config, inputs_embeds=hidden, attention_mask=inside(frames, hidden.shape[1])
        )
        for layer in self.encoder.layers:
            hidden = layer(hidden, mask, **kwargs)
        return CausalLMOutput(logits=self.lm_head(self.dropout(self.encoder.layer_norm(hidden))))


def _keep(hidden: Tensor, frames: Tensor) -> Tensor:
    """Return ``hidden`` (batch, channels, time) with zeros from frame ``frames`` of each clip on."""
    return hidden * inside(frames, hidden.shape[-1])[:, None]


AutoConfig.register(WhisperCtcConfig.model_type, WhisperCtcConfig)
AutoModelForCTC.register(WhisperCtcConfig, WhisperEncoderForCTC)
