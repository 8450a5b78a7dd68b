"""``sweep.csv``: what sets the jobs of a sweep apart stands by itself."""

from __future__ import annotations

import csv

from omegaconf import OmegaConf

from pedkit.training.sweep import SweepTable, write_row

COMMON = ["experiment=manifests", "name='a b'", "data.dev={near:dev.jsonl}"]


def _row(folder, job, *said, per=None, **more):
    overrides = [*said[:1], *COMMON, *said[1:]]  # Optuna puts its own first
    write_row(
        folder,
        {"job": job, "overrides": " ".join(overrides), "said": overrides, "dev_per": per, "epoch": 2,
         "status": "finished", "folder": str(folder / str(job)), **more},
    )  # fmt: skip


def _table(folder):
    with (folder / "sweep.csv").open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def test_what_varies_is_told_from_what_all_jobs_have(tmp_path, capsys):
    """The line of the best is printed: with a launcher of other processes nobody sees this process' log."""
    _row(tmp_path, 0, "model.learning_rate=0.001", "seed=1", per=0.5)
    assert _table(tmp_path)[0]["varied"] == ""  # nothing to differ from
    _row(tmp_path, 1, "model.learning_rate=0.001", "seed=2", per=0.25)
    _row(tmp_path, 2, "model.learning_rate=0.002", "seed=1", per=0.75)
    config = OmegaConf.create({"hydra": {"sweep": {"dir": str(tmp_path)}}})
    SweepTable().on_multirun_start(config)
    SweepTable().on_multirun_end(config)
    rows = _table(tmp_path)
    assert [row["varied"] for row in rows] == [
        "model.learning_rate=0.001 seed=1",
        "model.learning_rate=0.001 seed=2",
        "model.learning_rate=0.002 seed=1",
    ]
    assert rows[2]["overrides"].split()[1] == "experiment=manifests"
    assert capsys.readouterr().out.splitlines() == [
        f"sweep in {tmp_path}: a folder a job, and sweep.csv",
        f"best of 3 jobs: {tmp_path / '1'} (model.learning_rate=0.001 seed=2), dev PER 0.2500",
        str(tmp_path / "sweep.csv"),
    ]


def test_rows_without_the_list_of_overrides_stay_readable(tmp_path):
    write_row(tmp_path, {"job": 0, "overrides": "seed=1", "status": "finished", "dev_per": 0.5, "folder": "0"})
    assert (_table(tmp_path)[0]["varied"], _table(tmp_path)[0]["overrides"]) == ("", "seed=1")
