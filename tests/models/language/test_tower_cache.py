"""Outputs of the frozen audio tower on disk: the same numbers, once a clip."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest
import torch
from safetensors.torch import save_file

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


def test_what_is_kept_is_not_rounded_by_the_training_that_heard_it_first(kind, load, tmp_path):
    """float32 weights in bf16-mixed: a later training in 32-true finds what it would have heard itself."""
    plain, mixed = load(kind, tower_cache=tmp_path / "plain"), load(kind, tower_cache=tmp_path / "mixed")
    expected = plain.training_inputs(CLIPS[:1], [CONVERSATION], ANSWERS[:1])["audio_embeds"]
    with torch.autocast("cpu", dtype=torch.bfloat16):
        found = mixed.training_inputs(CLIPS[:1], [CONVERSATION], ANSWERS[:1])["audio_embeds"]
    assert found.dtype == torch.float32
    assert torch.equal(found, expected)


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


def _one(model, clip=CLIPS[0]):
    return model.answer_loss(model.training_inputs([clip], [CONVERSATION], ANSWERS[:1])).total.detach()


@pytest.mark.parametrize("content", [b"", b"half", "truncated", "other"])
def test_a_damaged_file_is_heard_anew_and_mended(load, tmp_path, content):
    model = load("audioflamingo3", tower_cache=tmp_path)
    loss = _one(model)
    (file,) = tmp_path.rglob("*.safetensors")
    whole = file.read_bytes()
    if content == "other":
        save_file({"x": torch.zeros(1)}, file)
    else:
        file.write_bytes(whole[:-7] if content == "truncated" else content)
    assert torch.equal(_one(model), loss)
    assert (model.cache.hits, model.cache.misses) == (0, 2)
    assert file.read_bytes() == whole


def test_a_full_disk_is_said_once_and_the_training_goes_on(load, tmp_path, monkeypatch, caplog):
    plain, model = load("audioflamingo3"), load("audioflamingo3", tower_cache=tmp_path / "cache")

    def full(self, target):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    assert torch.equal(_one(model), _one(plain))
    assert torch.equal(_one(model, CLIPS[1]), _one(plain, CLIPS[1]))
    assert [record.getMessage().endswith("kept there: No space left on device") for record in caplog.records] == [
        True
    ]
    assert [path for path in (tmp_path / "cache").rglob("*") if path.is_file()] == []


def test_files_of_a_model_with_another_projector_are_never_taken(load, tmp_path):
    model = load("audioflamingo3", tower_cache=tmp_path)
    _one(model)
    with torch.no_grad():
        model.base.get_submodule("model.multi_modal_projector").linear_2.bias.add_(1.0)
    model.use_cache(tmp_path)
    _one(model)
    assert (model.cache.hits, model.cache.misses) == (0, 1)
