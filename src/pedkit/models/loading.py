"""Where encoders come from: random weights, a model hub or folder with a fresh head, or with its own head."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from torch import nn
from transformers import AutoConfig, AutoModelForCTC, PreTrainedModel
from transformers.utils import cached_file

from pedkit.errors import PedkitError
from pedkit.models.encoder import CtcEncoder
from pedkit.models.families import (
    SUPPORTED,
    WEIGHTS,
    build_encoder,
    encoder_from_config,
    unsupported,
    with_head,
)
from pedkit.models.lora import add_lora
from pedkit.models.reading import reading
from pedkit.models.vocabulary import PhoneVocabulary
from pedkit.models.whisper_ctc import WhisperCtcConfig, WhisperEncoderForCTC
from pedkit.phones import ARPABET_TO_ESPEAK

SPECIAL_TOKENS = frozenset({"<pad>", "<s>", "</s>", "<unk>", "|", "[PAD]", "[UNK]", "[CLS]", "[SEP]"})
"""Entries of hub vocabularies that are no phones."""

SPELLINGS = {"espeak": ARPABET_TO_ESPEAK}
"""How vocabularies of hub models write CMU-39."""

_DIVIDE_WIDTH = ("num_attention_heads", "num_conv_pos_embedding_groups")


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
        config: Fields of the transformers configuration (``hidden_size``, ``num_hidden_layers``, ...).

    Raises:
        PedkitError: The family is not supported, or a field is unknown or does not fit.
    """
    if model_type not in SUPPORTED:
        raise unsupported(model_type)
    settings = AutoConfig.for_model(model_type)
    _override(settings, config)
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
        config: Fields of the transformers configuration to change (``mask_time_prob``, ``layerdrop``, ...).

    Raises:
        PedkitError: The model cannot be loaded, its family is not supported, or its head does not fit.
    """
    if head not in ("fresh", "own"):
        raise PedkitError(f"expected head to be fresh or own, but got {head!r}")
    if head == "own" and target_lang is not None:
        raise PedkitError("the head of a language's adapter writes letters, so target_lang needs head: fresh")
    with reading(name):
        settings = _hub_config(name, revision)
        _override(settings, config)
        if head == "own" and settings.vocab_size != len(vocabulary):
            raise PedkitError(f"{name} has {settings.vocab_size} outputs, the vocabulary has {len(vocabulary)}")
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


def hub_vocabulary(
    name: str, *, inventory: str = "ipa", revision: str | None = None, spelling: str | None = None
) -> PhoneVocabulary:
    """Read the vocabulary of a hub model from its ``vocab.json``; no tokenizer and no phonemizer is needed.

    With ``spelling`` the model can be trained on CMU-39 phones, each of which has an output then: no target ever
    becomes ``<unk>``, as it silently does in the tokenizers of these models.

    Args:
        name: Hub id or folder.
        inventory: Inventory that the model's symbols belong to.
        revision: Commit or tag on the hub.
        spelling: How the vocabulary writes CMU-39: ``espeak`` = IPA without tie bars and with ``ɚ``
            (`pedkit.phones.ARPABET_TO_ESPEAK`); ``None`` takes the model's own symbols only.

    Raises:
        PedkitError: There is no ``vocab.json``, it is not a flat table of symbols, or a phone has no output.
    """
    if spelling not in (None, *SPELLINGS):
        raise PedkitError(f"expected spelling to be {' or '.join(SPELLINGS)}, but got {spelling!r}")
    with reading(name):
        table = _hub_json(name, "vocab.json", revision)
        config = AutoConfig.from_pretrained(name, revision=revision)
    if table is None:
        raise PedkitError(f"{name} has no vocab.json, so nobody knows what its outputs mean")
    if any(not isinstance(number, int) for number in table.values()):
        raise PedkitError(f"the vocab.json of {name} is not one table of symbols (several languages in one file?)")
    phones = {symbol: number for symbol, number in table.items() if symbol not in SPECIAL_TOKENS}
    spellings = None if spelling is None else SPELLINGS[spelling]
    return PhoneVocabulary.of_ids(
        phones, inventory, blank=config.pad_token_id, size=config.vocab_size, spellings=spellings
    )


def _hub_config(name: str, revision: str | None) -> Any:
    settings = AutoConfig.from_pretrained(name, revision=revision)
    if settings.model_type == "whisper":
        fields = settings.to_dict()
        skip = ("model_type", "architectures")
        settings = WhisperCtcConfig(**{key: fields[key] for key in fields if key not in skip})
    if settings.model_type not in SUPPORTED:
        raise unsupported(settings.model_type)
    return settings


def _override(settings: Any, fields: Mapping[str, Any]) -> None:
    unknown = sorted(key for key in fields if not hasattr(settings, key) and key != "attn_implementation")
    if unknown:
        raise PedkitError(f"a configuration of type {settings.model_type!r} has no field {unknown[0]!r}")
    try:
        for key, value in fields.items():
            setattr(settings, key, value)
    except Exception as error:  # huggingface_hub raises its own kinds for each sort of misfit
        reason = str(error).splitlines()[-1].strip()
        raise PedkitError(f"the field {key} of the encoder cannot be {value!r}: {reason}") from None
    width = getattr(settings, "hidden_size", 1)
    if width < 1:
        raise PedkitError(f"expected hidden_size of the encoder to be 1 or more, but got {width}")
    for key in _DIVIDE_WIDTH:
        parts = getattr(settings, key, 1)
        if parts < 1 or width % parts:
            raise PedkitError(f"expected {key} of the encoder to divide its hidden_size {width}, but got {parts}")


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
    settings = _hub_json(name, "preprocessor_config.json", revision) or {}
    return settings.get("do_normalize")


def _hub_json(name: str, file: str, revision: str | None) -> dict[str, Any] | None:
    path = cached_file(name, file, revision=revision, _raise_exceptions_for_missing_entries=False)
    if path is None:
        return None
    value: dict[str, Any] = json.loads(Path(path).read_text(encoding="utf-8"))
    return value
