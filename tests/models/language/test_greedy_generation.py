"""Greedy decoding with every setting explicit, left padding and a known end (traps 4 and 20)."""

from __future__ import annotations

import json

import pytest
import torch

from pedkit.errors import PedkitError
from pedkit.models.language import load_audio_language_model
from pedkit.models.language.generation import greedy_config
from tests.models.language.tiny_audio_models import ANSWERS, CONVERSATION, noise, save_tiny, tone

CLIPS = [tone(300, 0.5), noise(1, 1.1), tone(700, 0.9)]


def _greedy_by_hand(model, clip, steps):
    """Repeat the whole forward pass and take the likeliest token: no cache, no settings."""
    inputs = model.generation_inputs([clip], [CONVERSATION])
    new = []
    with torch.no_grad():
        for _ in range(steps):
            logits = model.base(**inputs).logits[0, -1]
            new.append(int(logits.argmax()))
            inputs["input_ids"] = torch.cat([inputs["input_ids"], torch.tensor([new[-1:]])], 1)
            inputs["attention_mask"] = torch.ones_like(inputs["input_ids"])
    return new


def test_answers_are_the_likeliest_tokens_and_a_batch_is_answered_as_its_clips_alone(kind, shared):
    model = shared(kind)
    together = model.generate(model.generation_inputs(CLIPS, [CONVERSATION] * 3), max_new_tokens=8)
    alone = [model.generate(model.generation_inputs([clip], [CONVERSATION]), max_new_tokens=8) for clip in CLIPS]
    assert together.token_ids == [one.token_ids[0] for one in alone]
    assert together.cut_off == [one.cut_off[0] for one in alone]
    for clip, ids in zip(CLIPS, together.token_ids, strict=True):
        assert _greedy_by_hand(model, clip, 8)[: len(ids)] == ids
    assert any(len(set(ids)) < len(ids) for ids in together.token_ids)  # a penalty prevents repeats


def test_padding_on_the_right_is_refused(shared):
    model = shared("audioflamingo3")
    inputs = model.training_inputs(CLIPS[:2], [CONVERSATION] * 2, ANSWERS)
    inputs.pop("labels")
    with pytest.raises(PedkitError, match="padded on the left, but some are padded on the right"):
        model.generate(inputs)


@pytest.mark.parametrize(
    "generation",
    [
        {"do_sample": True, "repetition_penalty": 50.0, "temperature": 0.7, "top_k": 2, "top_p": 0.8},
        {"repetition_penalty": 1.05, "no_repeat_ngram_size": 1, "suppress_tokens": [*range(50, 400)]},
        {"num_beams": 4, "length_penalty": 9.0, "min_new_tokens": 8, "eos_token_id": 7, "max_new_tokens": 2},
        {},
    ],
)
def test_nothing_of_the_checkpoints_own_settings_is_used(tmp_path, shared, generation):
    """Trap 4: what Audio Flamingo 3 ships (and worse), and trap 20: what the thinker ships, no end token."""
    folder = save_tiny("audioflamingo3", tmp_path / "model", generation=generation)
    assert json.loads((folder / "generation_config.json").read_text()) == generation
    model = load_audio_language_model(folder, dtype="float32")
    inputs = model.generation_inputs(CLIPS, [CONVERSATION] * 3)
    expected = shared("audioflamingo3").generate(inputs, max_new_tokens=8)
    assert model.generate(inputs, max_new_tokens=8) == expected
    assert [len(ids) for ids, cut in zip(expected.token_ids, expected.cut_off, strict=True) if cut] == [8] * sum(
        expected.cut_off
    )


def test_an_answer_ends_with_its_end_token_and_says_so(kind, load):
    """Trap 20: the end is the token that was trained on, whether or not the checkpoint names one."""
    model = load(kind, lora=None)
    end = model.builder.end_id
    inputs = model.generation_inputs(CLIPS, [CONVERSATION] * 3)

    def push(ids, scores):
        step = ids.shape[1] - inputs["input_ids"].shape[1]
        if step == 3:
            scores[1, end] = 1e9
        return scores

    found = model.generate(inputs, max_new_tokens=6, logits_processor=[push])
    free = model.generate(inputs, max_new_tokens=6)
    assert found.cut_off[1] is False
    assert found.token_ids[1] == free.token_ids[1][:3]
    assert model.family.end_token not in found.texts[1]
    assert found.texts[0] == free.texts[0]


def test_every_setting_that_could_change_an_answer_is_passed():
    config = greedy_config(max_new_tokens=512, end_ids=[3, 4], pad_id=0).to_diff_dict()
    for name in ("do_sample", "num_beams", "repetition_penalty", "eos_token_id", "pad_token_id", "max_new_tokens"):
        assert name in config, name
    assert config["repetition_penalty"] == 1.0
    assert config["do_sample"] is False


def test_generation_leaves_the_mode_of_every_module_as_it_was(load):
    model = load("audioflamingo3")
    model.train_mode()
    before = [module.training for module in model.model.modules()]
    model.generate(model.generation_inputs(CLIPS[:1], [CONVERSATION]), max_new_tokens=2)
    assert [module.training for module in model.model.modules()] == before
