from __future__ import annotations

import csv
import json
import sys
from pathlib import Path

import pytest
from hydra.core.global_hydra import GlobalHydra
from omegaconf import OmegaConf

import train as entry_point
from pedkit.errors import PedkitError
from pedkit.models import CtcModule
from pedkit.training import read_run
from pedkit.training.sweep import SweepTable, _something_to_minimise, raise_failures, whole_sweep, write_row

ROOT = Path(__file__).parents[2]


@pytest.fixture
def sweep(tones, tmp_path, monkeypatch):
    """Run ``train.py -m`` in this process; return the folder of the sweep."""
    sizes = {
        "hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 32,
        "num_conv_pos_embeddings": 16, "num_conv_pos_embedding_groups": 2,
    }  # fmt: skip

    def run(*overrides):
        monkeypatch.setattr(
            sys,
            "argv",
            [
                "train.py", "-m", "-cp", str(ROOT / "conf"),
                "experiment=manifests", "name=tones", f"data.train=[{tones / 'train.jsonl'}]",
                f"data.dev={{near: {tones / 'dev.jsonl'}}}", "data.augment=null", "model.warmup_steps=1",
                "trainer.max_epochs=1", f"hydra.sweep.dir={tmp_path / 'sweep'}",
                *[f"model.encoder.{key}={value}" for key, value in sizes.items()], *overrides,
            ],
        )  # fmt: skip
        GlobalHydra.instance().clear()
        whole_sweep(entry_point.main)
        return tmp_path / "sweep"

    return run


def _table(folder):
    with (folder / "sweep.csv").open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def test_every_job_has_a_folder_and_a_row(sweep, capsys):
    folder = sweep("seed=1,2")
    raise_failures()
    rows = _table(folder)
    said = [message for message in capsys.readouterr().out.splitlines() if message.startswith("job ")]
    assert [message.split(":")[0] for message in said] == [
        "job 0 begins",
        "job 0 ends",
        "job 1 begins",
        "job 1 ends",
    ]
    assert all(message.endswith(f"seed={number}") for message, number in zip(said, (1, 1, 2, 2), strict=True))
    assert f"dev PER {float(rows[1]['dev_per']):.4f}" in said[3]
    assert [row["overrides"].split()[-1] for row in rows] == ["seed=1", "seed=2"]
    for number, row in enumerate(rows):
        record = read_run(folder / str(number))
        assert (row["status"], row["error"], record["seed"]) == ("finished", "", number + 1)
        assert float(row["dev_per"]) == record["kept"]["dev_per"]
        assert int(row["epoch"]) == record["kept"]["epoch"]
        assert row["folder"] == str(folder / str(number))


def test_a_failing_job_spares_the_others_and_the_exit_code_is_not_zero(sweep, monkeypatch, capsys):
    # hydra #2284: -m seed=1,2,3 where seed 2 raises
    step = CtcModule.training_step

    def fails_for_two(self, batch, batch_idx):
        if "/sweep/1" in self.trainer.default_root_dir:
            raise PedkitError("the disk is full")
        return step(self, batch, batch_idx)

    monkeypatch.setattr(CtcModule, "training_step", fails_for_two)
    folder = sweep("seed=1,2,3")
    rows = _table(folder)
    assert [row["status"] for row in rows] == ["finished", "failed", "finished"]
    assert (rows[1]["error"], rows[1]["dev_per"]) == ("the disk is full", "")
    assert "PedkitError: the disk is full" in (folder / "1" / "train.log").read_text(encoding="utf-8")
    assert read_run(folder / "1")["status"] == "failed"
    assert "job 1 failed: the disk is full (see " in capsys.readouterr().err
    with pytest.raises(PedkitError, match=r"1 of the sweep's jobs failed: 1 \(the disk is full\)"):
        raise_failures()


def test_a_job_that_is_resumed_later_is_finished_in_the_table(sweep, monkeypatch, capsys):
    step = CtcModule.training_step
    monkeypatch.setattr(CtcModule, "training_step", lambda *_: (_ for _ in ()).throw(PedkitError("no power")))
    folder = sweep("seed=1")
    assert [row["status"] for row in _table(folder)] == ["failed"]
    monkeypatch.setattr(CtcModule, "training_step", step)
    monkeypatch.setattr(sys, "argv", ["train.py", "-cp", str(ROOT / "conf"), f"resume={folder / '0'}"])
    GlobalHydra.instance().clear()
    entry_point.main()
    [row] = _table(folder)
    kept = read_run(folder / "0")["kept"]
    assert (row["status"], row["error"], int(row["epoch"])) == ("finished", "", kept["epoch"])
    assert float(row["dev_per"]) == kept["dev_per"]


def test_a_secret_on_the_command_line_is_in_no_table(sweep, tmp_path):
    with pytest.raises(PedkitError, match=r"^logger\.wandb\.api_key looks like a secret") as caught:
        sweep("seed=1,2", "+logger.wandb.api_key=0123abc")
    assert "0123abc" not in str(caught.value)
    assert not (tmp_path / "sweep").exists()


def test_jobs_without_dev_sets_have_no_rate_in_the_table(sweep):
    """NaN is no number that a table, or the search of the lowest, could hold."""
    folder = sweep("~data.dev", "+data.dev={}", "steps=fixed", "steps.count=1", "seed=1")
    raise_failures()
    [row] = _table(folder)
    assert (row["status"], row["dev_per"], row["error"]) == ("finished", "", "")


def test_a_search_of_which_no_job_ended_well_names_them(tmp_path):
    """Optuna then asks for its best trial, finds none and raises; Hydra calls no callback."""
    folder = tmp_path / "search"

    def search():
        SweepTable().on_multirun_start(OmegaConf.create({"hydra": {"sweep": {"dir": str(folder)}}}))
        write_row(folder, {"job": 0, "folder": str(folder / "0"), "status": "failed", "error": "no power"})
        raise ValueError("No trials are completed yet.")

    whole_sweep(search)
    with pytest.raises(PedkitError, match=r"1 of the sweep's jobs failed: 0 \(no power\)"):
        raise_failures()
    with pytest.raises(ValueError, match="of the sweeper itself"):
        whole_sweep(lambda: (_ for _ in ()).throw(ValueError("of the sweeper itself")))


def test_a_search_has_something_to_minimise():
    cfg = OmegaConf.create({"steps": {"count": 3}, "data": {"dev": {}}})
    _something_to_minimise(cfg, "hydra._internal.core_plugins.basic_sweeper.BasicSweeper")
    with pytest.raises(PedkitError, match="no dev PER that a search could minimise"):
        _something_to_minimise(cfg, "hydra_plugins.hydra_optuna_sweeper.optuna_sweeper.OptunaSweeper")


def test_a_job_that_fails_before_it_has_a_run_leaves_its_traceback_too(sweep):
    folder = sweep("seed=1", "requires=[{file: nowhere.jsonl, command: python -m synthetic}]")
    [row] = _table(folder)
    assert row["error"] == "nowhere.jsonl: no such file (make it with: python -m synthetic)"
    assert "no such file" in (folder / "0" / "train.log").read_text(encoding="utf-8")
    assert not (folder / "0" / "run.json").exists()


def test_several_processes_in_a_sweep_are_refused_with_the_way_out(sweep):
    # pytorch-lightning #18175: each process would run the whole sweep
    [row] = _table(sweep("trainer.devices=2"))
    assert row["error"] == (
        "a sweep's jobs train in one process each, but trainer.devices is 2 "
        "(set trainer.devices=1, or start the jobs one by one)"
    )


def test_offline_wandb_runs_of_a_sweep_are_two_runs_with_their_own_settings(sweep, monkeypatch, tmp_path):
    # wandb #1314: without an end between them both jobs were logged as one run
    monkeypatch.setenv("WANDB_SILENT", "true")
    monkeypatch.setenv("WANDB_DIR", str(tmp_path))
    folder = sweep("seed=1,2", "logger=wandb_offline")
    raise_failures()
    runs = [sorted((folder / str(number) / "wandb").glob("offline-run-*")) for number in range(2)]
    assert [len(found) for found in runs] == [1, 1]
    names = {found[0].name.rsplit("-", 1)[1] for found in runs}
    assert len(names) == 2
    for number, found in enumerate(runs):
        assert list(found[0].glob("run-*.wandb"))
        assert json.loads((folder / str(number) / "run.json").read_text(encoding="utf-8"))["seed"] == number + 1
