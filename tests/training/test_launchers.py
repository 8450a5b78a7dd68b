"""Sweeps by plugins of Hydra: jobs in parallel processes, jobs as on a cluster, a search. Skipped where absent."""

from __future__ import annotations

import csv
import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hydra import compose, initialize_config_dir

from pedkit.training import read_run

ROOT = Path(__file__).parents[2]
SIZES = {
    "hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 32,
    "num_conv_pos_embeddings": 16, "num_conv_pos_embedding_groups": 2,
}  # fmt: skip
PLUGINS = {
    "launcher=joblib": "hydra_plugins.hydra_joblib_launcher",
    "launcher=submitit_local": "hydra_plugins.hydra_submitit_launcher",
    "launcher=submitit": "hydra_plugins.hydra_submitit_launcher",
    "launcher=ray": "hydra_plugins.hydra_ray_launcher",
    "sweep=optuna": "hydra_plugins.hydra_optuna_sweeper",
}


def _need(option):
    try:
        found = importlib.util.find_spec(PLUGINS[option]) is not None
    except ModuleNotFoundError:
        found = False
    if not found:
        pytest.skip(f"{PLUGINS[option]} is not installed")


def _sweep(tones, folder, *overrides):
    command = [
        sys.executable, "train.py", "-m", "experiment=manifests", "name=tones",
        f"data.train=[{tones / 'train.jsonl'}]", f"data.dev={{near: {tones / 'dev.jsonl'}}}",
        "data.augment=null", "model.warmup_steps=1",
        "trainer.max_epochs=1", f"hydra.sweep.dir={folder}", *[f"model.encoder.{k}={v}" for k, v in SIZES.items()],
        *overrides,
    ]  # fmt: skip
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    with (folder / "sweep.csv").open(encoding="utf-8", newline="") as stream:
        return done, list(csv.DictReader(stream))


@pytest.mark.parametrize("option", PLUGINS)
def test_the_preset_fits_its_plugin(option):
    _need(option)
    with initialize_config_dir(str(ROOT / "conf"), version_base="1.3"):
        cfg = compose("train", [option], return_hydra_config=True)
    group, name = option.split("=")
    chosen = cfg.hydra.runtime.choices[f"hydra/{'sweeper' if group == 'sweep' else group}"]
    assert chosen.startswith(name.removesuffix("_local"))


@pytest.mark.slow
@pytest.mark.parametrize("option", ["launcher=joblib", "launcher=submitit_local"])
def test_a_launcher_runs_every_job_and_one_that_fails_spares_the_others(option, tones, tmp_path):
    _need(option)
    done, rows = _sweep(tones, tmp_path, option, "seed=1,2,-1")
    assert [(row["job"], row["status"]) for row in rows] == [("0", "finished"), ("1", "finished"), ("2", "failed")]
    assert [row["overrides"].split()[-1] for row in rows] == ["seed=1", "seed=2", "seed=-1"]
    for row in rows[:2]:
        kept = read_run(row["folder"])["kept"]
        assert (float(row["dev_per"]), int(row["epoch"])) == (kept["dev_per"], kept["epoch"])
    assert [row["folder"] for row in rows] == [str(tmp_path / str(number)) for number in range(3)]
    assert "expected seed to be from 0" in rows[2]["error"]
    assert "PedkitError" in (tmp_path / "2" / "train.log").read_text(encoding="utf-8")
    assert done.returncode == 1
    assert "1 of the sweep's jobs failed: 2 (expected seed to be from 0" in done.stderr


@pytest.mark.slow
def test_a_search_tells_optuna_the_kept_per_and_survives_a_failed_trial(tones, tmp_path):
    _need("sweep=optuna")
    done, rows = _sweep(
        tones, tmp_path, "sweep=optuna", "hydra.sweeper.n_trials=3", "seed=choice(-1,1)",
        "model.learning_rate=tag(log,interval(1e-4,1e-2))",
    )  # fmt: skip
    statuses = [row["status"] for row in rows]
    assert sorted(set(statuses)) == ["failed", "finished"]
    assert len(statuses) == 3
    found = (tmp_path / "optimization_results.yaml").read_text(encoding="utf-8")
    best = min(float(row["dev_per"]) for row in rows if row["status"] == "finished")
    assert f"best_value: {best}" in found
    assert done.returncode == 1  # for the failed trial
