"""What a training leaves in Weights & Biases, and that W&B never stops it; no network, no account."""

from __future__ import annotations

import json
import logging
import os
import sys

import pytest

from pedkit.training import WandbRun, read_run, train
from pedkit.training.wandb_login import wandb_login

wandb = pytest.importorskip("wandb")
KEY = "0123456789abcdef0123456789abcdef01234567"


@pytest.fixture(autouse=True)
def alone(monkeypatch, tmp_path):
    """No login, no network, W&B's own data in a folder of the test."""
    for name in [name for name in os.environ if name.startswith("WANDB_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))
    monkeypatch.setenv("WANDB_SILENT", "true")
    for name in ("DATA", "CACHE", "CONFIG"):
        monkeypatch.setenv(f"WANDB_{name}_DIR", str(tmp_path / name.lower()))
    wandb.teardown()  # it reads its variables once a process


def _files(folder):
    return [file for file in folder.rglob("*") if file.is_file()]


def _tables(run, name):
    files = sorted(run.glob(f"wandb/offline-run-*/files/media/table/{name}_*.json"))
    return [json.loads(file.read_text(encoding="utf-8")) for file in files]


def test_an_offline_run_holds_settings_metrics_examples_and_no_secret(config, tmp_path, monkeypatch, capfd):
    monkeypatch.setenv("WANDB_MODE", "offline")
    monkeypatch.setenv("WANDB_API_KEY", KEY)
    train(config("logger=wandb", "logger.wandb.upload_checkpoint=true"))
    run = tmp_path / "run"
    assert read_run(run)["status"] == "finished"
    [record] = run.glob("wandb/offline-run-*/run-*.wandb")
    told = record.read_bytes()
    for metric in (
        "train_loss", "dev_per", "dev_pfer", "dev_f1", "dev_per_near", "learning_rate", "train_padded_share",
        "train_utterances_per_second", "dev_worst", "dev_confusions", "max_batch_size",
    ):  # fmt: skip
        assert metric.encode() in told, metric
    assert b"media/audio/" in told
    assert read_run(run)["kept"]["checkpoint"].removeprefix("checkpoints/").encode() in told
    last = _tables(run, "dev_worst")[-1]
    assert last["columns"] == ["dev_set", "id", "audio", "per", "canonical", "realized", "predicted", "errors"]
    rates = [row[3] for row in last["data"]]
    assert rates == sorted(rates, reverse=True)
    assert {row[0] for row in last["data"]} <= {"near", "far"}
    counts = _tables(run, "dev_confusions")[-1]
    realized = sum(n for actual, _, n in counts["data"] if actual != "∅")
    assert realized == 20  # every reference phone of both dev sets is in the matrix once
    printed = capfd.readouterr()
    assert KEY not in printed.out + printed.err
    for file in _files(tmp_path):
        assert KEY.encode() not in file.read_bytes(), file
    assert json.loads((run / "wandb.json").read_text())["id"] in record.name


def test_the_last_weights_are_uploaded_where_they_are_the_kept_ones(config, tmp_path, monkeypatch):
    monkeypatch.setenv("WANDB_MODE", "offline")
    train(config("logger=wandb", "logger.wandb.upload_checkpoint=true", "steps=fixed", "steps.count=3"))
    [record] = (tmp_path / "run").glob("wandb/offline-run-*/run-*.wandb")
    assert b"last.ckpt" in record.read_bytes()


def test_an_unreachable_server_leaves_the_run_on_disk(config, tmp_path, monkeypatch, caplog):
    monkeypatch.setenv("WANDB_BASE_URL", "http://127.0.0.1:9")  # the discard port: nobody listens
    monkeypatch.setenv("WANDB_API_KEY", KEY)
    with caplog.at_level(logging.WARNING):
        train(config("logger=wandb", "logger.wandb.init_timeout=2", "trainer.max_epochs=1"))
    assert "W&B is out of reach, so the run is kept on disk" in caplog.text
    assert read_run(tmp_path / "run")["status"] == "finished"
    assert list((tmp_path / "run").glob("wandb/offline-run-*/run-*.wandb"))
    for file in _files(tmp_path):
        assert KEY.encode() not in file.read_bytes(), file


def test_without_a_login_nobody_is_asked_and_the_run_is_kept_on_disk(tmp_path, caplog):
    run = WandbRun(tmp_path)
    with caplog.at_level(logging.WARNING):
        run.log_hyperparams({"seed": 1})
    run.finalize("success")
    assert "nobody is logged in to W&B" in caplog.text
    assert list(tmp_path.glob("wandb/offline-run-*"))


def test_a_resumed_run_is_the_same_run(tmp_path):
    ids = []
    for _ in range(2):
        run = WandbRun(tmp_path, offline=True)
        run.log_metrics({"dev_per": 0.5, "epoch": 0}, step=3)
        run.finalize("failed")
        ids.append(json.loads((tmp_path / "wandb.json").read_text(encoding="utf-8"))["id"])
    assert ids[0] == ids[1]


def test_without_wandb_the_training_goes_on(config, tmp_path, monkeypatch, caplog):
    monkeypatch.setitem(sys.modules, "wandb", None)  # as if it were not installed
    with caplog.at_level(logging.WARNING):
        train(config("logger=wandb", "trainer.max_epochs=1"))
    assert "wandb is lost for this run, the training goes on: " in caplog.text
    assert read_run(tmp_path / "run")["status"] == "finished"


def test_where_a_login_is_kept(monkeypatch, tmp_path):
    assert wandb_login() is None
    (tmp_path / "netrc").write_text(f"machine api.wandb.ai\n login user\n password {KEY}\n")
    (tmp_path / "netrc").chmod(0o600)
    assert wandb_login() == str(tmp_path / "netrc")
    monkeypatch.setenv("WANDB_BASE_URL", "https://wandb.example.org")
    assert wandb_login() is None
    monkeypatch.setenv("WANDB_API_KEY", KEY)
    assert wandb_login() == "WANDB_API_KEY"
