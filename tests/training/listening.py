"""A program: trains from a configuration file and writes down what each of its processes hears.

    python listening.py CONFIG.yaml HEARD

Lightning starts the other processes with the same command. Each writes ``HEARD.RANK``, a line a batch: whether it
is of ``train`` or ``dev``, and its utterances.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

from hydra.utils import get_class
from omegaconf import OmegaConf

from pedkit.training import train


def main() -> None:
    cfg = OmegaConf.load(sys.argv[1])
    module = get_class(cfg.model._target_)
    rank = os.environ.get("LOCAL_RANK", "0")
    with Path(f"{sys.argv[2]}.{rank}").open("w", encoding="utf-8", buffering=1) as stream:
        for name, kind in (("training_step", "train"), ("validation_step", "dev")):
            _listen(module, name, kind, stream)
        train(cfg)


def _listen(module: Any, name: str, kind: str, stream: Any) -> None:
    step = getattr(module, name)

    def listening(self: Any, batch: Any, *args: Any) -> Any:
        stream.write(json.dumps([kind, [utterance.id for utterance in batch.utterances]]) + "\n")
        return step(self, batch, *args)

    setattr(module, name, listening)


if __name__ == "__main__":
    main()
