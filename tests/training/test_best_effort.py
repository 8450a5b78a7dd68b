"""Loggers that fail never stop a training."""

from __future__ import annotations

import logging

import pytest
from pytorch_lightning.loggers import CSVLogger
from pytorch_lightning.loggers.logger import DummyLogger, Logger

from pedkit.errors import PedkitError
from pedkit.training import MetricsCsv, read_run, train
from pedkit.training.best_effort import BestEffort, build_loggers


class DyingLogger(DummyLogger):
    """A backend that dies at the third row of metrics, and again whenever it is asked."""

    rows = 0
    asked = 0

    def log_metrics(self, *_, **__):
        DyingLogger.rows += 1
        if DyingLogger.rows == 3:
            raise ConnectionResetError("the server went away\nwith a long story")

    def finalize(self, *_, **__):
        DyingLogger.asked += 1


class NeverBegins(DummyLogger):
    def log_hyperparams(self, *_, **__):
        raise RuntimeError


def test_a_backend_that_dies_mid_run_is_left_behind(config, tmp_path, caplog):
    DyingLogger.rows = DyingLogger.asked = 0
    dying = "+logger.dying={_target_: test_best_effort.DyingLogger}"
    with caplog.at_level(logging.WARNING):
        per = train(config(dying, "+logger.other={_target_: test_best_effort.NeverBegins}"))
    record = read_run(tmp_path / "run")
    assert (record["status"], record["kept"]["dev_per"]) == ("finished", per)
    said = [one.getMessage() for one in caplog.records if "is lost for this run" in one.getMessage()]
    assert said == [
        "other is lost for this run, the training goes on: RuntimeError",
        "dying is lost for this run, the training goes on: the server went away",
    ]
    assert (DyingLogger.rows, DyingLogger.asked) == (3, 0)
    assert len((tmp_path / "run" / "metrics.csv").read_text(encoding="utf-8").splitlines()) > 2


def test_a_package_that_is_missing_leaves_its_logger_out(monkeypatch, caplog, tmp_path):
    settings = {
        "csv": {"_target_": "pedkit.training.MetricsCsv", "save_dir": str(tmp_path)},
        "gone": {"_target_": "test_best_effort.needs_a_package"},
        "off": None,
    }
    with caplog.at_level(logging.WARNING):
        loggers = build_loggers(settings)
    assert [type(one) for one in loggers] == [MetricsCsv]
    assert "gone is left out, the training goes on" in caplog.text
    assert "no module called nowhere" in caplog.text


def needs_a_package() -> Logger:
    raise ModuleNotFoundError("no module called nowhere")


def test_a_wrong_setting_of_a_logger_still_stops():
    with pytest.raises(PedkitError, match=r"logger\.wandb"):
        build_loggers({"wandb": {"_target_": "pedkit.training.WandbRun", "save_dir": "x", "projekt": "y"}})


def test_what_the_backend_is_told_is_passed_on(tmp_path):
    told = []

    class Told(CSVLogger):
        def log_metrics(self, metrics, step=None):
            told.append((metrics, step))

        def finalize(self, status):
            told.append(status)

    logger = BestEffort("told", Told(tmp_path))
    logger.log_metrics({"dev_per": 0.5}, 3)
    logger.finalize("success")
    assert (told, logger.alive, logger.shows_examples) == ([({"dev_per": 0.5}, 3), "success"], True, False)
