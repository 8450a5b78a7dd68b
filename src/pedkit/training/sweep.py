"""Jobs of ``train.py``, alone or in a sweep: a folder each, failures that spare the others, a table at the end."""

from __future__ import annotations

import csv
import logging
import math
import sys
import traceback
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from hydra.core.hydra_config import HydraConfig
from hydra.experimental.callback import Callback
from hydra.types import RunMode
from omegaconf import DictConfig, ListConfig, open_dict

from pedkit.data.atomic import replacing
from pedkit.data.json_file import read_object, write_object
from pedkit.entrypoint import explain
from pedkit.errors import PedkitError
from pedkit.secrets import refuse_secrets
from pedkit.training.run_folder import FAILED, FINISHED, RUNNING

ROWS = ".jobs"
COLUMNS = ("job", "varied", "overrides", "dev_per", "epoch", "status", "folder", "error")
_failures: list[str] = []
_begun: list[Path] = []

log = logging.getLogger(__name__)


def train_job(cfg: DictConfig) -> float | None:
    """Train one job of ``train.py`` and return the kept checkpoint's dev PER.

    In a sweep (``-m``) the job gets a folder of its own, and a failure is written down instead of stopping the
    jobs after it; its value is then ``None``, which a search takes for a failed trial (NaN would end it).

    Raises:
        PedkitError: Outside a sweep, whatever `pedkit.training.run_training.train` raises.
    """
    from pedkit.training.resume import resumed
    from pedkit.training.run_training import train

    hydra = HydraConfig.get()
    with open_dict(cfg):
        run, dry, shown = cfg.pop("resume", None), cfg.pop("dry_run", False), cfg.pop("show_tokens", None)
    if dry or shown:
        if hydra.mode == RunMode.MULTIRUN:
            what = "a dry run" if dry else "a dump of tokens"
            raise PedkitError(f"{what} is of one training, not of a sweep", hint="leave out -m")
        print(_looked_at(cfg, shown))
        return None
    if run is not None:
        if hydra.mode == RunMode.MULTIRUN:
            raise PedkitError("resume goes on with one run, not with a sweep", hint="leave out -m")
        return _resume(Path(run), lambda: train(resumed(run, hydra.overrides.task)))
    if hydra.mode != RunMode.MULTIRUN:
        return train(cfg)
    folder = Path(hydra.runtime.output_dir)
    with open_dict(cfg):
        cfg.output_dir = str(folder)
    row: dict[str, Any] = {
        "job": hydra.job.num,
        "overrides": " ".join(hydra.overrides.task),
        "said": list(hydra.overrides.task),
        "folder": str(folder),
    }
    log.info("job %d begins: %s", row["job"], row["overrides"])
    write_row(Path(hydra.sweep.dir), row | {"status": RUNNING})  # all that is left of a job that is killed
    try:
        _one_process(cfg)
        _something_to_minimise(cfg, str(hydra.sweeper.get("_target_")))
        row |= _ended_well(folder, train(cfg))
    except Exception as error:
        _write_traceback(folder)
        row |= {"status": FAILED, "error": explain(error) or str(error) or type(error).__name__}
        print(f"job {row['job']} failed: {row['error']} (see {folder / 'train.log'})", file=sys.stderr, flush=True)
    else:
        told = "no dev PER" if row["dev_per"] is None else f"dev PER {row['dev_per']:.4f}"
        log.info("job %d ends: %s, %s", row["job"], told, row["overrides"])
    write_row(Path(hydra.sweep.dir), row)
    return row.get("dev_per")


def whole_sweep(main: Callable[[], Any]) -> None:
    """Run ``main``; where a search gives up because none of its jobs ended well, `raise_failures` names them.

    Raises:
        PedkitError: The command line holds a secret, which tables and launchers would write down.
    """
    refuse_secrets({})
    try:
        main()
    except Exception:
        rows = _sum_up(_begun.pop()) if _begun else []
        if not rows or any(row["status"] == FINISHED for row in rows):
            raise


def _looked_at(cfg: DictConfig, shown: int | None) -> object:
    """Return what can be said of a training without training: what it would be, or what it teaches."""
    if shown:
        from pedkit.training.shown_tokens import shown_tokens

        return shown_tokens(cfg, shown)
    from pedkit.training.dry_run import dry_run

    return dry_run(cfg)


class SweepTable(Callback):
    """Hydra callback: says at the end of a sweep where the table is and which jobs failed."""

    def on_multirun_start(self, config: DictConfig, **kwargs: Any) -> None:
        """Name the folder, and remember it for a search that gives up: Hydra then calls no callback."""
        del kwargs
        _begun[:] = [Path(config.hydra.sweep.dir)]
        _say(f"sweep in {_begun[0]}: a folder a job, and sweep.csv")

    def on_multirun_end(self, config: DictConfig, **kwargs: Any) -> None:
        """Look through the rows, in the process that began the sweep, and write the table a last time."""
        del kwargs
        _begun.clear()
        _sum_up(Path(config.hydra.sweep.dir))


def raise_failures() -> None:
    """Raise if jobs of the sweep that just ended have failed, so that the exit code is not 0.

    Raises:
        PedkitError: With the number of each failed job and its message.
    """
    if _failures:
        raise PedkitError(f"{len(_failures)} of the sweep's jobs failed: {'; '.join(_failures)}")


def _sum_up(folder: Path) -> list[dict[str, Any]]:
    """Write the table a last time: jobs that ended at the same moment may have written it without one another."""
    for row in read_rows(folder):
        if row["status"] not in (FINISHED, FAILED):
            write_row(folder, row | {"status": FAILED, "error": "ended without a word, as a killed process does"})
    write_table(folder)
    rows = read_rows(folder)
    _failures[:] = [f"{row['job']} ({row['error']})" for row in rows if row["status"] != FINISHED]
    done = [row for row in rows if row["status"] == FINISHED and row["dev_per"] is not None]
    if done:
        best = min(done, key=lambda row: float(row["dev_per"]))
        what = f" ({best['varied']})" if best["varied"] else ""
        _say(f"best of {len(rows)} jobs: {best['folder']}{what}, dev PER {best['dev_per']:.4f}")
    _say(str(folder / "sweep.csv"))
    return rows


def _say(sentence: str) -> None:
    # Not logged: where a launcher runs the jobs in other processes, nothing shows the log of this one.
    print(sentence, flush=True)


def write_row(folder: Path, row: Mapping[str, Any]) -> None:
    """Add a job to the table ``sweep.csv`` of a sweep's folder."""
    (folder / ROWS).mkdir(parents=True, exist_ok=True)
    write_object(folder / ROWS / f"{row['job']}.json", row)
    write_table(folder)


def write_table(folder: Path) -> None:
    """Write ``sweep.csv`` of a sweep's folder from the rows of its jobs."""
    rows = read_rows(folder)
    with replacing(folder / "sweep.csv") as stream:
        writer = csv.DictWriter(stream, COLUMNS, extrasaction="ignore", lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def read_rows(folder: Path) -> list[dict[str, Any]]:
    """Return the jobs of a sweep that have begun, in order of their numbers, with what sets them apart."""
    rows = [read_object(file) for file in (folder / ROWS).glob("*.json")]
    said = [row.get("said") or [] for row in rows]
    for row, own in zip(rows, said, strict=True):
        row["varied"] = " ".join(one for one in own if not all(one in other for other in said))
    return sorted(rows, key=lambda row: int(row["job"]))


def _one_process(cfg: DictConfig) -> None:
    # Lightning starts the other processes with the command of the whole sweep, and each would run all its jobs.
    devices = cfg.trainer.get("devices")
    several = devices not in (1, "1", None) and not (isinstance(devices, ListConfig) and len(devices) == 1)
    if several and (devices, cfg.trainer.get("accelerator")) != ("auto", "cpu"):
        raise PedkitError(
            f"a sweep's jobs train in one process each, but trainer.devices is {devices}",
            hint="set trainer.devices=1, or start the jobs one by one",
        )


def _something_to_minimise(cfg: DictConfig, sweeper: str) -> None:
    if (
        cfg.get("steps")
        and not cfg.steps.get("folds")
        and not cfg.data.dev
        and not sweeper.endswith("BasicSweeper")
    ):
        raise PedkitError(
            "steps=fixed without dev sets has no dev PER that a search could minimise",
            hint="give data.dev, or leave out sweep=",
        )


def _ended_well(folder: Path, dev_per: float) -> dict[str, Any]:
    """Return the fields of a job that has ended; without dev sets there is no PER."""
    from pedkit.training.run_folder import read_run

    value = None if math.isnan(dev_per) else dev_per
    return {"dev_per": value, "status": FINISHED, "epoch": read_run(folder)["kept"]["epoch"], "error": None}


def _resume(folder: Path, train: Callable[[], float]) -> float:
    """Go on with a run; where it is a job of a sweep, the sweep's table learns what came of it."""
    sweep = folder.absolute().parent
    row = next((row for row in read_rows(sweep) if Path(row["folder"]).name == folder.absolute().name), None)
    try:
        value = train()
    except Exception as error:
        if row is not None:
            write_row(sweep, row | {"status": FAILED, "error": explain(error) or str(error)})
        raise
    if row is not None:
        write_row(sweep, row | _ended_well(folder, value))
    return value


def _write_traceback(folder: Path) -> None:
    file = folder / "train.log"
    if not file.exists():  # the run folder writes its own, once it is claimed
        folder.mkdir(parents=True, exist_ok=True)
        file.write_text(traceback.format_exc(), encoding="utf-8")
