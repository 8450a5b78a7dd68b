from __future__ import annotations

import pytest
import torch
from pytorch_lightning import Trainer
from torch.utils.data import DataLoader

from pedkit.data.batch import AudioBatch
from pedkit.data.utterance import Utterance
from pedkit.errors import PedkitError
from pedkit.models import CtcModule
from pedkit.training.quiet import quiet


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
    with pytest.raises(PedkitError, match=r"expected total_steps to be set"):
        module.configure_optimizers()
    module.total_steps = 10
    parts = module.configure_optimizers()
    assert parts["lr_scheduler"]["interval"] == "step"
    assert parts["optimizer"].param_groups[0]["lr"] == pytest.approx(0.05)


def test_the_terms_of_the_objective_are_options(tiny, vocabulary):
    plain = CtcModule(vocabulary, tiny())
    assert list(plain.state_dict()) == [f"encoder.{name}" for name in plain.encoder.state_dict()]
    module = CtcModule(vocabulary, tiny(), consistency=0.2, articulatory=0.3, spec_augment={"time_masks": 1})
    extra = set(module.state_dict()) - set(plain.state_dict())
    assert extra == {"objective.articulatory.heads.weight", "objective.articulatory.heads.bias"}


def test_an_epoch_with_all_terms_changes_encoder_and_heads(tiny, vocabulary):
    clips = [torch.randn(16000) * 0.1, torch.randn(9000) * 0.1]
    batch = AudioBatch.collate(clips, [Utterance(id="a"), Utterance(id="b")], [("S", "IH", "T"), ("T",)])
    module = CtcModule(vocabulary, tiny(), consistency=0.2, articulatory=0.3, spec_augment={"max_share": 0.5})
    module.total_steps = 2
    before = {name: value.clone() for name, value in module.state_dict().items()}
    trainer = Trainer(
        max_epochs=1, logger=False, enable_checkpointing=False, enable_progress_bar=False,
        enable_model_summary=False, accelerator="cpu", num_sanity_val_steps=0,
    )  # fmt: skip
    loader = DataLoader([batch, batch], batch_size=None)
    with quiet():
        trainer.fit(module, loader, loader)
    after = module.state_dict()
    assert all(torch.isfinite(value).all() for value in after.values())
    for name in (
        "objective.articulatory.heads.weight",
        "encoder.model.lm_head.weight",
        "encoder.model.conv1.weight",
    ):
        assert not torch.equal(before[name], after[name])
