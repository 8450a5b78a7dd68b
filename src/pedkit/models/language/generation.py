"""Greedy answers; every setting that could change them is passed, since checkpoints bring their own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import torch

from pedkit.errors import PedkitError


@dataclass(frozen=True)
class Generated:
    """Answers of a batch.

    Attributes:
        texts: The answers without control tokens.
        token_ids: Their token ids, without the end token.
        cut_off: Whether an answer had no end within the limit.
    """

    texts: list[str]
    token_ids: list[list[int]]
    cut_off: list[bool]


def greedy_config(*, max_new_tokens: int, end_ids: Sequence[int], pad_id: int) -> Any:
    """Return a generation configuration that is greedy and leaves nothing to a checkpoint's own.

    With ``do_sample=False`` transformers still applies a checkpoint's ``repetition_penalty`` (Audio Flamingo 3 has
    1.05, which punishes repeated phones), and one without an end token runs to the limit every time.
    """
    from transformers import GenerationConfig

    return GenerationConfig(
        max_new_tokens=max_new_tokens,
        min_new_tokens=None,
        do_sample=False,
        num_beams=1,
        num_return_sequences=1,
        repetition_penalty=1.0,
        encoder_repetition_penalty=1.0,
        no_repeat_ngram_size=0,
        length_penalty=1.0,
        guidance_scale=None,
        bad_words_ids=None,
        suppress_tokens=None,
        begin_suppress_tokens=None,
        sequence_bias=None,
        forced_bos_token_id=None,
        forced_eos_token_id=None,
        eos_token_id=list(end_ids),
        pad_token_id=pad_id,
        use_cache=True,
    )


def generate(
    base: Any,
    inputs: Mapping[str, torch.Tensor],
    tokenizer: Any,
    config: Any,
    logits_processor: Sequence[Any] | None = None,
) -> Generated:
    """Answer a batch of left-padded prompts.

    Raises:
        PedkitError: The prompts are padded on the right.
    """
    from transformers import LogitsProcessorList

    mask = inputs["attention_mask"]
    if not bool(mask[:, -1].all()):
        raise PedkitError("expected prompts padded on the left, but some are padded on the right")
    # A checkpoint's own configuration fills what is None in ours.
    kept, base.generation_config = base.generation_config, config
    try:
        ids = base.generate(
            **inputs,
            generation_config=config,
            logits_processor=LogitsProcessorList(logits_processor or []),
        )
    finally:
        base.generation_config = kept
    new = ids[:, inputs["input_ids"].shape[1] :].tolist()
    return _answers(new, tokenizer, set(config.eos_token_id))


def _answers(rows: list[list[int]], tokenizer: Any, ends: set[int]) -> Generated:
    texts, token_ids, cut_off = [], [], []
    for row in rows:
        end = next((place for place, token in enumerate(row) if token in ends), None)
        answer = row[:end]
        texts.append(tokenizer.decode(answer, skip_special_tokens=True, clean_up_tokenization_spaces=False))
        token_ids.append(answer)
        cut_off.append(end is None)
    return Generated(texts, token_ids, cut_off)
