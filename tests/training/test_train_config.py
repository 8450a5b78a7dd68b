"""Every file of the training half of ``conf/`` composes, and fits the code that it names."""

from __future__ import annotations

import inspect
from pathlib import Path

import pytest
from hydra import compose, initialize_config_dir
from hydra.utils import get_object
from omegaconf import DictConfig, OmegaConf

from pedkit.training.ready import missing_settings

ROOT = Path(__file__).parents[2]
CONF = ROOT / "conf"
GROUPS = ("data", "model", "prompt", "trainer", "steps", "callbacks", "logger", "experiment", "debug", "paths")
OPTIONS = [f"{group}={file.stem}" for group in GROUPS for file in sorted((CONF / group).glob("*.yaml"))]
PLUGINS = [f"{group}={file.stem}" for group in ("sweep", "launcher") for file in (CONF / group).glob("*.yaml")]
OURS = {"_target_", "_partial_", "_args_", "_convert_", "_recursive_"}
SAID = {
    "name": "mine",
    "data.train": "[a.jsonl]",
    "data.dev": "{dev: b.jsonl}",
    "trainer.max_epochs": "1",
    "steps.count": "10",
    "model.encoder": "{_target_: pedkit.models.random_encoder, _partial_: true}",
    "model.source.name": "folder",
}


def _compose(*overrides: str) -> DictConfig:
    with initialize_config_dir(str(CONF), version_base="1.3"):
        cfg = compose("train", list(overrides), return_hydra_config=False)
        missing = [f"{key}={SAID[key]}" for key in missing_settings(cfg)]
        return compose("train", [*overrides, *missing])


def _check(node: object, place: str) -> int:
    """Bind the keys of every object in the configuration to the signature it names; return how many there are."""
    if isinstance(node, list):
        return sum(_check(item, f"{place}[{i}]") for i, item in enumerate(node))
    if not isinstance(node, dict):
        return 0
    number = sum(_check(value, f"{place}.{key}") for key, value in node.items())
    if "_target_" not in node:
        return number
    signature = inspect.signature(get_object(node["_target_"]))
    given = {key: value for key, value in node.items() if key not in OURS}
    bind = signature.bind_partial if node.get("_partial_") else signature.bind
    extra = {"callbacks": 1, "logger": 1, "plugins": 1} if node["_target_"] == "pytorch_lightning.Trainer" else {}
    try:
        bind(**given, **extra)
    except TypeError as error:
        raise AssertionError(f"{place}: {node['_target_']}: {error}") from None
    return number + 1


@pytest.mark.parametrize("option", OPTIONS)
def test_every_file_composes_and_fits(option):
    settings = OmegaConf.to_container(_compose(option), resolve=True)
    assert _check(settings, option) >= 8


def test_every_preset_and_group_of_the_training_half_is_known():
    assert {folder.name for folder in CONF.iterdir() if folder.is_dir()} >= set(GROUPS)
    assert "experiment=demo" in OPTIONS


@pytest.mark.parametrize("file", sorted((CONF / "experiment").glob("*.yaml")), ids=lambda file: file.stem)
def test_an_experiment_says_how_it_is_run(file):
    package, command = file.read_text(encoding="utf-8").splitlines()[:2]
    assert package == "# @package _global_"  # Hydra reads it on the first line only
    expected = "# python train.py" if file.stem == "demo" else f"# python train.py experiment={file.stem}"
    assert command.split(" 'data.")[0].split(" name=")[0] == expected


def test_without_arguments_the_demo_is_trained():
    cfg = _compose()
    assert (cfg.name, cfg.output_dir) == ("demo", "runs/demo/train")
    assert [part.manifest for part in cfg.data.train] == [
        "runs/demo/synthetic/train.jsonl",
        "runs/demo/real/manifest.jsonl",
    ]
    assert cfg.data.train[1].split == "train"
    assert cfg.data.dev.real.split == "dev"


def _lines_without_comment(file: Path) -> list[str]:
    lines = [line.strip() for line in file.read_text(encoding="utf-8").splitlines()]
    said = ("#", "-", "_target_:", "_partial_:", "split:", "manifest:", "command:", "file:", "limit:", "repeat:")
    values = [line for line in lines if line and not line.endswith(":") and not line.startswith(said)]
    return [line for line in values if "#" not in line]


@pytest.mark.parametrize("option", [*OPTIONS, *sorted(PLUGINS), "train"])
def test_every_value_has_a_comment_on_its_line(option):
    assert _lines_without_comment(CONF / f"{option.replace('=', '/')}.yaml") == []
