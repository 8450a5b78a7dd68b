"""QLoRA: the text model in four bits, what hears as it is; the extra is named where it is absent."""

from __future__ import annotations

import importlib.util

import pytest
import torch

from pedkit.errors import PedkitError
from pedkit.models.language import quantization
from tests.models.language.tiny_audio_models import ANSWERS, CONVERSATION, tone

HAS_BITSANDBYTES = importlib.util.find_spec("bitsandbytes") is not None


def test_the_extra_is_named_where_it_is_absent(load, monkeypatch):
    monkeypatch.setattr(quantization.importlib.util, "find_spec", lambda _: None)
    with pytest.raises(PedkitError, match=r'4bit needs bitsandbytes .*pip install "pedkit\[qlora\]"'):
        load("audioflamingo3", quantization="4bit")


@pytest.mark.skipif(not HAS_BITSANDBYTES, reason="needs the extra 'qlora' (bitsandbytes)")
def test_the_text_model_is_in_four_bits_and_trains(main_kind, load, tmp_path):
    import bitsandbytes

    model = load(main_kind, quantization="4bit", dtype="bfloat16")
    quantised = {
        name for name, module in model.base.named_modules() if isinstance(module, bitsandbytes.nn.Linear4bit)
    }
    assert quantised
    assert all(name.startswith("model.language_model.layers.") for name in quantised)
    model.train_mode()
    model.answer_loss(model.training_inputs([tone(300)], [CONVERSATION], ANSWERS[:1])).total.backward()
    assert model.trainable_facts() == {"modules": 8, "parameters": 3584, "layers": 2}
    gradients = [value.grad for value in model.model.parameters() if value.grad is not None]
    assert len(gradients) == 16
    assert all(torch.isfinite(value).all() for value in gradients)
    model.save_adapter(tmp_path, {})
    assert load(main_kind, adapter=tmp_path, dtype="bfloat16").has_adapter  # on the base that is not quantised
    with pytest.raises(PedkitError, match="a quantised model cannot be merged"):
        model.merged_fp32()
