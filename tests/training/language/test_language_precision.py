"""Trap 19 and what else bf16-mixed may round: features, frozen weights, adapters and the averages of AdamW."""

from __future__ import annotations

import pytest
import torch
from pytorch_lightning import Callback

from pedkit.models.language import load_audio_language_model
from pedkit.training import train
from pedkit.training.dry_run import dry_run
from tests.models.language.tiny_audio_models import noise

HALF = ("trainer.precision=bf16-mixed", "model.source.dtype=bfloat16")


class _Weights(Callback):
    """Keeps the weights of the base model before and after a training."""

    def setup(self, trainer, pl_module, stage):
        del trainer, stage
        self.before = self._of(pl_module)

    def on_train_end(self, trainer, pl_module):
        del trainer
        self.after = self._of(pl_module)

    @staticmethod
    def _of(module):
        base = module.language.base
        named = [*base.named_parameters(), *base.named_buffers()]
        return {name: value.detach().clone() for name, value in named if "lora_" not in name}


@pytest.fixture
def weights(monkeypatch):
    """Return the callback; it is put among those of a training."""
    from pedkit.training import run_training

    found, build = _Weights(), run_training._build_all
    monkeypatch.setattr(run_training, "_build_all", lambda *args: [*build(*args), found])  # of the callbacks alone
    return found


def test_a_training_in_bf16_changes_nothing_but_adapters_in_fp32(omni, compose_training, weights, tmp_path):
    train(compose_training(omni, *HALF, "trainer.max_epochs=1"))
    assert weights.before.keys() == weights.after.keys()
    assert all(torch.equal(value, weights.after[name]) for name, value in weights.before.items())
    assert sum(value.dtype == torch.bfloat16 for value in weights.before.values()) > 80
    state = torch.load(tmp_path / "run" / "checkpoints" / "last.ckpt", weights_only=True)
    averages = [value for one in state["optimizer_states"][0]["state"].values() for value in one.values()]
    values = [*averages, *state["state_dict"].values()]
    assert {value.dtype for value in values} == {torch.float32}
    assert any(value.any() for name, value in state["state_dict"].items() if "lora_B" in name)


def test_a_dry_run_in_bf16_is_one_of_the_gpu_presets(omni, compose_training):
    """The memory is measured on the CPU under autocast, in which features cannot be computed."""
    whole, half = (dry_run(compose_training(omni, *more)).memory for more in ((), HALF))
    assert half.gradients == whole.gradients
    assert 0.4 < half.activations / whole.activations < 0.9


def test_features_are_in_float32_under_autocast(omni):
    builder = load_audio_language_model(omni, dtype="float32").builder
    with torch.autocast("cpu", torch.bfloat16):
        half = builder.features([noise(1)]).tensors["input_features"]
    assert torch.equal(half, builder.features([noise(1)]).tensors["input_features"])
