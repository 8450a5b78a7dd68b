"""``python train.py resume=RUN_DIR``: the configuration of a run folder, to go on with that run."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from pathlib import Path

from omegaconf import DictConfig, OmegaConf
from yaml import YAMLError

from pedkit.errors import PedkitError
from pedkit.training.run_folder import read_run, without_place

log = logging.getLogger(__name__)


def resumed(folder: str | Path, overrides: Sequence[str] = ()) -> DictConfig:
    """Return the configuration of a run, at home in the folder where the run lies now.

    Args:
        folder: The run folder; it may have been moved or renamed.
        overrides: What else was said on the command line.

    Raises:
        PedkitError: The folder holds no run, or there are other settings: a run keeps those it began with.
    """
    others = [override for override in overrides if not override.startswith("resume=")]
    if others:
        raise PedkitError(
            f"a resumed run keeps its own settings, but the command also says {' '.join(others)}",
            hint="leave that out, or start another run with another output_dir",
        )
    path = Path(folder)
    record = read_run(path)
    file = path / "config.yaml"
    try:
        settings = OmegaConf.to_container(OmegaConf.load(file))
    except FileNotFoundError:
        raise PedkitError("no such file, so the run cannot be resumed", file=file) from None
    except YAMLError as error:
        raise PedkitError(f"not a YAML file: {error}", file=file) from None
    if not isinstance(settings, dict) or "output_dir" not in settings:
        raise PedkitError("expected the configuration of a run, with output_dir", file=file)
    began_in = record.get("working_directory")
    if began_in not in (None, str(Path.cwd())):
        log.warning("the run began in %s; relative paths are taken from here now", began_in)
    moved = without_place(settings, str(settings["output_dir"]))
    return OmegaConf.create({**moved, "output_dir": str(path)})
