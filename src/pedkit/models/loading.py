"""Where encoders come from: random weights, a model hub or folder with a fresh head, or with its own head."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from torch import nn
from transformers import AutoConfig, AutoModelForCTC, PreTrainedModel

from pedkit.errors import PedkitError
from pedkit.models.encoder import CtcEncoder
from pedkit.models.encoder_config import attention_of, change_config
from pedkit.models.families import (
    SUPPORTED,
    WEIGHTS,
    build_encoder,
    encoder_from_config,
    outputs_of,
    unsupported,
    with_head,
)
from pedkit.models.lora import add_lora
from pedkit.models.reading import hub_json, reading
from pedkit.models.vocabulary import PhoneVocabulary
from pedkit.models.whisper_ctc import WhisperCtcConfig, WhisperEncoderForCTC


def random_encoder(
    vocabulary: PhoneVocabulary,
    *,
    model_type: str = "pedkit-log-mel-wav2vec2",
    lora: Mapping[str, Any] | None = None,
    **config: Any,
) -> CtcEncoder:
    """Return an encoder with random weights.

    Args:
        vocabulary: Phones of the head.
        model_type: Family: ``pedkit-log-mel-wav2vec2``, ``wav2vec2``, ``wav2vec2-bert``, ``hubert``, ...
        lora: Arguments of `add_lora`, for tests of adapters.
        config: Fields of the transformers configuration (``hidden_size``, ``num_hidden_layers``, ...), and
            ``attn_implementation`` (see `pedkit.models.encoder_config.change_config`).

    Raises:
        PedkitError: The family is not supported, or a field is unknown, without effect or does not fit.
    """
    if model_type not in SUPPORTED:
        raise unsupported(model_type)
    settings = AutoConfig.for_model(model_type)
    change_config(settings, config)
    with attention_of(settings):
        encoder = encoder_from_config(settings, vocabulary)
    return encoder if lora is None else add_lora(encoder, **lora)


def pretrained_encoder(
    vocabulary: PhoneVocabulary,
    *,
    name: str,
    revision: str | None = None,
    head: str = "fresh",
    target_lang: str | None = None,
    lora: Mapping[str, Any] | None = None,
    **config: Any,
) -> CtcEncoder:
    """Load an encoder from a model hub or a folder; its weights are float32, whatever they are stored in.

    Args:
        vocabulary: Phones of the head.
        name: Hub id (``facebook/wav2vec2-xlsr-53-espeak-cv-ft``, ``openai/whisper-tiny``) or folder.
        revision: Commit or tag on the hub.
        head: ``fresh`` for a new output layer, ``own`` to keep the model's; then ``vocabulary`` must be the
            model's own (see `hub_vocabulary`).
        target_lang: Language (``eng``, as ISO 639-3) whose adapter weights a model with adapters (MMS) takes;
            ``None`` for those it is stored with. An adapter's own head writes letters, so the head must be fresh.
        lora: Arguments of `add_lora`; ``None`` trains all weights.
        config: Fields of the transformers configuration to change (``mask_time_prob``, ``layerdrop``, ...), and
            ``attn_implementation`` (see `pedkit.models.encoder_config.change_config`).

    Raises:
        PedkitError: The model cannot be loaded, its family is not supported, its head does not fit, or a field is
            unknown, without effect or does not fit.
    """
    if head not in ("fresh", "own"):
        raise PedkitError(f"expected head to be fresh or own, but got {head!r}")
    if head == "own" and target_lang is not None:
        raise PedkitError("the head of a language's adapter writes letters, so target_lang needs head: fresh")
    with reading(name):
        settings = _hub_config(name, revision, head)
    change_config(settings, config)
    with reading(name), attention_of(settings):
        if head == "own" and outputs_of(settings) != len(vocabulary):
            raise PedkitError(f"{name} has {outputs_of(settings)} outputs, the vocabulary has {len(vocabulary)}")
        loader = WhisperEncoderForCTC if isinstance(settings, WhisperCtcConfig) else AutoModelForCTC
        model = loader.from_pretrained(
            name,
            config=with_head(settings, vocabulary),
            revision=revision,
            dtype=WEIGHTS,
            ignore_mismatched_sizes=head == "fresh",
        )
        if target_lang is not None:
            _take_adapter(model, name, target_lang, revision)
        normalize = _do_normalize(name, revision)
    if head == "fresh":
        _renew_head(model, len(vocabulary))
    model.eval()
    encoder = build_encoder(model, normalize=normalize)
    return encoder if lora is None else add_lora(encoder, **lora)


def _hub_config(name: str, revision: str | None, head: str) -> Any:
    settings = AutoConfig.from_pretrained(name, revision=revision)
    if settings.model_type == "whisper":
        if head == "own":
            raise PedkitError(
                f"{name} writes words and has no CTC head of its own", hint="train a fresh one on it"
            )
        fields = settings.to_dict()
        skip = ("model_type", "architectures")
        settings = WhisperCtcConfig(**{key: fields[key] for key in fields if key not in skip})
    if settings.model_type not in SUPPORTED:
        raise unsupported(settings.model_type)
    return settings


def _take_adapter(model: PreTrainedModel, name: str, target_lang: str, revision: str | None) -> None:
    """Load the adapter weights of a language into an MMS model."""
    if getattr(model.config, "adapter_attn_dim", None) is None:
        raise PedkitError(f"{name} has no adapters of languages, so target_lang cannot be {target_lang!r}")
    model.load_adapter(target_lang, revision=revision)


def _renew_head(model: PreTrainedModel, outputs: int) -> None:
    """Give the model a new output layer whose logits vary by about 2, so that it soon hears more than blanks.

    With the usual standard deviation of 0.02 Whisper-tiny heard only blanks for 150 s, with this for 50.
    """
    old = model.lm_head
    model.lm_head = nn.Linear(old.in_features, outputs, dtype=old.weight.dtype)
    if hasattr(model.config, "vocab_size") and not isinstance(model.config, WhisperCtcConfig):
        model.config.vocab_size = outputs  # an adapter's head may have set its own
    nn.init.normal_(model.lm_head.weight, std=2.0 / math.sqrt(old.in_features))
    nn.init.zeros_(model.lm_head.bias)


def _do_normalize(name: str, revision: str | None) -> bool | None:
    settings = hub_json(name, "preprocessor_config.json", revision) or {}
    return settings.get("do_normalize")
