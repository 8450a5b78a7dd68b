"""Tiny random audio language models of the real classes, with tokenizers, feature extractors and chat templates.

``save_tiny(kind, folder)`` writes what a hub would hold; load it with `load_audio_language_model`.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import torch
import transformers
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import PreTrainedTokenizerFast, WhisperFeatureExtractor

from pedkit.models.language import processing
from pedkit.models.language.families import FAMILIES
from pedkit.models.prompts import AUDIO, Turn

KINDS = ("qwen2_5_omni_thinker", "audioflamingo3", "qwen2_audio", "voxtral", "qwen3_omni_moe_thinker")
MEL_BINS = 16
WINDOW_SECONDS = {"audioflamingo3": 2, "voxtral": 2, "qwen2_audio": 3}
CONTEXT = 1024
CONVERSATION = (Turn("system", ("You are a phonetician.",)), Turn("user", (AUDIO, "Transcribe what you hear.")))
ANSWERS = ('{"transcription": "θ ɪ ŋ k"}', '{"transcription": "k æ t"}')

_QWEN = ("<|endoftext|>", "<|im_start|>", "<|im_end|>")
_OMNI = (
    "<|AUDIO|>",
    "<|IMAGE|>",
    "<|VIDEO|>",
    "<|audio_bos|>",
    "<|audio_eos|>",
    "<|vision_bos|>",
    "<|vision_eos|>",
)
_QWEN3 = ("<|audio_pad|>", "<|image_pad|>", "<|video_pad|>", "<|audio_start|>", "<|audio_end|>")
_NAMES = ("audio", "image", "video", "audio_bos", "audio_eos", "vision_bos", "vision_eos")
SPECIAL = {
    "qwen2_5_omni_thinker": (*_QWEN, *_OMNI),
    "audioflamingo3": (*_QWEN, "<sound>"),
    "qwen2_audio": (*_QWEN, "<|AUDIO|>", "<|audio_bos|>", "<|audio_eos|>"),
    "voxtral": ("<unk>", "<s>", "</s>", "[INST]", "[/INST]", "[AUDIO]", "[BEGIN_AUDIO]"),
    "qwen3_omni_moe_thinker": (*_QWEN, *_QWEN3, "<|vision_start|>", "<|vision_end|>"),
}

# Qwen2.5-Omni-7B and Qwen2-Audio write turns so; the 7B's branches for pictures and video are left out.
_OMNI_TEMPLATE = (
    "{% for message in messages %}{% if loop.first and message['role'] != 'system' %}<|im_start|>system\n"
    "You are a helpful assistant.<|im_end|>\n{% endif %}<|im_start|>{{ message['role'] }}\n"
    "{% if message['content'] is string %}{{ message['content'] }}{% else %}"
    "{% for content in message['content'] %}"
    "{% if content['type'] == 'audio' %}START{% elif 'text' in content %}{{ content['text'] }}{% endif %}"
    "{% endfor %}{% endif %}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
# As transformers' conversion script of Audio Flamingo 3 writes it: one <sound> a turn, first.
_AF3_TEMPLATE = (
    "{% if messages[0]['role'] != 'system' %}"
    "<|im_start|>system\nYou are a helpful assistant.<|im_end|>\n{% endif %}"
    "{% for m in messages %}<|im_start|>{{ m['role'] }}\n"
    "{% set audio = namespace(found=False) %}{% set buffer = namespace(v='') %}"
    "{% for c in m['content'] %}{% if c.get('type') == 'audio' %}{% set audio.found = True %}"
    "{% elif c.get('type') == 'text' %}{% set buffer.v = buffer.v + c['text'] %}{% endif %}{% endfor %}"
    "{% if audio.found %}{{ '<sound>' }}{% endif %}{{ buffer.v }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
TEMPLATES: dict[str, str | None] = {
    "qwen2_5_omni_thinker": _OMNI_TEMPLATE.replace("START", "<|audio_bos|><|AUDIO|><|audio_eos|>"),
    "audioflamingo3": _AF3_TEMPLATE,
    "qwen2_audio": None,  # the processor's own
    "voxtral": None,  # pedkit's own
    "qwen3_omni_moe_thinker": _OMNI_TEMPLATE.replace("START", "<|audio_start|><|audio_pad|><|audio_end|>"),
}

_TEXT = (
    '{"transcription": "θ ɪ ŋ k"} {"transcription": "k æ t"} {"transcription": "d ɔ ɡ"} p b t d k ɡ f v θ ð s z ʃ '
    "ʒ h tʃ dʒ m n ŋ l r w j i ɪ eɪ ɛ æ ɑ ʌ ɔ oʊ ʊ u aɪ aʊ ɔɪ ɝ ə You are a phonetician. Transcribe what you "
    "hear as one JSON object with the key transcription whose value is a space-separated sequence of phones. "
    "The intended text is: think cat dog. Its canonical phones are: system user assistant"
)


@cache
def _bpe(special: tuple[str, ...]) -> str:
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=400,
        special_tokens=list(special),
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator([_TEXT] * 4, trainer)
    return tokenizer.to_str()


def tiny_tokenizer(kind: str) -> PreTrainedTokenizerFast:
    """Return a byte-level BPE of 400 tokens with the control tokens of a family."""
    tokens: dict[str, Any] = {}
    if kind == "voxtral":
        tokens = {"bos_token": "<s>", "eos_token": "</s>", "unk_token": "<unk>"}
    else:
        tokens = {"eos_token": "<|im_end|>", "pad_token": "<|endoftext|>"}
    if kind in ("qwen2_5_omni_thinker", "qwen3_omni_moe_thinker"):
        tokens["extra_special_tokens"] = dict(
            zip((f"{name}_token" for name in _NAMES), SPECIAL[kind][3:], strict=True)
        )
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=Tokenizer.from_str(_bpe(SPECIAL[kind])), **tokens)
    tokenizer.chat_template = TEMPLATES[kind]
    return tokenizer


def tiny_processor(kind: str) -> Any:
    """Return the processor of a family, with the real feature extractor at 16 mel bins."""
    extractor = WhisperFeatureExtractor(
        feature_size=MEL_BINS, chunk_length=WINDOW_SECONDS.get(kind, 30), return_attention_mask=True
    )
    cls = getattr(processing, FAMILIES[kind].processor)
    return cls(feature_extractor=extractor, tokenizer=tiny_tokenizer(kind), chat_template=TEMPLATES[kind])


def tiny_config(kind: str, *, layers: int = 2) -> Any:
    """Return a configuration of the real class with a text model of 64 dimensions."""
    tokenizer = tiny_tokenizer(kind)
    ids = tokenizer.convert_tokens_to_ids
    text: dict[str, Any] = {
        "vocab_size": len(tokenizer),
        "hidden_size": 64,
        "intermediate_size": 128,
        "num_hidden_layers": layers,
        "num_attention_heads": 4,
        "num_key_value_heads": 2,
        "max_position_embeddings": CONTEXT,
    }
    tower = {
        "num_mel_bins": MEL_BINS,
        "d_model": 32,
        "encoder_layers": 2,
        "encoder_attention_heads": 4,
        "encoder_ffn_dim": 64,
        "max_source_positions": 50 * WINDOW_SECONDS.get(kind, 30),
    }
    whole: dict[str, Any] = {"audio_config": tower, "text_config": text}
    if kind == "qwen2_5_omni_thinker":
        text["rope_parameters"] = {"rope_type": "default", "rope_theta": 1e6, "mrope_section": [2, 3, 3]}
        tower |= {"n_window": 100, "output_dim": 64}
        whole["vision_config"] = {"depth": 1, "hidden_size": 32, "num_heads": 2, "intermediate_size": 32}
        whole["vision_config"] |= {"out_hidden_size": 64, "fullatt_block_indexes": [0]}
        names = ("audio", "image", "video")
        whole |= {f"{name}_token_index": ids(f"<|{name.upper()}|>") for name in names}
        whole |= {"vision_start_token_id": ids("<|vision_bos|>"), "vision_end_token_id": ids("<|vision_eos|>")}
        whole |= {"audio_start_token_id": ids("<|audio_bos|>"), "audio_end_token_id": ids("<|audio_eos|>")}
    elif kind == "qwen3_omni_moe_thinker":
        text |= {"num_experts": 4, "num_experts_per_tok": 2, "moe_intermediate_size": 32, "head_dim": 16}
        text["rope_parameters"] = {"rope_type": "default", "rope_theta": 1e6, "mrope_section": [2, 3, 3]}
        tower |= {"output_dim": 64, "n_window": 50, "downsample_hidden_size": 8}
        whole["vision_config"] = {"depth": 1, "hidden_size": 32, "num_heads": 2, "intermediate_size": 32}
        whole["vision_config"] |= {"out_hidden_size": 64, "deepstack_visual_indexes": [0]}
        whole |= {f"{name}_token_id": ids(f"<|{name}_pad|>") for name in ("audio", "image", "video")}
        whole |= {"vision_start_token_id": ids("<|vision_start|>"), "audio_start_token_id": ids("<|audio_start|>")}
    elif kind == "audioflamingo3":
        text["model_type"] = "qwen2"
        tower = _flamingo_names(tower)
        whole |= {"audio_config": tower, "audio_token_id": ids("<sound>")}
    elif kind == "voxtral":
        text |= {"model_type": "llama", "head_dim": 16}
        tower = _flamingo_names(tower) | {"intermediate_size": 128}  # four frames become one: 4 x hidden_size
        whole |= {"audio_config": tower, "audio_token_id": ids("[AUDIO]")}
    else:
        text["model_type"] = "qwen2"
        whole["audio_token_index"] = ids("<|AUDIO|>")
    return _class(kind).config_class(**whole)


def _flamingo_names(tower: dict[str, Any]) -> dict[str, Any]:
    names = {
        "d_model": "hidden_size",
        "encoder_layers": "num_hidden_layers",
        "encoder_attention_heads": "num_attention_heads",
        "encoder_ffn_dim": "intermediate_size",
    }
    return {names.get(key, key): value for key, value in tower.items()}


def _class(kind: str) -> Any:
    return getattr(transformers, FAMILIES[kind].class_name)


def tiny_model(kind: str, *, layers: int = 2, seed: int = 0) -> Any:
    """Return a random model of the real class in fp32."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        model = _class(kind)(tiny_config(kind, layers=layers))
        with torch.no_grad():  # the usual 0.02 gives logits that hardly differ
            for value in model.parameters():
                if value.dim() > 1:
                    value.mul_(4)
    return model.eval()


def save_tiny(
    kind: str,
    folder: Path,
    *,
    layers: int = 2,
    seed: int = 0,
    generation: dict[str, Any] | None = None,
    dtype: torch.dtype = torch.float32,
) -> Path:
    """Write model, tokenizer and processor as a hub repository holds them.

    Args:
        kind: ``model_type``.
        folder: Where to write.
        layers: Layers of the text model.
        seed: Seed of the weights.
        generation: Fields of ``generation_config.json``; by default what Audio Flamingo 3's conversion script
            writes for it, and no end token for the others.
        dtype: Number format of the weights.
    """
    tiny_model(kind, layers=layers, seed=seed).to(dtype).save_pretrained(folder)
    tiny_processor(kind).save_pretrained(folder)
    if generation is None:
        generation = {"do_sample": True, "repetition_penalty": 1.05, "temperature": 0.7, "top_k": 20, "top_p": 0.8}
        generation = generation if kind == "audioflamingo3" else {}
    (folder / "generation_config.json").write_text(json.dumps(generation), encoding="utf-8")
    return folder


def tone(hertz: float, seconds: float = 0.6) -> np.ndarray:
    """Return a sine as a clip."""
    time = np.arange(round(seconds * 16_000)) / 16_000
    return (0.3 * np.sin(2 * np.pi * hertz * time)).astype(np.float32)


def noise(seed: int, seconds: float = 0.6) -> np.ndarray:
    """Return white noise as a clip."""
    samples = np.random.default_rng(seed).normal(0, 0.1, round(seconds * 16_000))
    return samples.astype(np.float32)
