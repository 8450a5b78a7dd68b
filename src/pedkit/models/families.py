"""Which transformers models can sit under a CTC head, and how each family takes audio."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import torch
from torch import nn
from transformers import AutoConfig, AutoModelForCTC, PreTrainedConfig, PreTrainedModel

from pedkit.errors import PedkitError
from pedkit.models.encoder import CtcEncoder, FrontEnd
from pedkit.models.front_ends import FilterBankFrontEnd, WaveformFrontEnd
from pedkit.models.log_mel_wav2vec2 import LogMelWav2Vec2Config
from pedkit.models.vocabulary import PhoneVocabulary
from pedkit.models.whisper_ctc import WhisperCtcConfig

RAW_WAVEFORM = ("wav2vec2", "hubert", "wavlm", "unispeech-sat")
OWN = (LogMelWav2Vec2Config.model_type, WhisperCtcConfig.model_type)
FILTER_BANK = ("wav2vec2-bert",)
SUPPORTED = (*RAW_WAVEFORM, *FILTER_BANK, *OWN)
_PADDING = "give a clip other logits in a padded batch than alone, with an attention mask too"
WEIGHTS = torch.float32
"""Number format of the weights of every encoder: an optimizer's small steps are lost in 16 bits. Autocast
(``trainer.precision``) computes in fewer. By itself transformers takes the format of the stored weights."""
REFUSED = {
    "parakeet_ctc": "give 12.5 frames a second, but phones need at least 20",
    "lasr_ctc": "cannot take clips of less than 0.2 s, as short words are",
    "data2vec-audio": _PADDING,
    "wav2vec2-conformer": _PADDING,
}
"""CTC families of transformers that are refused, and why."""


def build_encoder(model: PreTrainedModel, *, normalize: bool | None = None) -> CtcEncoder:
    """Put the right front end before a transformers CTC model.

    Args:
        model: A model of a supported family with a CTC head ``lm_head``.
        normalize: For raw-waveform families whether the model expects mean 0 and variance 1 per clip; by
            default as their preprocessors do it: for models with layer norm in the feature encoder.

    Raises:
        PedkitError: The family is not supported, or its frames are too long for phones.
    """
    if model.config.model_type == WhisperCtcConfig.model_type:
        # Sinusoids, fixed in Whisper; from_pretrained forgets that they are.
        model.encoder.embed_positions.requires_grad_(False)
    return CtcEncoder(model, front_end_of(model, normalize))


def front_end_of(model: PreTrainedModel, normalize: bool | None = None) -> FrontEnd:
    """Return the front end of a model's family (see `build_encoder`)."""
    config = model.config
    if config.model_type in FILTER_BANK:
        return FilterBankFrontEnd(model, samples_per_frame=320 * _adapter_stride(config))
    if config.model_type == WhisperCtcConfig.model_type:
        samples = config.inputs_to_logits_ratio
        return WaveformFrontEnd(
            model,
            samples_per_frame=samples,
            normalize=False,
            max_samples=config.max_source_positions * samples,
        )
    if config.model_type == LogMelWav2Vec2Config.model_type:
        samples = config.inputs_to_logits_ratio
        return WaveformFrontEnd(model, samples_per_frame=samples, normalize=False)
    if config.model_type in RAW_WAVEFORM:
        # Group norm runs over the whole padded row: such models have no use for a mask and no batch invariance.
        layer_norm = config.feat_extract_norm == "layer"
        return WaveformFrontEnd(
            model,
            samples_per_frame=math.prod(config.conv_stride) * _adapter_stride(config),
            normalize=layer_norm if normalize is None else normalize,
            use_mask=layer_norm,
        )
    raise unsupported(config.model_type)


def features_of(model: Any) -> tuple[nn.Module, bool]:
    """Return the module whose first input SpecAugment masks, and whether time is that input's last dimension.

    It is what takes log-mel energies where a family has them inside, else the stack of transformer layers.
    """
    if model.config.model_type == LogMelWav2Vec2Config.model_type:
        return model.conv1, True
    if model.config.model_type == WhisperCtcConfig.model_type:
        return model.encoder.conv1, True
    return getattr(model, model.base_model_prefix).encoder, False


def masks_itself(model: Any) -> bool:
    """Return whether transformers' own SpecAugment is on in a model."""
    config = model.config
    share = max(getattr(config, "mask_time_prob", 0.0), getattr(config, "mask_feature_prob", 0.0))
    return config.model_type not in OWN and share > 0 and getattr(config, "apply_spec_augment", True)


def encoder_from_config(
    config: PreTrainedConfig, vocabulary: PhoneVocabulary, *, normalize: bool | None = None
) -> CtcEncoder:
    """Build an encoder with random weights and a head for ``vocabulary``."""
    if config.model_type not in SUPPORTED:
        raise unsupported(config.model_type)
    model = AutoModelForCTC.from_config(with_head(config, vocabulary), dtype=WEIGHTS)
    return build_encoder(model, normalize=normalize)


def with_head(config: PreTrainedConfig, vocabulary: PhoneVocabulary) -> PreTrainedConfig:
    """Set the size and the blank of the CTC head in a configuration (in place)."""
    if config.model_type == WhisperCtcConfig.model_type:
        config.ctc_vocab_size = len(vocabulary)
    else:
        config.vocab_size, config.pad_token_id = len(vocabulary), vocabulary.blank
    return config


def outputs_of(config: PreTrainedConfig) -> int:
    """Return how many outputs the CTC head of a configuration has."""
    return int(config.ctc_vocab_size if config.model_type == WhisperCtcConfig.model_type else config.vocab_size)


def blank_of(config: PreTrainedConfig) -> int:
    """Return the output of a configuration that is the blank.

    Transformers takes the padding token for it. In Whisper that one belongs to the decoder, and the blank is 0.
    """
    return 0 if config.model_type == WhisperCtcConfig.model_type else int(config.pad_token_id)


def encoder_from_dict(value: Mapping[str, Any], vocabulary: PhoneVocabulary) -> CtcEncoder:
    """Build the encoder that `CtcEncoder.to_dict` describes, with fresh weights in float32; nothing is downloaded.

    Raises:
        PedkitError: The description is of an unsupported family.
    """
    if value["model_type"] not in SUPPORTED:
        raise unsupported(value["model_type"])
    # How attention is computed is no property of the model, though older descriptions have it.
    skip = ("model_type", "attn_implementation")
    fields = {key: item for key, item in value["config"].items() if key not in skip}
    encoder = encoder_from_config(
        AutoConfig.for_model(value["model_type"], **fields), vocabulary, normalize=value["normalize"]
    )
    if value["lora"] is not None:
        from pedkit.models.lora import add_lora

        add_lora(encoder, **value["lora"])
    return encoder


def unsupported(model_type: str) -> PedkitError:
    """Return the error that says why a family cannot be used, and what can instead."""
    if model_type in REFUSED:
        return PedkitError(
            f"encoders of type {model_type!r} {REFUSED[model_type]}",
            hint=f"use one of {', '.join(RAW_WAVEFORM + FILTER_BANK)}",
        )
    return PedkitError(
        f"expected an encoder of type {', '.join(RAW_WAVEFORM + FILTER_BANK)} or whisper, but got {model_type!r}"
    )


def _adapter_stride(config: PreTrainedConfig) -> int:
    """Return by how much the optional adapter of the wav2vec2 family shortens the frames."""
    return int(config.adapter_stride**config.num_adapter_layers) if getattr(config, "add_adapter", False) else 1
