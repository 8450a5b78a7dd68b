"""Adapters are on the self-attention of the text model and nowhere else (traps 2 and 3)."""

from __future__ import annotations

import pytest
import torch
from peft import LoraConfig, get_peft_model

from pedkit.errors import PedkitError
from pedkit.models.language.families import FAMILIES, LORA_TARGETS
from pedkit.models.language.lora import LoraSettings, adapted_modules, add_lora, trainable_facts
from tests.models.language.tiny_audio_models import ANSWERS, CONVERSATION, tiny_model, tone

# peft's own call of what is deprecated in transformers; `add_lora` silences it.
DEPRECATED = pytest.mark.filterwarnings("ignore:`is_gradient_checkpointing` is deprecated:FutureWarning")


def test_four_modules_a_text_layer_are_adapted(kind, shared):
    model = shared(kind)
    # width 64, 4 heads, 2 key-value heads of 16: q and o are 64 x 64, k and v 64 x 32
    layer = 4 * (2 * (64 + 64) + 2 * (64 + 32))
    assert model.trainable_facts() == {"modules": 8, "parameters": 2 * layer, "layers": 2}
    assert all(name.startswith("model.language_model.layers.") for name in adapted_modules(model.base))


def test_only_adapters_train_and_each_of_them_is_moved_by_the_answers(kind, load):
    model = load(kind)
    model.train_mode()
    with torch.no_grad():  # B begins with zeros, which would keep gradients from A
        for name, value in model.model.named_parameters():
            if "lora_B" in name:
                value.fill_(0.01)
    model.answer_loss(model.training_inputs([tone(300)], [CONVERSATION], ANSWERS[:1])).total.backward()
    moved = {name for name, value in model.model.named_parameters() if value.grad is not None}
    assert moved == {name for name, _ in model.model.named_parameters() if "lora_" in name}
    assert all(float(dict(model.model.named_parameters())[name].grad.abs().sum()) > 0 for name in moved)


@DEPRECATED
def test_leaf_names_alone_would_adapt_the_audio_tower_too():
    family = FAMILIES["qwen2_5_omni_thinker"]
    names = get_peft_model(tiny_model(family.model_type), LoraConfig(target_modules=list(LORA_TARGETS)))
    assert len(adapted_modules(names.get_base_model())) == 8 + 2 * 3  # q, k and v of two tower layers
    with pytest.raises(PedkitError, match=r"expected 8 adapted modules, all in .* found 14, model\.audio_tower"):
        trainable_facts(names, family)


@DEPRECATED
def test_a_pattern_over_the_text_model_is_rewritten_for_mixtures_of_experts():
    """Trap 3: the same pattern finds 8 modules in a dense model; the exclusion holds for both."""
    family = FAMILIES["qwen3_omni_moe_thinker"]
    pattern = r".*language_model\.layers\.\d+\.self_attn\.[qkvo]_proj"
    wrong = get_peft_model(tiny_model(family.model_type), LoraConfig(target_modules=pattern))
    assert any("audio_tower" in name for name in adapted_modules(wrong.get_base_model()))
    right = add_lora(tiny_model(family.model_type), family, LoraSettings())
    assert len(adapted_modules(right.get_base_model())) == 8


def test_anything_else_that_trains_is_refused(load):
    model = load("audioflamingo3")
    model.base.lm_head.weight.requires_grad_(True)
    with pytest.raises(PedkitError, match=r"nothing but adapters to train, but .*lm_head.weight does"):
        model.trainable_facts()
    model.base.lm_head.weight.requires_grad_(False)
    next(value for name, value in model.model.named_parameters() if "lora_A" in name).requires_grad_(False)
    with pytest.raises(PedkitError, match="the adapters have 3584 parameters, but 3328 of them train"):
        model.trainable_facts()


@pytest.mark.parametrize(
    ("settings", "scale"),
    [({"r": 4, "alpha": 8}, 2.0), ({"r": 4, "alpha": 8, "use_rslora": True}, 4.0)],
)
def test_scale_of_the_update(load, settings, scale):
    model = load("audioflamingo3", lora=settings)
    layer = model.base.get_submodule("model.language_model.layers.0.self_attn.q_proj")
    assert layer.scaling == {"default": scale}  # alpha / r, and alpha / sqrt(r)


def test_dora_adds_one_magnitude_an_output(load):
    plain, dora = (
        load("audioflamingo3", lora={"r": 4, "use_dora": use}).trainable_facts() for use in (False, True)
    )
    assert dora["modules"] == plain["modules"] == 8
    assert dora["parameters"] - plain["parameters"] == 2 * (64 + 32 + 32 + 64)


@pytest.mark.parametrize(
    ("lora", "message"),
    [
        ({"r": 0}, "rank r of LoRA to be 1 or more, but got 0"),
        ({"alpha": 0}, "alpha of LoRA to be above 0"),
        ({"dropout": 1.0}, r"dropout of LoRA to be in \[0, 1\), but got 1.0"),
        ({"rank": 8}, "rank"),
        ({"r": "8"}, "lora.r"),
    ],
)
def test_settings_that_cannot_be(load, lora, message):
    with pytest.raises(PedkitError, match=message):
        load("audioflamingo3", lora=lora)
