"""Constrained decoding of real classes with random weights: whatever they hear, they can only write phones."""

from __future__ import annotations

import numpy as np
import pytest

from pedkit.data.utterance import Utterance
from pedkit.models.answers import parse_answer
from pedkit.models.language.constrained import AnswerConstraint
from pedkit.models.prompts import load_prompt

RNG = np.random.default_rng(0)
CLIPS = [RNG.standard_normal(samples).astype(np.float32) * 0.1 for samples in (8000, 14000)]


@pytest.mark.parametrize("kind", ["qwen2_5_omni_thinker", "audioflamingo3"])
def test_random_models_write_valid_answers(load, kind):
    model, prompt = load(kind, lora=None), load_prompt()
    conversations = [prompt.conversation(Utterance(id=name)) for name in "ab"]
    inputs = model.generation_inputs(CLIPS, conversations)
    free = model.generate(inputs, max_new_tokens=48)
    assert {parse_answer(text).status for text in free.texts} == {"unparsable"}
    constraint = AnswerConstraint(model.tokenizer, prompt.inventory, model.end_ids)
    for _ in range(2):  # one constraint serves many calls
        found = model.generate(inputs, max_new_tokens=48, logits_processor=[constraint])
        for text, cut_off in zip(found.texts, found.cut_off, strict=True):
            answer = parse_answer(text, cut_off=cut_off)
            assert answer.outcome == ("json+recovered" if cut_off else "json")
            assert answer.inventory == "cmu39"
