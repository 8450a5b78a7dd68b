"""PEDBench's experiments with audio language models: who learns from what, is chosen and tested on what."""

from __future__ import annotations

import inspect
from pathlib import Path

import numpy as np
import pytest
from hydra import compose, initialize_config_dir
from hydra.utils import get_object
from omegaconf import OmegaConf

from pedkit.data.sampler import BucketBatchSampler
from pedkit.evaluation.test_sets import EvaluationSet
from pedkit.models.optimization import rate_factor, warmup_updates
from pedkit.models.prompts import load_prompt
from pedkit.training.planned_steps import planned_steps
from pedkit.training.ready import resolved

ROOT = Path(__file__).parents[3]
MODELS = {"qwen2_5_omni": "Qwen/Qwen2.5-Omni-7B", "audio_flamingo3": "nvidia/audio-flamingo-3-hf"}
TIMIT = ("data/timit/manifest.jsonl", "train")
SETS = {
    "timit": ([TIMIT], {"timit": ("data/timit/manifest.jsonl", "dev")}),
    "timit_sw": (
        [TIMIT, ("runs/sw/synthetic/train.jsonl", None)],
        {"timit": ("data/timit/manifest.jsonl", "dev")},
    ),
    "timit_sc": ([TIMIT, ("runs/sc/synthetic/train.jsonl", None)], {"acted": ("data/pedbench/acted.jsonl", None)}),
}


def _settings(name, *overrides):
    with initialize_config_dir(str(ROOT / "conf"), version_base="1.3"):
        return resolved(compose(name, list(overrides)))


def _part(given):
    return given["manifest"], given.get("split")


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("data", SETS)
def test_each_model_learns_and_is_chosen_on_what_pedbench_says(model, data):
    settings = _settings("train", f"experiment={data}_{model}")
    train, dev = SETS[data]
    assert [_part(one) for one in settings["data"]["train"]] == train
    assert {name: _part(one) for name, one in settings["data"]["dev"].items()} == dev
    assert {one["file"] for one in settings["requires"]} == {path for path, _ in [*train, *dev.values()]}
    assert (settings["data"]["target"], settings["data"]["augment"]) == ("realized", None)
    source, tuned = settings["model"]["source"], settings["model"]
    assert (source["name"], source["dtype"], source["gradient_checkpointing"]) == (MODELS[model], "bfloat16", True)
    assert source["lora"] == {"r": 16, "alpha": 32, "dropout": 0.0, "use_rslora": False, "use_dora": False}
    recipe = [tuned[key] for key in ("learning_rate", "weight_decay", "warmup_ratio", "schedule", "gradient_clip")]
    assert recipe == [2e-4, 0.01, 0.03, "linear", 1.0]
    assert (tuned["loss_norm"], tuned["max_new_tokens"], settings["data"]["max_batch_size"]) == ("token", 512, 16)
    trainer = settings["trainer"]
    assert (trainer["max_epochs"], trainer["accelerator"], trainer["precision"]) == (6, "gpu", "bf16-mixed")
    assert trainer["gradient_clip_val"] is None
    assert settings["recipe"].startswith("PEDBench")


@pytest.mark.parametrize("mode", ["unscripted", "scripted"])
def test_the_prompt_is_in_the_settings_and_in_the_folder(mode):
    settings = _settings("train", "experiment=timit_sw_audio_flamingo3", f"prompt={mode}")
    assert settings["output_dir"] == f"runs/timit_sw_audio_flamingo3_{mode}/train"
    prompt = {key: value for key, value in settings["model"]["prompt"].items() if key != "_target_"}
    assert load_prompt(**prompt).hash == load_prompt(mode=mode).hash


@pytest.mark.parametrize(("clips", "updates"), [(3696, 231), (3696 + 396, 256), (3696 + 550, 266)])
def test_an_epoch_has_the_published_number_of_updates(clips, updates):
    batch_seconds = _settings("train", "experiment=timit_qwen2_5_omni")["data"]["batch_seconds"]
    seconds = np.random.default_rng(0).uniform(1, 8, clips)
    sampler = BucketBatchSampler(seconds, batch_seconds=batch_seconds, max_batch_size=16)
    assert len(sampler) == updates
    assert {len(batch) for batch in sampler} <= {15, 16}


def test_the_schedule_of_timit():
    total = planned_steps(231, max_epochs=6, max_steps=-1)
    warmup = warmup_updates(total, steps=None, ratio=0.03)
    assert (total, warmup) == (1386, 42)
    assert rate_factor(0, warmup, total) == 1 / 42
    assert rate_factor(41, warmup, total) == 1.0
    assert rate_factor(1385, warmup, total) == 1 / (1386 - 42)


@pytest.mark.parametrize(
    ("preset", "sets", "labelled"),
    [
        ("pedbench", ["l2arctic", "cmu_kids", "authentic", "acted", "synthetic"], []),
        ("pedbench_acted", ["acted"], ["acted"]),
        ("pedbench_authentic", ["authentic"], ["authentic"]),
    ],
)
def test_what_is_tested_says_what_was_seen(preset, sets, labelled):
    with initialize_config_dir(str(ROOT / "conf"), version_base="1.3"):
        cfg = compose("evaluate", [f"evaluation={preset}"])
    found = {name: EvaluationSet.of(name, dict(one)) for name, one in cfg.evaluation.test_sets.items()}
    assert list(found) == sets
    said = [
        name for name, one in found.items() if any("Seen words, unseen audio" in text for text in one.warnings)
    ]
    assert said == labelled
    assert all(str(one.manifest) in one.made_by for one in found.values())


@pytest.mark.parametrize("recognizer", ["run", "language"])
def test_recognizers_take_what_their_presets_say(recognizer):
    with initialize_config_dir(str(ROOT / "conf"), version_base="1.3"):
        cfg = compose("evaluate", [f"recognizer={recognizer}", "prompt=scripted"])
    settings = OmegaConf.to_container(cfg.recognizer, resolve=True)
    inspect.signature(get_object(settings.pop("_target_"))).bind(**settings)
    assert settings["prompt"]["mode"] == "scripted"
