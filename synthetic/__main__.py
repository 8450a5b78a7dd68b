"""``python -m synthetic``: make the demonstration set; ``python -m synthetic synthetic=short`` a smaller one."""

from __future__ import annotations

import gc
from pathlib import Path

import pedkit.ctrl_c  # noqa: F401 (before the slow ones)  # isort: skip
import hydra
from hydra._internal.hydra import Hydra
from omegaconf import DictConfig

from pedkit.entrypoint import run

CONF = Path(__file__).resolve().parents[1] / "conf"


@hydra.main(version_base="1.3", config_path=str(CONF), config_name="synthesize")
def main(cfg: DictConfig) -> None:
    """Hand the composed config to `synthetic.synthesize.synthesize`."""
    from synthetic.synthesize import synthesize

    synthesize(cfg)


if __name__ == "__main__":
    # By default the collector would walk the dictionary's 126 000 entries again and again: a tenth of the run.
    gc.set_threshold(100_000)
    # Hydra composes everything once more to learn whether to sweep, which only -m asks for here: a twentieth.
    Hydra.get_mode = lambda *_, **__: None  # type: ignore[method-assign]
    run(main)
