from __future__ import annotations

import json

import pytest
import torch

from pedkit.errors import PedkitError
from pedkit.models.families import encoder_from_dict
from pedkit.models.lora import add_lora


def test_only_the_low_rank_updates_and_the_head_are_trained(tiny):
    encoder = add_lora(tiny("wav2vec2"), r=4)
    trained = {name: p.numel() for name, p in encoder.named_parameters() if p.requires_grad}
    adapters = {name: size for name, size in trained.items() if "lora_" in name}
    # 2 layers x q, k, v and out projections of 32 x 32, each 4 x 32 + 32 x 4.
    assert sum(adapters.values()) == 2 * 4 * (4 * 32 + 32 * 4)
    assert set(trained) - set(adapters) == {"model.lm_head.weight", "model.lm_head.bias"}


def test_at_first_it_changes_nothing(tiny):
    waveforms, lengths = torch.randn(1, 8000), torch.tensor([8000])
    with torch.no_grad():
        before = tiny("wav2vec2")(waveforms, lengths).logits
        after = add_lora(tiny("wav2vec2")).eval()(waveforms, lengths).logits
    torch.testing.assert_close(after, before)


def test_the_description_and_the_weights_bring_adapters_and_head_back(tiny, vocabulary):
    encoder = add_lora(tiny("wav2vec2"), r=2, alpha=8.0)
    for name, parameter in encoder.named_parameters():
        if parameter.requires_grad:
            torch.nn.init.normal_(parameter, std=0.1)
            assert "lora_" in name or "lm_head" in name
    rebuilt = encoder_from_dict(json.loads(json.dumps(encoder.to_dict())), vocabulary).eval()
    rebuilt.load_state_dict(encoder.state_dict())
    waveforms, lengths = torch.randn(1, 8000), torch.tensor([8000])
    with torch.no_grad():
        assert torch.equal(rebuilt(waveforms, lengths).logits, encoder(waveforms, lengths).logits)


@pytest.mark.parametrize(
    ("names", "wrong"), [(["query"], "query"), (["q_proj", "typo"], "typo"), (["layer_norm"], "layer_norm")]
)
def test_names_of_no_linear_layer_are_refused_though_others_are_right(tiny, names, wrong):
    sentence = (
        rf"of type 'wav2vec2' has none called {wrong} \(it has intermediate_dense, k_proj, .*q_proj, v_proj\)"
    )
    with pytest.raises(PedkitError, match=sentence):
        add_lora(tiny("wav2vec2"), target_modules=names)


def test_no_names_are_refused(tiny):
    with pytest.raises(PedkitError, match="expected target_modules of LoRA to be names of linear layers"):
        add_lora(tiny("wav2vec2"), target_modules=[])


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"r": 0}, "expected the rank r of LoRA to be 1 or more, but got 0"),
        ({"alpha": 0.0}, "expected alpha of LoRA to be above 0, but got 0.0"),
        ({"dropout": 1.0}, r"expected dropout of LoRA to be in \[0, 1\), but got 1.0"),
    ],
)
def test_numbers_out_of_range_are_refused(tiny, settings, sentence):
    with pytest.raises(PedkitError, match=sentence):
        add_lora(tiny("wav2vec2"), **settings)
