"""Settings with which no checkpoint could be chosen are refused before the training, not after it."""

from __future__ import annotations

import pytest

from pedkit.errors import PedkitError
from pedkit.models import CtcModule
from pedkit.training import read_run, train


@pytest.mark.parametrize(
    ("overrides", "sentence"),
    [
        (["callbacks.best=null"], r"callbacks\.best is switched off"),
        (["callbacks.dev_scores=null"], r"callbacks\.dev_scores is switched off"),
        (["+callbacks.best.monitor=dev_per_far"], r"dev_per, but got 'dev_per_far' \(select_on=NAME"),
        (["trainer.check_val_every_n_epoch=3"], "would never be scored: trainer.max_epochs is 2, .* 3"),
        (["+trainer.limit_val_batches=0"], "would never be scored: .*limit_val_batches 0"),
        (["callbacks=early_stopping", "callbacks.early_stopping.monitor=dev_f1"], "dev_per_far, but got 'dev_f1'"),
        (["trainer.max_epochs=0"], "expected one update or more, but trainer.max_epochs is 0"),
        (["trainer.limit_train_batches=0"], "limit_train_batches leaves 0 batches an epoch"),
        (["trainer.max_epochs=-1"], "expected trainer.max_epochs or trainer.max_steps, but got neither"),
    ],
)
def test_it_is_refused_before_the_first_batch(config, monkeypatch, overrides, sentence):
    monkeypatch.setattr(CtcModule, "training_step", lambda *_: pytest.fail("trained"))
    with pytest.raises(PedkitError, match=sentence):
        train(config(*overrides))


def test_a_training_that_ends_within_its_first_epoch_says_so(config):
    with pytest.raises(PedkitError, match="ended after 1 updates, before its first dev scores"):
        train(config("trainer.max_steps=1", "trainer.max_epochs=-1", "model.warmup_steps=1"))


def test_epochs_without_dev_scores_choose_nothing(config, tmp_path):
    train(config("trainer.check_val_every_n_epoch=2", "trainer.max_epochs=3"))
    assert read_run(tmp_path / "run")["kept"]["epoch"] == 2
