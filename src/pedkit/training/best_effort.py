"""`BestEffort`: a logger whose backend may be absent, out of reach or die, and the training goes on."""

from __future__ import annotations

import logging
from argparse import Namespace
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from pytorch_lightning.loggers.logger import Logger
from pytorch_lightning.utilities import rank_zero_only

from pedkit.building import build
from pedkit.errors import PedkitError
from pedkit.training.csv_logger import MetricsCsv

log = logging.getLogger(__name__)


class BestEffort(Logger):
    """Passes everything on to a logger until that raises; says so once, and is silent from then on.

    Args:
        name: What to call it in messages.
        logger: The logger.
    """

    def __init__(self, name: str, logger: Logger) -> None:
        super().__init__()
        self._title = name
        self._logger: Logger | None = logger

    @property
    def name(self) -> str:
        """What it is called in messages."""
        return self._title

    @property
    def version(self) -> str:
        """Nothing: a run folder holds one run."""
        return ""

    @property
    def alive(self) -> bool:
        """Whether the backend has not failed yet."""
        return self._logger is not None

    @rank_zero_only
    def log_hyperparams(self, params: dict[str, Any] | Namespace, *args: Any, **kwargs: Any) -> None:
        """Pass the configuration on."""
        self._try("log_hyperparams", params, *args, **kwargs)

    @rank_zero_only
    def log_metrics(self, metrics: Mapping[str, float], step: int | None = None) -> None:
        """Pass metrics on."""
        self._try("log_metrics", dict(metrics), step)

    @rank_zero_only
    def log_dev_examples(self, examples: Any, step: int) -> None:
        """Pass `pedkit.training.dev_examples.Examples` on to a logger that can show them."""
        if self.shows_examples:
            self._try("log_dev_examples", examples, step)

    @property
    def shows_examples(self) -> bool:
        """Whether the logger can show `pedkit.training.dev_examples.Examples`."""
        return hasattr(self._logger, "log_dev_examples")

    @rank_zero_only
    def save(self) -> None:
        """Let it write what it has."""
        self._try("save")

    def after_save_checkpoint(self, checkpoint_callback: Any) -> None:
        """Tell it of a checkpoint."""
        self._try("after_save_checkpoint", checkpoint_callback)

    @rank_zero_only
    def finalize(self, status: str) -> None:
        """Let it end."""
        self._try("finalize", status)

    def _try(self, method: str, *args: Any, **kwargs: Any) -> None:
        if self._logger is None:
            return
        try:
            getattr(self._logger, method)(*args, **kwargs)
        except Exception as error:  # whatever a backend raises: no experiment is lost for its diary
            self._logger = None
            log.warning("%s is lost for this run, the training goes on: %s", self._title, _reason(error))


def build_loggers(settings: Mapping[str, Mapping[str, Any] | None] | None) -> list[Logger]:
    """Build the loggers of a configuration; all but `MetricsCsv` may fail without stopping the training.

    Args:
        settings: Name -> its settings; ``None`` switches one off.

    Raises:
        PedkitError: A setting is wrong. That a package is not installed is only said.
    """
    loggers: list[Logger] = []
    for name, one in (settings or {}).items():
        if not one:
            continue
        try:
            logger = build(one, f"logger.{name}")
        except PedkitError as error:
            if not _package_missing(error):
                raise
            log.warning("%s is left out, the training goes on: %s", name, error)
            continue
        loggers.append(logger if isinstance(logger, MetricsCsv) else BestEffort(name, logger))
    return loggers


@contextmanager
def ended(loggers: Sequence[Logger]) -> Iterator[None]:
    """End loggers even where the training fails, or the next run of a sweep would be logged into theirs."""
    status = "failed"
    try:
        yield
        status = "success"
    finally:
        for logger in loggers:
            logger.finalize(status)


def _package_missing(error: BaseException | None) -> bool:
    while error is not None:
        if isinstance(error, ImportError):
            return True
        error = error.__cause__
    return False


def _reason(error: Exception) -> str:
    lines = str(error).strip().splitlines()
    return lines[0] if lines else type(error).__name__
