"""A program: trains from a configuration file in several processes, of which one kills itself (SIGKILL).

    python killed_process.py CONFIG.yaml RUN_DIR RANK.EPOCH.BATCH

``RANK.EPOCH.BATCH`` says which process, before which of its batches, counted from 0; ``never`` for none. Lightning
starts the other processes with the same command.
"""

from __future__ import annotations

import os
import signal
import sys
from typing import Any

from omegaconf import OmegaConf

from pedkit.models import CtcModule
from pedkit.training import train


def main() -> None:
    cfg = OmegaConf.load(sys.argv[1])
    cfg.output_dir = sys.argv[2]
    if sys.argv[3] != "never":
        _arm(*map(int, sys.argv[3].split(".")))
    train(cfg)


def _arm(rank: int, epoch: int, batch: int) -> None:
    step = CtcModule.training_step

    def dying(self: Any, batch_: Any, index: int) -> Any:
        if (int(os.environ.get("LOCAL_RANK", "0")), self.current_epoch, index) == (rank, epoch, batch):
            os.kill(os.getpid(), signal.SIGKILL)
        return step(self, batch_, index)

    CtcModule.training_step = dying


if __name__ == "__main__":
    main()
