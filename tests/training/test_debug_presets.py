"""``debug=overfit|fast|profile`` and early stopping, on the tones."""

from __future__ import annotations

import logging

import pytest

from pedkit.errors import PedkitError
from pedkit.training import read_run, train


def test_overfit_learns_its_clips_by_heart(config, tmp_path):
    out = f"output_dir={tmp_path / 'run'}"
    per = train(config("debug=overfit", out, "trainer.max_epochs=150", "model.learning_rate=3e-3"))
    record = read_run(tmp_path / "run")
    assert per == 0.0
    # the first eight words have 1, 1, 2, 2, 2, 2, 3, 3 phones, and stand for both dev sets
    assert record["kept"]["reference_phones"] == 2 * 16


def test_overfit_takes_a_number_of_clips(config):
    with pytest.raises(PedkitError, match="expected 'overfit_clips' to be 1 or more, but got 0"):
        train(config("data.overfit_clips=0"))


def test_profile_says_what_took_the_time(config, tmp_path):
    train(config("debug=profile", f"output_dir={tmp_path / 'run'}"))
    table = (tmp_path / "run" / "fit-profile.txt").read_text(encoding="utf-8")
    assert "run_training_epoch" in table
    assert "[LightningModule]CtcModule.configure_optimizers" in table


def test_a_training_that_no_longer_gets_better_stops_and_says_so(config, tmp_path, caplog):
    still = ("model.learning_rate=0.0", "trainer.max_epochs=9", "callbacks.early_stopping.patience=2")
    with caplog.at_level(logging.INFO):
        per = train(config("callbacks=early_stopping", *still))
    record = read_run(tmp_path / "run")
    assert (record["status"], record["kept"]["epoch"], record["kept"]["dev_per"]) == ("finished", 1, per)
    said = [one.getMessage() for one in caplog.records if one.getMessage().startswith("stopped after")]
    assert said == [f"stopped after epoch 3: dev_per has not fallen below {per:.4f} in 2 dev scores"]
    rows = (tmp_path / "run" / "metrics.csv").read_text(encoding="utf-8").splitlines()
    assert sum("," in row for row in rows[1:]) == 3
