"""`MetricsCsv`: one table of metrics a run, which a resumed run continues instead of starting anew."""

from __future__ import annotations

import csv
from argparse import Namespace
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pytorch_lightning.loggers.logger import Logger
from pytorch_lightning.utilities import rank_zero_only

from pedkit.data.atomic import replacing


class MetricsCsv(Logger):
    """Writes ``metrics.csv``: a row a step, a column a metric, empty where a step has none.

    Lightning's own CSV logger deletes the table of the interrupted run. Here only the rows after the checkpoint
    from which the run continues are dropped, so that steps strictly increase.

    Args:
        save_dir: The run folder.
    """

    def __init__(self, save_dir: str | Path) -> None:
        super().__init__()
        self._path = Path(save_dir) / "metrics.csv"
        self._rows: dict[int, dict[str, str]] | None = None

    @property
    def name(self) -> str:
        """Nothing: the run folder has the name."""
        return ""

    @property
    def version(self) -> str:
        """Nothing: a run folder holds one run."""
        return ""

    @property
    def save_dir(self) -> str:
        """The run folder."""
        return str(self._path.parent)

    @rank_zero_only
    def log_hyperparams(self, params: dict[str, Any] | Namespace, *args: Any, **kwargs: Any) -> None:
        """Do nothing: ``config.yaml`` has them."""

    @rank_zero_only
    def log_metrics(self, metrics: Mapping[str, float], step: int | None = None) -> None:
        """Add metrics to the row of ``step``; rows of later steps, left by an interrupted run, go.

        Results of an epoch are written at once, values of single steps together with the next of them. Lightning
        counts epochs from 0, the table from 1.
        """
        step = step or 0
        if self._rows is None:
            self._rows = {number: row for number, row in self._read().items() if number < step}
        shown = {name: f"{value + (name == 'epoch'):.7g}" for name, value in metrics.items()}
        self._rows.setdefault(step, {}).update(shown)
        if any(name.startswith(("train_", "dev_")) for name in metrics):
            self.save()

    @rank_zero_only
    def save(self) -> None:
        """Write the table, whole or not at all."""
        if self._rows is None:
            return
        columns = ["step", *dict.fromkeys(name for row in self._rows.values() for name in row)]
        with replacing(self._path) as stream:
            writer = csv.DictWriter(stream, columns, lineterminator="\n")
            writer.writeheader()
            writer.writerows({"step": step, **row} for step, row in sorted(self._rows.items()))

    def _read(self) -> dict[int, dict[str, str]]:
        if not self._path.is_file():
            return {}
        with self._path.open(encoding="utf-8", newline="") as stream:
            rows = list(csv.DictReader(stream))
        return {int(row.pop("step")): {name: value for name, value in row.items() if value} for row in rows}
