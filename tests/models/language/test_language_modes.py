"""Modes of the parts, number formats, and checkpointing that spares the audio tower (traps 1, 17 and 19)."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from pedkit.errors import PedkitError
from tests.models.language.tiny_audio_models import ANSWERS, CONVERSATION, noise, tone


def _inputs(model):
    return model.training_inputs([tone(300), noise(1, 1.1)], [CONVERSATION] * 2, ANSWERS)


def test_the_text_model_trains_and_what_is_frozen_does_not(kind, load):
    """Trap 1: a loaded model is in evaluation mode throughout, and nobody but us changes it."""
    model = load(kind)
    assert not any(module.training for module in model.base.modules())
    model.train_mode()
    assert all(module.training for module in model.base.get_submodule("model.language_model").modules())
    for part in model.family.frozen_parts:
        assert not any(module.training for module in model.base.get_submodule(part).modules())


def test_dropout_of_the_adapters_works_in_training_mode_only(load):
    model = load("audioflamingo3", lora={"r": 4, "dropout": 0.5})
    with torch.no_grad():
        for name, value in model.model.named_parameters():
            if "lora_B" in name:
                value.fill_(0.05)
        inputs = _inputs(model)
        still = [float(model.answer_loss(inputs).total) for _ in range(2)]
        model.train_mode()
        moving = [float(model.answer_loss(inputs).total) for _ in range(2)]
        asleep = [model.answer_log_likelihood(tone(300), CONVERSATION, ANSWERS[0]) for _ in range(2)]
    assert still[0] == still[1]
    assert moving[0] != moving[1]
    assert asleep[0] == asleep[1]
    assert model.base.model.language_model.training  # generation and likelihoods put the modes back
    assert not model.base.model.audio_tower.training


def test_checkpointing_recomputes_text_layers_but_not_the_tower(main_kind, load):
    """Section 2.5: asked of the whole model, transformers sends gradients through the frozen tower."""
    calls, gradients = [], {}
    for checkpointing in (False, True):
        torch.manual_seed(0)
        model = load(main_kind, gradient_checkpointing=checkpointing)
        model.train_mode()
        counts = {"tower": 0, "layer": 0}

        def count(part, counts=counts):
            def hook(*_):
                counts[part] += 1

            return hook

        tower = model.base.model.audio_tower
        tower.layers[0].self_attn.register_forward_pre_hook(count("tower"))
        tower.register_forward_hook(lambda *call: counts.update(graph=call[2].last_hidden_state.requires_grad))  # noqa: B023
        model.base.model.language_model.layers[0].self_attn.register_forward_pre_hook(count("layer"))
        model.answer_loss(_inputs(model)).total.backward()
        calls.append(counts)
        gradients[checkpointing] = [p.grad for p in model.model.parameters() if p.grad is not None]
    assert calls == [{"tower": 1, "layer": 1, "graph": False}, {"tower": 1, "layer": 2, "graph": False}]
    assert len(gradients[True]) == len(gradients[False]) == 16
    for kept, recomputed in zip(gradients[False], gradients[True], strict=True):
        torch.testing.assert_close(kept, recomputed)


def test_base_in_bf16_with_adapters_in_fp32(main_kind, load):
    """Trap 19; features are cast for Audio Flamingo 3, whose tower refuses float32 under bf16 weights."""
    model = load(main_kind, dtype="bfloat16")
    formats = {name: value.dtype for name, value in model.model.named_parameters()}
    assert {value for name, value in formats.items() if "lora_" in name} == {torch.float32}
    assert {value for name, value in formats.items() if "lora_" not in name} == {torch.bfloat16}
    model.train_mode()
    loss = model.answer_loss(_inputs(model))
    loss.total.backward()
    assert loss.total.dtype == torch.float32
    assert {p.grad.dtype for p in model.model.parameters() if p.grad is not None} == {torch.float32}
    model.model.to(torch.bfloat16)  # what precision=bf16-true does
    with pytest.raises(PedkitError, match=r"adapters in float32, but .* is torch.bfloat16 .*bf16-mixed"):
        model.trainable_facts()


@pytest.mark.parametrize(
    ("clip", "message"),
    [
        ((tone(300) * 32767).astype(np.int16), "float32 array in .*, but got int16"),
        (tone(300).astype(np.float64), "but got float64"),
        (torch.from_numpy(tone(300)), "but got Tensor"),
        (list(tone(300)), "but got list"),
        (np.stack([tone(300)] * 2), r"mono clip of shape \(samples,\), but got shape \(2, 9600\)"),
        (tone(300) * 32767, r"samples in \[-1, 1\], but the largest is 98"),
        (np.full(9600, np.nan, np.float32), "samples that are no numbers"),
        (tone(300, 0.02), "the clip has 0.020 s, but the model hears nothing in less than 0.1 s"),
        (np.zeros(0, np.float32), "the clip has 0.000 s"),
    ],
)
def test_clips_that_would_be_heard_wrongly_are_refused_by_name(shared, clip, message):
    """Traps 16 and 17, and stereo."""
    model = shared("qwen2_5_omni_thinker")
    with pytest.raises(PedkitError, match=f"utterance 'second': .*{message}"):
        model.generation_inputs([tone(300), clip], [CONVERSATION] * 2, names=["first", "second"])
