"""Outputs of the frozen audio tower on disk: the same numbers, once a clip."""

from __future__ import annotations

import pytest
import torch

from pedkit.errors import PedkitError
from pedkit.models.language import load_audio_language_model
from tests.models.language.tiny_audio_models import ANSWERS, CONVERSATION, noise, save_tiny, tone

CLIPS = [tone(300, 0.5), noise(1, 1.1)]


def _count_tower(model):
    calls = []
    model.base.model.audio_tower.register_forward_pre_hook(lambda *_: calls.append(1))
    return calls


def test_losses_and_answers_are_the_same_and_the_tower_rests(kind, load, tmp_path):
    plain, cached = load(kind), load(kind, tower_cache=tmp_path)
    for clip, answer in zip(CLIPS, ANSWERS, strict=True):
        losses = [
            model.answer_loss(model.training_inputs([clip], [CONVERSATION], [answer])).per_answer.detach()
            for model in (plain, cached)
        ]
        assert torch.equal(*losses)
    calls = _count_tower(cached)
    inputs = cached.training_inputs(CLIPS, [CONVERSATION] * 2, ANSWERS)
    assert {*inputs} == {"input_ids", "attention_mask", "audio_embeds", "labels"}
    loss = cached.answer_loss(inputs)
    uncached = plain.answer_loss(plain.training_inputs(CLIPS, [CONVERSATION] * 2, ANSWERS))
    torch.testing.assert_close(loss.per_answer, uncached.per_answer, rtol=1e-4, atol=1e-3)
    loss.total.backward()
    answers = [
        model.generate(model.generation_inputs(CLIPS, [CONVERSATION] * 2), max_new_tokens=8)
        for model in (plain, cached)
    ]
    assert answers[0] == answers[1]
    assert calls == []
    assert (cached.cache.hits, cached.cache.misses) == (4, 2)


def test_another_model_or_number_format_never_takes_what_is_there(load, tmp_path):
    kind = "audioflamingo3"
    load(kind, tower_cache=tmp_path / "cache").training_inputs(CLIPS, [CONVERSATION] * 2, ANSWERS)
    other = save_tiny(kind, tmp_path / "other", seed=5)
    for model in (
        load_audio_language_model(other, dtype="float32", tower_cache=tmp_path / "cache"),
        load(kind, dtype="bfloat16", tower_cache=tmp_path / "cache"),
    ):
        model.training_inputs(CLIPS, [CONVERSATION] * 2, ANSWERS)
        assert (model.cache.hits, model.cache.misses) == (0, 2)
    again = load(kind, lora={"r": 2}, tower_cache=tmp_path / "cache")  # adapters do not change what is heard
    again.training_inputs(CLIPS, [CONVERSATION] * 2, ANSWERS)
    assert (again.cache.hits, again.cache.misses) == (2, 0)


def test_a_clip_that_cannot_be_used_is_refused_with_a_cache_too(load, tmp_path):
    model = load("audioflamingo3", tower_cache=tmp_path)
    with pytest.raises(PedkitError, match=r"utterance 'b': the clip has 0.020 s"):
        model.generation_inputs([CLIPS[0], tone(300, 0.02)], [CONVERSATION] * 2, names=["a", "b"])
