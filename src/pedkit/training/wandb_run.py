"""`WandbRun`: a training in Weights & Biases, online where that can be, otherwise on disk."""

from __future__ import annotations

import logging
import os
from argparse import Namespace
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytorch_lightning.loggers.logger import Logger
from pytorch_lightning.utilities import rank_zero_only

from pedkit.data.json_file import read_object, write_object
from pedkit.training.run_folder import read_run
from pedkit.training.wandb_login import wandb_login

if TYPE_CHECKING:
    from pedkit.training.dev_examples import Examples

log = logging.getLogger(__name__)

RECORD = "wandb.json"


class WandbRun(Logger):
    """Writes a run into W&B: settings, metrics, the worst dev utterances with their audio, a confusion matrix.

    A run that is resumed continues the same W&B run; its id is kept in ``wandb.json`` of the run folder. Where
    nobody is logged in or the server is out of reach, the run is kept on disk, for ``wandb sync``. Uncommitted
    code and what is printed are not passed on. Wrap it in `pedkit.training.BestEffort`, as ``train.py`` does:
    it raises whatever W&B raises.

    Args:
        save_dir: The run folder; W&B's files are put into its folder ``wandb``.
        project: Project in W&B.
        name: Name of the run there.
        entity: User or team; ``None`` = the default one.
        group: Group of the run there, such as the name of a sweep.
        tags: Tags of the run there.
        offline: Keep it on disk, whatever the server; so does ``WANDB_MODE=offline``.
        upload_checkpoint: Upload the kept checkpoint as an artifact when the training has ended.
        init_timeout: Seconds to wait for the server at the start.
        finish_timeout: Seconds to wait for the upload at the end; what is then left can be sent by ``wandb sync``.
    """

    def __init__(
        self,
        save_dir: str | Path,
        *,
        project: str = "pedkit",
        name: str | None = None,
        entity: str | None = None,
        group: str | None = None,
        tags: Sequence[str] = (),
        offline: bool = False,
        upload_checkpoint: bool = False,
        init_timeout: float = 30.0,
        finish_timeout: float = 300.0,
    ) -> None:
        super().__init__()
        self._folder = Path(save_dir).absolute()
        self._place: dict[str, Any] = {"project": project, "entity": entity, "group": group, "tags": list(tags)}
        self._name, self._offline, self._upload = name, offline, upload_checkpoint
        self._timeouts = {"init_timeout": init_timeout, "finish_timeout": finish_timeout}
        self._run: Any = None

    @property
    def name(self) -> str:
        """Name of the run."""
        return self._name or ""

    @property
    def version(self) -> str:
        """Nothing: a run folder holds one run."""
        return ""

    @rank_zero_only
    def log_hyperparams(self, params: dict[str, Any] | Namespace, *args: Any, **kwargs: Any) -> None:
        """Begin the run, with these settings."""
        del args, kwargs
        settings = vars(params) if isinstance(params, Namespace) else params
        self._begin().config.update(dict(settings), allow_val_change=True)

    @rank_zero_only
    def log_metrics(self, metrics: Mapping[str, float], step: int | None = None) -> None:
        """Log metrics; Lightning counts epochs from 0, W&B is told them from 1, as ``metrics.csv`` is."""
        shown = {name: value + (name == "epoch") for name, value in metrics.items()}
        self._begin().log({**shown, "step": step or 0})

    @rank_zero_only
    def log_dev_examples(self, examples: Examples, step: int) -> None:
        """Log the worst dev utterances as a table, and what was heard for what as a confusion matrix."""
        import wandb

        run = self._begin()
        columns = ["dev_set", "id", "audio", "per", "canonical", "realized", "predicted", "errors"]
        table = wandb.Table(columns=columns)
        for one in examples.worst:
            clip = examples.audio(one, upload=not run.offline)
            sound = None if clip is None else wandb.Audio(clip, sample_rate=examples.sample_rate)
            table.add_data(
                one.dev_set, one.id, sound, one.per, one.canonical, one.realized, one.predicted, one.errors
            )
        counts = wandb.Table(
            columns=["Actual", "Predicted", "nPredictions"],
            data=[[a, b, n] for (a, b), n in sorted(examples.confusions.items())],
        )
        matrix = wandb.plot_table(
            vega_spec_name="wandb/confusion_matrix/v1",
            data_table=counts,
            fields={name: name for name in ("Actual", "Predicted", "nPredictions")},
            string_fields={"title": "dev: realized (Actual) and heard (Predicted)"},
        )
        run.log({"dev_worst": table, "dev_confusions": matrix, "step": step})

    @rank_zero_only
    def finalize(self, status: str) -> None:
        """Upload what ``run.json`` names as kept, where that is asked for, and end the run."""
        if self._run is None:
            return
        run, self._run = self._run, None
        try:
            kept = read_run(self._folder).get("kept") if status == "success" and self._upload else None
            if kept:  # a fold of a cross-validation keeps nothing
                run.log_artifact(str(self._folder / kept["checkpoint"]), name=f"checkpoint-{run.id}", type="model")
        finally:
            run.finish(exit_code=0 if status == "success" else 1)

    def _begin(self) -> Any:
        if self._run is None:
            self._run = self._init()
            self._run.define_metric("*", step_metric="step")
            url = None if self._run.offline else self._run.url
            record = {"id": self._run.id, "project": self._run.project, "url": url}
            write_object(self._folder / RECORD, record)
        return self._run

    def _init(self) -> Any:
        import wandb

        before = self._folder / RECORD
        known = read_object(before)["id"] if before.is_file() else None
        self._folder.mkdir(parents=True, exist_ok=True)
        common = {**self._place, "name": self._name, "id": known, "dir": str(self._folder)}
        settings = wandb.Settings(
            console="off", silent=True, disable_git=True, disable_code=True, **self._timeouts
        )
        mode: Any = "offline" if self._offline else os.environ.get("WANDB_MODE", "online")
        if mode not in ("offline", "disabled") and wandb_login() is None:
            log.warning(
                "nobody is logged in to W&B (wandb login), so the run is kept on disk; wandb sync sends it"
            )
            mode = "offline"
        resume: Any = None if known is None or mode == "offline" else "allow"
        common |= {"settings": settings, "reinit": "create_new"}
        try:
            return wandb.init(**common, mode=mode, resume=resume)
        except wandb.errors.Error as error:
            if mode == "offline":
                raise
            reason = str(error).strip().splitlines()[0]
            log.warning("W&B is out of reach, so the run is kept on disk; wandb sync sends it: %s", reason)
        return wandb.init(**common, mode="offline")
