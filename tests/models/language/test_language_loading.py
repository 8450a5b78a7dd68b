"""Where models come from: folders of the class itself, of the whole Omni, and what cannot be loaded."""

from __future__ import annotations

import json
import shutil

import pytest
import torch
from safetensors.torch import load_file, save_file
from transformers import Qwen2_5OmniConfig

from pedkit.errors import PedkitError
from pedkit.models.language import load_audio_language_model
from pedkit.models.language.families import family_of
from tests.models.language.tiny_audio_models import CONVERSATION, tiny_config, tone

OMNI = "qwen2_5_omni_thinker"


def test_a_full_omni_checkpoint_gives_its_thinker(tiny_folder, shared, tmp_path):
    """The class with the talker cannot be trained (it has no forward); its generation config names no end."""
    folder = tmp_path / "omni"
    shutil.copytree(tiny_folder(OMNI), folder)
    config = Qwen2_5OmniConfig(thinker_config=tiny_config(OMNI).to_dict(), enable_audio_output=False).to_dict()
    (folder / "config.json").write_text(json.dumps(config | {"model_type": "qwen2_5_omni"}), encoding="utf-8")
    weights = {f"thinker.{name}": value for name, value in load_file(folder / "model.safetensors").items()}
    weights["talker.codec_head.weight"] = torch.zeros(2, 2)
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    model = load_audio_language_model(folder, dtype="float32")
    assert type(model.model).__name__ == "Qwen2_5OmniThinkerForConditionalGeneration"
    inputs = model.generation_inputs([tone(300)], [CONVERSATION])
    expected = shared(OMNI).generate(inputs, max_new_tokens=6)
    assert model.generate(inputs, max_new_tokens=6) == expected


def test_loaded_models_are_frozen_and_without_adapters_unless_asked(kind, load):
    model = load(kind, lora=None)
    assert not model.has_adapter
    assert not any(value.requires_grad for value in model.model.parameters())
    assert type(model.model).__name__ == model.family.class_name


def test_missing_weights_are_not_made_up(tiny_folder, tmp_path):
    folder = tmp_path / "model"
    shutil.copytree(tiny_folder("audioflamingo3"), folder)
    weights = load_file(folder / "model.safetensors")
    name = next(name for name in weights if "q_proj" in name and "layers.1" in name)
    del weights[name]
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(PedkitError, match=r"lacks 1 weights of Audio Flamingo 3, first .*q_proj"):
        load_audio_language_model(folder, dtype="float32")


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"dtype": "float16"}, "expected dtype to be bfloat16 or float32, but got 'float16'"),
        ({"quantization": "8bit"}, "expected quantization to be null or 4bit, but got '8bit'"),
    ],
)
def test_settings_that_do_not_exist(load, settings, message):
    with pytest.raises(PedkitError, match=message):
        load("audioflamingo3", **settings)


def test_models_of_other_kinds_are_refused(tmp_path):
    (tmp_path / "config.json").write_text('{"model_type": "llama"}', encoding="utf-8")
    with pytest.raises(PedkitError, match=r"expected an audio language model of type .*, but got 'llama'"):
        load_audio_language_model(tmp_path)
    with pytest.raises(PedkitError, match=r"the model .*nowhere cannot be loaded"):
        load_audio_language_model(tmp_path / "nowhere")
    with pytest.raises(PedkitError, match=r"audio language model of type .*, but got 'wav2vec2'"):
        family_of("wav2vec2")


def test_attention_is_computed_as_asked(load):
    assert load("audioflamingo3", attn_implementation="eager").base.config._attn_implementation == "eager"
    assert load("audioflamingo3").base.config._attn_implementation == "sdpa"
