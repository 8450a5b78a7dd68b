"""Fields of an encoder's configuration that a user sets: those that there are, and that do something."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from pedkit.close_names import guess
from pedkit.errors import PedkitError
from pedkit.models.log_mel_wav2vec2 import LogMelWav2Vec2Config
from pedkit.models.whisper_ctc import WhisperCtcConfig

ATTENTION = ("sdpa", "flash_attention_2", "eager")
"""Ways to compute attention; not every family takes each."""

USED_FIELDS = {
    LogMelWav2Vec2Config.model_type: frozenset({
        "activation_dropout", "adapter_attn_dim", "attention_dropout", "do_stable_layer_norm",
        "feat_extract_activation", "final_dropout", "hidden_act", "hidden_dropout", "hidden_size", "hop_length",
        "initializer_range", "intermediate_size", "layer_norm_eps", "layerdrop", "num_attention_heads",
        "num_conv_pos_embedding_groups", "num_conv_pos_embeddings", "num_hidden_layers", "num_mel_bins",
    }),
    WhisperCtcConfig.model_type: frozenset({
        "activation_dropout", "activation_function", "attention_dropout", "d_model", "dropout",
        "encoder_attention_heads", "encoder_ffn_dim", "encoder_layers", "init_std", "max_source_positions",
        "num_mel_bins",
    }),
}  # fmt: skip
"""What pedkit's own families make use of, of the fields that their configurations inherit."""

_FROM_ELSEWHERE = {
    "dtype": "weights are float32 and trainer.precision says what is computed in",
    "vocab_size": "the vocabulary decides it",
    "ctc_vocab_size": "the vocabulary decides it",
    "pad_token_id": "the vocabulary decides it",
}
_DIVIDE_WIDTH = ("num_attention_heads", "num_conv_pos_embedding_groups")


def change_config(settings: Any, fields: Mapping[str, Any]) -> None:
    """Set fields of a transformers configuration, in place.

    Args:
        settings: The configuration.
        fields: Field -> value, and ``attn_implementation``, which is how the attention is computed and no property
            of the model: it is not saved with it.

    Raises:
        PedkitError: A field is unknown, is on but has no effect in this family, or its value does not fit.
    """
    fields = dict(fields)
    attention = fields.pop("attn_implementation", None)
    for key, value in fields.items():
        _expect_of_use(settings, key, value)
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
    if attention is not None:
        if attention not in ATTENTION:
            raise PedkitError(
                f"expected attn_implementation to be null, {', '.join(ATTENTION)}, but got {attention!r}"
            )
        settings._attn_implementation = attention


@contextmanager
def attention_of(settings: Any) -> Iterator[None]:
    """Turn it into one sentence where a family, or this machine, lacks the way of attention that is asked for."""
    try:
        yield
    except (ImportError, ValueError) as error:
        asked = settings._attn_implementation
        if isinstance(error, PedkitError) or asked is None or "attention" not in str(error).lower():
            raise
        reason = str(error).strip().splitlines()[0].split(". ")[0]
        raise PedkitError(
            f"an encoder of type {settings.model_type!r} cannot have attn_implementation {asked}: {reason}",
            hint="leave it null",
        ) from None


def _expect_of_use(settings: Any, key: str, value: Any) -> None:
    family = settings.model_type
    if not hasattr(settings, key):
        known = USED_FIELDS.get(family, settings.to_dict())
        raise PedkitError(f"a configuration of type {family!r} has no field {key!r}{guess(key, known)}")
    if key in _FROM_ELSEWHERE:
        raise PedkitError(f"the field {key} of the encoder cannot be set: {_FROM_ELSEWHERE[key]}")
    used = USED_FIELDS.get(family)
    if used is not None and value and settings.attribute_map.get(key, key) not in used:  # off is what it is
        raise PedkitError(
            f"the field {key} has no effect in an encoder of type {family!r}",
            hint=f"it has {', '.join(sorted(used))}",
        )
