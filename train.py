"""Train a phone recognizer: ``python train.py`` (the demo) or ``python train.py experiment=NAME key=value ...``."""

from __future__ import annotations

import hydra
from omegaconf import DictConfig

from pedkit.entrypoint import run


@hydra.main(version_base="1.3", config_path="conf", config_name="train")
def main(cfg: DictConfig) -> float:
    """Train as the configuration says and return the kept checkpoint's dev PER."""
    from pedkit.training.sweep import train_job

    return train_job(cfg)


if __name__ == "__main__":
    run(main)
