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

from omegaconf import OmegaConf

from pedkit.models import CtcModule
from pedkit.training import train


def main() -> None:
    rank = os.environ.get("LOCAL_RANK", "0")
    with Path(f"{sys.argv[2]}.{rank}").open("w", encoding="utf-8", buffering=1) as stream:
        for name, kind in (("training_step", "train"), ("validation_step", "dev")):
            _listen(name, kind, stream)
        train(OmegaConf.load(sys.argv[1]))


def _listen(name: str, kind: str, stream: Any) -> None:
    step = getattr(CtcModule, name)

    def listening(self: Any, batch: Any, *args: Any) -> Any:
        stream.write(json.dumps([kind, [utterance.id for utterance in batch.utterances]]) + "\n")
        return step(self, batch, *args)

    setattr(CtcModule, name, listening)


if __name__ == "__main__":
    main()
