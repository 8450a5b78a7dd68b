"""A program: trains from a configuration file, kills itself (SIGKILL) at each of several points, and resumes.

    python killed_training.py CONFIG.yaml FOLDER POINT ...

``POINT`` is ``batch:E.B`` (before batch B of epoch E, counted from 0), ``half:N`` (half way through writing the
N-th checkpoint, counted from 1), ``written:N`` (right after it has its name) or ``log:N`` (after run.json has
named the kept checkpoint of the N-th epoch). Below FOLDER each gets a run folder and a list of the batches heard,
and ``never`` is a run without a kill. The others are children by fork: a kill is real, and costs no second start.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import traceback
from pathlib import Path
from typing import Any

import torch
from hydra.utils import get_class
from omegaconf import OmegaConf

from pedkit.training import train
from pedkit.training.checkpoints import AtomicCheckpointIO, BestCheckpoint


def arm(point: str, module: type) -> None:
    kind, _, place = point.partition(":")
    if kind == "batch":
        epoch, batch = map(int, place.split("."))
        _wrap(module, "training_step", before=lambda self, _, i: (self.current_epoch, i) == (epoch, batch))
    elif kind == "half":
        _half(int(place))
    elif kind == "written":
        _wrap(AtomicCheckpointIO, "save_checkpoint", after=_nth(int(place)))
    elif kind == "log":
        _wrap(BestCheckpoint, "clear_superseded", before=_nth(int(place)))


def _nth(number: int) -> Any:
    count = iter(range(1, 1000))
    return lambda *_: next(count) == number


def _wrap(owner: type, name: str, *, before: Any = None, after: Any = None) -> None:
    original = getattr(owner, name)

    def wrapped(self: Any, *args: Any, **options: Any) -> Any:
        if before is not None and before(self, *args):
            _die()
        result = original(self, *args, **options)
        if after is not None and after(self, *args):
            _die()
        return result

    setattr(owner, name, wrapped)


def _half(number: int) -> None:
    save, due = torch.save, _nth(number)

    def halved(checkpoint: Any, stream: Any) -> None:
        if due():
            stream.write(b"half of it")
            stream.flush()
            _die()
        save(checkpoint, stream)

    torch.save = halved


def _die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def live(config: Path, run: Path, heard: Path) -> None:
    """Train, and write down every batch."""
    cfg = OmegaConf.load(config)
    module: Any = get_class(cfg.model._target_)
    step = module.training_step
    with heard.open("w", encoding="utf-8", buffering=1) as stream:

        def listening(self: Any, batch: Any, index: int) -> Any:
            stream.write(json.dumps([self.current_epoch, index, [u.id for u in batch.utterances]]) + "\n")
            return step(self, batch, index)

        module.training_step = listening
        cfg.output_dir = str(run)
        train(cfg)
    module.training_step = step


def child(point: str | None, *life: Path) -> int:
    """Live in a child process; return its exit status as ``os.wait`` has it."""
    process = os.fork()
    if process:
        return os.waitpid(process, 0)[1]
    try:
        if point is not None:
            arm(point, get_class(OmegaConf.load(life[0]).model._target_))
        live(*life)
    except BaseException:
        traceback.print_exc()
        os._exit(1)
    os._exit(0)


def main() -> None:
    config, folder = Path(sys.argv[1]), Path(sys.argv[2])
    live(config, folder / "never", folder / "never.last")
    for point in sys.argv[3:]:
        status = child(point, config, folder / point, folder / f"{point}.first")
        assert os.WIFSIGNALED(status), f"{point}: was not killed"
        assert os.WTERMSIG(status) == signal.SIGKILL, f"{point}: {status}"
        status = child(None, config, folder / point, folder / f"{point}.last")
        assert status == 0, f"{point}: the resumed run ended with {status}"


if __name__ == "__main__":
    main()
