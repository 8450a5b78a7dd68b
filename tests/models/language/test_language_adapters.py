"""Adapters as files: reloaded exactly, refused on another base, found in older layouts, merged in fp32."""

from __future__ import annotations

import json
import shutil

import pytest
import torch
import transformers
from safetensors.torch import load_file, save_file

from pedkit.errors import PedkitError
from pedkit.models.language import base_of, load_audio_language_model
from pedkit.models.language.fingerprint import fingerprint
from tests.models.language.tiny_audio_models import ANSWERS, CONVERSATION, noise, save_tiny, tone

KIND = "audioflamingo3"
WEIGHTS = "adapter_model.safetensors"


def _shaken(model):
    """Give the adapters something to say."""
    generator = torch.Generator().manual_seed(3)
    with torch.no_grad():
        for name, value in model.model.named_parameters():
            if "lora_" in name:
                value.add_(torch.randn(value.shape, generator=generator) * 0.05)
    return model


def _losses(model):
    inputs = model.training_inputs([tone(300), noise(1, 1.1)], [CONVERSATION] * 2, ANSWERS)
    with torch.no_grad():
        return model.answer_loss(inputs).per_answer


@pytest.fixture
def saved(load, tmp_path):
    """Return a model of a kind whose adapters say something, and the folder they are saved in."""

    def made(kind, **settings):
        model = _shaken(load(kind, **settings))
        model.save_adapter(tmp_path / "adapter", {"prompt_hash": "abc", "seed": 1})
        return model, tmp_path / "adapter"

    return made


def test_a_saved_adapter_holds_the_adapters_alone_and_says_what_it_is_of(saved, tiny_folder):
    model, folder = saved(KIND)
    assert {path.name for path in folder.iterdir()} == {"adapter_config.json", WEIGHTS, "pedkit_adapter.json"}
    weights = load_file(folder / WEIGHTS)
    assert len(weights) == 16
    assert all(".lora_" in name and value.dtype == torch.float32 for name, value in weights.items())
    facts = json.loads((folder / "pedkit_adapter.json").read_text(encoding="utf-8"))
    assert facts["base"] == str(tiny_folder(KIND))
    assert facts["model_type"] == KIND
    assert facts["lora"] == {"r": 4, "alpha": 8.0, "dropout": 0.0, "use_rslora": False, "use_dora": False}
    assert (facts["modules"], facts["parameters"]) == (8, 3584)
    assert facts["layout"] == "model.language_model.layers"
    assert facts["versions"]["transformers"] == transformers.__version__
    assert facts["facts"] == {"prompt_hash": "abc", "seed": 1}
    assert base_of(folder) == (str(tiny_folder(KIND)), None)
    config = json.loads((folder / "adapter_config.json").read_text(encoding="utf-8"))
    assert config["base_model_name_or_path"] == str(tiny_folder(KIND))
    assert model.revision is None


@pytest.mark.parametrize("lora", [{"r": 4}, {"r": 3, "alpha": 6, "use_rslora": True}, {"r": 2, "use_dora": True}])
def test_logits_after_reloading_are_equal(saved, load, lora):
    model, folder = saved(KIND, lora=lora)
    expected, plain = _losses(model), _losses(load(KIND, lora=None))
    assert not torch.allclose(expected, plain)
    again = load(KIND, adapter=folder)
    assert again.lora == model.lora
    assert torch.equal(_losses(again), expected)
    assert again.trainable_facts() == model.trainable_facts()
    other = _shaken(load(KIND, lora=lora))
    assert other.load_adapter(folder)["facts"] == {"prompt_hash": "abc", "seed": 1}
    assert torch.equal(_losses(other), expected)


def test_every_family_reloads(kind, saved, load):
    model, folder = saved(kind)
    assert torch.equal(_losses(load(kind, adapter=folder)), _losses(model))


@pytest.mark.parametrize(
    ("kind", "old"),
    [
        ("qwen2_5_omni_thinker", "base_model.model.model.layers"),  # transformers 4.57 to 5.10
        ("qwen2_5_omni_thinker", "base_model.model.thinker.model.layers"),  # the whole Omni
        (KIND, "base_model.model.language_model.model.layers"),  # transformers 5.0
    ],
)
def test_weights_of_older_layouts_find_their_place(saved, load, kind, old):
    model, folder = saved(kind)
    weights = load_file(folder / WEIGHTS)
    renamed = {name.replace("base_model.model.model.language_model.layers", old): v for name, v in weights.items()}
    assert not set(renamed) & set(weights)
    save_file(renamed, folder / WEIGHTS)
    assert torch.equal(_losses(load(kind, adapter=folder)), _losses(model))


def test_an_adapter_of_another_base_is_refused(saved, load, tmp_path):
    _, folder = saved(KIND)
    other = save_tiny(KIND, tmp_path / "other", seed=5)
    with pytest.raises(PedkitError, match=r"trained on .* \(revision None\), whose text weights are not"):
        load_audio_language_model(other, adapter=folder, dtype="float32")
    with pytest.raises(PedkitError, match="the adapter is for audioflamingo3, but the model is qwen2_audio"):
        load("qwen2_audio", adapter=folder)


def test_a_merged_model_is_another_base(saved, load, tmp_path):
    """Its embeddings and norms are the base's; adding the adapter once more would apply it twice."""
    model, folder = saved(KIND)
    merged = model.merged_fp32()
    merged.model.save_pretrained(tmp_path / "merged")
    merged.processor.save_pretrained(tmp_path / "merged")
    with pytest.raises(PedkitError, match="whose attention weights are not those of this model"):
        load_audio_language_model(tmp_path / "merged", adapter=folder, dtype="float32")


def test_a_copy_in_another_number_format_or_folder_is_the_same_base(saved, tmp_path, tiny_folder):
    half = save_tiny(KIND, tmp_path / "half", dtype=torch.bfloat16)
    prints = [
        fingerprint(model.base, model.family)
        for model in (load_audio_language_model(half, dtype=dtype) for dtype in ("float32", "bfloat16"))
    ]
    assert prints[0] == prints[1]
    _, folder = saved(KIND)
    assert load_audio_language_model(half, dtype="float32", adapter=folder).has_adapter


def _edit_weights(folder, change):
    weights = load_file(folder / WEIGHTS)
    change(weights)
    save_file(weights, folder / WEIGHTS)


def _add_tower(weights):
    name = next(iter(weights)).replace("language_model", "audio_tower")
    weights[name] = torch.zeros(4, 32)


def _add_mlp(weights):
    weights["base_model.model.model.language_model.layers.0.mlp.up_proj.lora_A.weight"] = torch.zeros(4, 64)


def _add_layer(weights):
    weights[next(iter(weights)).replace("layers.0.", "layers.7.")] = torch.zeros(4, 64)


def _drop(weights):
    del weights[next(iter(weights))]


def _cut(weights):
    name = next(iter(weights))
    weights[name] = weights[name][:2].clone()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (_add_tower, r"also changes .*audio_tower.*, but only the text model may be adapted"),
        (_add_mlp, r"changes .*mlp.*, which is not a self-attention projection"),
        (_add_layer, "weights for layer 7, which the model lacks"),
        (_drop, r"lacks 1 weights of the model, first base_model.*lora_A"),
        (_cut, r"has shape \(2, 64\), but the model needs \(4, 64\)"),
    ],
)
def test_weights_that_do_not_fit_one_to_one_are_refused(saved, load, change, message):
    _, folder = saved(KIND)
    _edit_weights(folder, change)
    with pytest.raises(PedkitError, match=message):
        load(KIND, adapter=folder)


def test_an_adapter_with_other_settings_is_refused(saved, load):
    _, folder = saved(KIND)
    with pytest.raises(PedkitError, match=r"has adapters with alpha = 16, but the saved one has 8"):
        load(KIND, lora={"r": 4, "alpha": 16}).load_adapter(folder)
    with pytest.raises(PedkitError, match="expected a model with LoRA adapters, but this one has none"):
        load(KIND, lora=None).load_adapter(folder)
    with pytest.raises(PedkitError, match="lora for new adapters or the folder of a saved adapter, but got both"):
        load(KIND, adapter=folder, lora={})


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"peft_type": "IA3"}, "expected a LoRA adapter, but this is IA3"),
        ({"init_lora_weights": "pissa"}, "an adapter with init_lora_weights = 'pissa' cannot be used"),
        ({"modules_to_save": ["lm_head"]}, "an adapter with modules_to_save"),
        ({"bias": "all"}, "an adapter with bias = 'all'"),
        ({"rank_pattern": {"q_proj": 8}}, "an adapter with rank_pattern"),
    ],
)
def test_adapters_of_other_kinds_are_refused(saved, load, changes, message):
    _, folder = saved(KIND)
    path = folder / "adapter_config.json"
    path.write_text(json.dumps(json.loads(path.read_text(encoding="utf-8")) | changes), encoding="utf-8")
    with pytest.raises(PedkitError, match=message):
        load(KIND, adapter=folder)


def test_an_adapter_of_another_program_is_taken_if_its_weights_fit(saved, load):
    model, folder = saved(KIND)
    (folder / "pedkit_adapter.json").unlink()
    assert torch.equal(_losses(load(KIND, adapter=folder)), _losses(model))
    with pytest.raises(PedkitError, match="does not say which model it is of"):
        base_of(folder)


def test_broken_folders(saved, load, tmp_path):
    _, folder = saved(KIND)
    (folder / WEIGHTS).write_bytes(b"no weights")
    with pytest.raises(PedkitError, match="the weights of the adapter cannot be read"):
        load(KIND, adapter=folder)
    (folder / WEIGHTS).unlink()
    with pytest.raises(PedkitError, match="expected the weights of an adapter, but there is no such file"):
        load(KIND, adapter=folder)
    with pytest.raises(PedkitError, match=r"adapter_config.json: no such file, so this is no adapter"):
        load(KIND, adapter=tmp_path / "nowhere")


@pytest.mark.parametrize("file", ["adapter_config.json", "pedkit_adapter.json"])
@pytest.mark.parametrize(
    "content", [b"[]", b"{}", b'{"peft_type": "LORA", "r": ', b"\xff\xfe", b'{"peft_type": "LORA"}']
)
def test_half_written_descriptions_are_one_sentence(saved, load, file, content):
    _, folder = saved(KIND)
    (folder / file).write_bytes(content)
    with pytest.raises(PedkitError, match=file):
        load(KIND, adapter=folder)


def test_weights_that_are_no_numbers_or_stand_twice_are_refused(saved, load):
    _, folder = saved(KIND)
    weights = load_file(folder / WEIGHTS)
    name = next(iter(weights))
    save_file({**weights, name: weights[name] * float("nan")}, folder / WEIGHTS)
    with pytest.raises(PedkitError, match="holds values that are no numbers"):
        load(KIND, adapter=folder)
    save_file({**weights, f"old.{name}": weights[name].clone()}, folder / WEIGHTS)
    with pytest.raises(PedkitError, match="two weights for one place"):
        load(KIND, adapter=folder)


def test_an_adapter_of_a_model_with_another_projector_is_refused(saved, load, tmp_path, tiny_folder):
    """Towers are often the same (Whisper's) where what leads from them to the text model is not."""
    _, folder = saved("audioflamingo3")
    other = tmp_path / "other"
    shutil.copytree(tiny_folder("audioflamingo3"), other)
    changed = {
        name: value + 1.0 if "multi_modal_projector" in name else value
        for name, value in load_file(other / "model.safetensors").items()
    }
    save_file(changed, other / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(PedkitError, match="whose audio weights are not those of this model"):
        load_audio_language_model(other, adapter=folder, dtype="float32")


@pytest.mark.parametrize("lora", [{"r": 4}, {"r": 4, "use_rslora": True}, {"r": 4, "use_dora": True}])
def test_merging_in_fp32_changes_nothing_that_is_heard(load, tmp_path, lora):
    """Section 2.6: 3e-7 on logits in fp32; in bf16 the rounding would be 20,000 times as large."""
    model = _shaken(load(KIND, lora=lora))
    expected = _losses(model)
    merged = model.merged_fp32()
    assert not merged.has_adapter
    assert {value.dtype for value in merged.model.parameters()} == {torch.float32}
    torch.testing.assert_close(_losses(merged), expected, rtol=1e-5, atol=1e-4)
    merged.model.save_pretrained(tmp_path / "merged")
    merged.processor.save_pretrained(tmp_path / "merged")
    again = load_audio_language_model(tmp_path / "merged", dtype="float32")
    assert torch.equal(_losses(again), _losses(merged))


def test_merging_a_model_in_bf16_gives_fp32(load):
    model = _shaken(load(KIND, dtype="bfloat16"))
    before = model.base.model.language_model.layers[0].self_attn.q_proj.base_layer.weight.float()
    layer = model.base.model.language_model.layers[0].self_attn.q_proj
    update = 2.0 * layer.lora_B["default"].weight @ layer.lora_A["default"].weight  # alpha 8 / r 4
    merged = model.merged_fp32()
    found = merged.model.model.language_model.layers[0].self_attn.q_proj.weight
    torch.testing.assert_close(found, before + update)
    assert found.dtype == torch.float32


def test_a_model_without_adapters_has_none_to_save_or_merge(load, tmp_path):
    model = load(KIND, lora=None)
    for call in (model.merged_fp32, model.trainable_facts, lambda: model.save_adapter(tmp_path, {})):
        with pytest.raises(PedkitError, match="expected a model with LoRA adapters, but this one has none"):
            call()
