"""Hear and score, or score a file: `python evaluate.py predictions=FILE manifest=FILE output_dir=DIR`."""

import pedkit.ctrl_c  # noqa: F401 (before the slow ones)  # isort: skip
import hydra
from omegaconf import DictConfig

from pedkit.entrypoint import run


@hydra.main(version_base="1.3", config_path="conf", config_name="evaluate")
def main(cfg: DictConfig) -> None:
    """Evaluate what the configuration describes (docs/evaluation.md)."""
    from pedkit.evaluation.evaluate import evaluate

    evaluate(cfg)


if __name__ == "__main__":
    run(main)
