"""Train a phone recognizer: ``python train.py`` (the demo), or with ``experiment=NAME key=value ...``."""

from __future__ import annotations

import pedkit.ctrl_c  # noqa: F401 (before the slow ones)  # isort: skip
import hydra
from omegaconf import DictConfig

from pedkit.entrypoint import run
from pedkit.training.sweep import raise_failures, train_job, whole_sweep


@hydra.main(version_base="1.3", config_path="conf", config_name="train")
def main(cfg: DictConfig) -> float | None:
    """Train as the configuration says and return the kept checkpoint's dev PER."""
    return train_job(cfg)


if __name__ == "__main__":
    run(lambda: whole_sweep(main))
    run(raise_failures)  # the jobs of a sweep that failed while others went on
