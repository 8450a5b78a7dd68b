"""A program: trains from a configuration file, and one process can read no train clip but at the very start.

    python vanishing_recordings.py CONFIG.yaml

Lightning starts the other processes with the same command; the disk of the one with ``LOCAL_RANK`` 1 fails.
"""

from __future__ import annotations

import os
import sys
from collections import Counter
from pathlib import Path

from omegaconf import OmegaConf

import pedkit.data.dataset
from pedkit.data.audio import load_audio
from pedkit.errors import PedkitError
from pedkit.training import train


def main() -> None:
    read = Counter[str]()

    def load(audio, sample_rate):
        read[audio.path] += 1
        if read[audio.path] > 1 and Path(audio.path).name.startswith("train"):
            raise PedkitError("cannot be read: input/output error", file=audio.path)
        return load_audio(audio, sample_rate)

    if os.environ.get("LOCAL_RANK") == "1":
        pedkit.data.dataset.load_audio = load
    train(OmegaConf.load(sys.argv[1]))


if __name__ == "__main__":
    main()
