"""Every `python train.py ...` that the manual shows composes, and what it says of dev sets and loggers is so."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from hydra import compose, initialize_config_dir
from hydra.core.override_parser.overrides_parser import OverridesParser
from omegaconf import OmegaConf

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "docs" / "training.md", *sorted((ROOT / "docs" / "training").glob("*.md"))]
ELSEWHERE = ("launcher=", "sweep=", "hydra.")  # of Hydra's plugins: test_launchers.py
TIMIT_SC = ["experiment=timit_sc"]


def _commands():
    text = "\n".join(page.read_text(encoding="utf-8").replace("\\\n", " ") for page in PAGES)
    found = {command.strip() for command in re.findall(r"python train\.py ([^`\n]+)", text)}
    return sorted(command for command in found if "key=" not in command and not command.startswith("--"))


def _said(command):
    """Yield the overrides of a command; of those that a sweep varies, the first value."""
    words = [word for word in shlex.split(command, comments=True) if word != "-m"]
    kept = [word.rstrip(",") for word in words if not word.startswith(ELSEWHERE)]
    for override in OverridesParser.create().parse_overrides(kept):
        if not override.is_sweep_override():
            yield str(override.input_line)
        elif override.is_discrete_sweep():
            yield f"{override.get_key_element()}={next(override.sweep_string_iterator())}"


def _composed(overrides):
    with initialize_config_dir(str(ROOT / "conf"), version_base="1.3"):
        return compose("train", list(overrides))


def test_the_manual_shows_commands():
    assert len(_commands()) >= 15


@pytest.mark.parametrize("command", _commands())
def test_a_documented_command_composes(command):
    assert _composed(_said(command)).trainer._target_ == "pytorch_lightning.Trainer"


def test_dev_sets_are_added_and_taken_away_as_documented():
    text = (ROOT / "docs" / "training.md").read_text(encoding="utf-8")
    for overrides, names in (
        (["+data.dev.mine=dev.jsonl"], ["timit", "mine"]),
        (["~data.dev.timit", "+data.dev.mine=dev.jsonl"], ["mine"]),
        (["~data.dev", "+data.dev={}"], []),
    ):
        assert all(f"`{word}`" in text or f"'{word}'" in text for word in overrides)
        assert list(_composed([*TIMIT_SC, *overrides]).data.dev) == names


def test_the_preset_of_timit_and_sc_says_how_acted_chooses():
    first = (ROOT / "conf" / "data" / "timit_sc.yaml").read_text(encoding="utf-8").splitlines()[0]
    overrides = shlex.split(first.partition("PEDBench chose on Acted: ")[2])
    assert OmegaConf.to_container(_composed([*TIMIT_SC, *overrides]).data.dev) == {"acted": "acted.jsonl"}


def test_several_loggers_at_once():
    [together] = re.findall(r"`'(logger=\[.*?\])'`", (ROOT / "docs/training/tracking.md").read_text("utf-8"))
    assert list(_composed([together]).logger) == ["csv", "wandb", "tensorboard"]
