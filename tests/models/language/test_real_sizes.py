"""The released 7B models on the meta device: what LoRA of rank 16 adapts there (traps 2 and 3)."""

from __future__ import annotations

import pytest
import torch
import transformers

from pedkit.errors import PedkitError
from pedkit.models.language.lora import LoraSettings, adapted_modules, add_lora, trainable_facts
from pedkit.models.language.sizes import released_config


@pytest.mark.parametrize(
    ("name", "parameters"), [("qwen2_5_omni_7b", 8_931_813_888), ("audio_flamingo_3", 8_267_215_360)]
)
def test_rank_16_gives_the_published_112_modules_and_10_million_parameters(name, parameters):
    family, config = released_config(name)
    with torch.device("meta"):
        base = getattr(transformers, family.class_name)(config)
    assert sum(value.numel() for value in base.parameters()) == parameters
    model = add_lora(base, family, LoraSettings(r=16))
    assert trainable_facts(model, family) == {"modules": 112, "parameters": 10_092_544, "layers": 28}
    # q and o: r (3584 + 3584); k and v: r (3584 + 512) each
    assert 28 * 16 * (2 * (3584 + 3584) + 2 * (3584 + 512)) == 10_092_544
    leaves = [name.rpartition(".")[2] for name in adapted_modules(base)]
    assert {leaf: leaves.count(leaf) for leaf in set(leaves)} == dict.fromkeys(
        ("q_proj", "k_proj", "v_proj", "o_proj"), 28
    )


def test_an_unknown_size_is_refused():
    with pytest.raises(PedkitError, match="expected the size of qwen2_5_omni_7b or audio_flamingo_3"):
        released_config("qwen4")
