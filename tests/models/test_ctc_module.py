from __future__ import annotations

import pytest

from pedkit.errors import PedkitError
from pedkit.models import CtcModule


def test_an_encoder_may_be_given_or_built_for_the_vocabulary(tiny, vocabulary):
    encoder = tiny()
    assert CtcModule(vocabulary, encoder).encoder is encoder
    assert CtcModule(vocabulary, lambda given: encoder if given is vocabulary else None).encoder is encoder


def test_the_feature_encoder_is_frozen_on_request(tiny, vocabulary):
    module = CtcModule(vocabulary, tiny("wav2vec2"), freeze_feature_encoder=True)
    frozen = [name for name, parameter in module.named_parameters() if not parameter.requires_grad]
    assert frozen
    assert all(".feature_extractor." in name for name in frozen)


def test_the_optimizer_needs_to_know_how_long_the_training_is(tiny, vocabulary):
    module = CtcModule(vocabulary, tiny(), learning_rate=0.1, warmup_steps=2)
    with pytest.raises(PedkitError, match=r"expected CtcModule\.total_steps to be set"):
        module.configure_optimizers()
    module.total_steps = 10
    parts = module.configure_optimizers()
    assert parts["lr_scheduler"]["interval"] == "step"
    assert parts["optimizer"].param_groups[0]["lr"] == pytest.approx(0.05)
