"""What ``train.py`` runs: objects from the configuration, callbacks, run folders, resume."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pedkit.training.best_effort import BestEffort
    from pedkit.training.checkpoints import BestCheckpoint, LastCheckpoint
    from pedkit.training.counts_metric import CountsMetric
    from pedkit.training.cross_validation import CrossValidation
    from pedkit.training.csv_logger import MetricsCsv
    from pedkit.training.dev_examples import DevExamples
    from pedkit.training.dev_scores import DevScores
    from pedkit.training.early_stopping import EarlyStopping
    from pedkit.training.fixed_steps import FixedSteps
    from pedkit.training.held_out_curve import HeldOutSteps
    from pedkit.training.progress import Progress
    from pedkit.training.run_folder import RunFolder, read_run
    from pedkit.training.run_training import train
    from pedkit.training.wandb_run import WandbRun

_LAZY = {
    "BestCheckpoint": "checkpoints",
    "BestEffort": "best_effort",
    "CountsMetric": "counts_metric",
    "CrossValidation": "cross_validation",
    "DevExamples": "dev_examples",
    "DevScores": "dev_scores",
    "EarlyStopping": "early_stopping",
    "LastCheckpoint": "checkpoints",
    "FixedSteps": "fixed_steps",
    "HeldOutSteps": "held_out_curve",
    "MetricsCsv": "csv_logger",
    "Progress": "progress",
    "RunFolder": "run_folder",
    "WandbRun": "wandb_run",
    "read_run": "run_folder",
    "train": "run_training",
}

__all__ = [
    "BestCheckpoint",
    "BestEffort",
    "CountsMetric",
    "CrossValidation",
    "DevExamples",
    "DevScores",
    "EarlyStopping",
    "FixedSteps",
    "HeldOutSteps",
    "LastCheckpoint",
    "MetricsCsv",
    "Progress",
    "RunFolder",
    "WandbRun",
    "read_run",
    "train",
]


def __getattr__(name: str) -> Any:
    if name in _LAZY:
        return getattr(importlib.import_module(f"pedkit.training.{_LAZY[name]}"), name)
    raise AttributeError(f"module 'pedkit.training' has no attribute {name!r}")
