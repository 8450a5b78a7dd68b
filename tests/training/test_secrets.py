from __future__ import annotations

import sys

import pytest

from pedkit.errors import PedkitError
from pedkit.secrets import refuse_secrets
from pedkit.training import train

KEY = "0123456789abcdef"


def test_the_value_of_a_secret_variable_in_a_setting_is_refused_and_not_repeated(monkeypatch):
    monkeypatch.setenv("COMET_API_KEY", KEY)
    with pytest.raises(PedkitError, match=r"logger\.comet\.code holds the value of .* COMET_API_KEY") as caught:
        refuse_secrets({"logger": {"comet": {"code": f"key:{KEY}"}}})
    assert KEY not in str(caught.value)


def test_a_setting_called_like_a_secret_is_refused(tmp_path, config):
    with pytest.raises(PedkitError, match=r"logger\.comet\.api_key looks like a secret"):
        train(config("+logger.comet={_target_: x, api_key: abc}"))
    assert not (tmp_path / "run").exists()


def test_the_command_line_is_looked_at(monkeypatch):
    monkeypatch.setenv("HF_TOKEN", KEY)
    monkeypatch.setattr(sys, "argv", ["train.py", f"+x={KEY}"])
    with pytest.raises(PedkitError, match="the command line holds the value of the environment variable HF_TOKEN"):
        refuse_secrets({})


def test_ordinary_settings_are_let_through(monkeypatch):
    monkeypatch.setenv("HF_TOKEN", "demo")  # too short to be one
    refuse_secrets(
        {"name": "demo", "logger": {"wandb": {"api_key": None, "project": "pedkit"}}, "token_rate": "1"}
    )
