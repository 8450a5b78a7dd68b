"""Reading a run folder: which checkpoint, of what kind of model, and a CTC model back out of it."""

from __future__ import annotations

import json
import pickle
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from pedkit.data.manifest import file_hash
from pedkit.errors import PedkitError
from pedkit.models.encoder import CtcEncoder
from pedkit.models.families import encoder_from_dict
from pedkit.models.vocabulary import PhoneVocabulary

ENCODER_PREFIX = "encoder."
"""What the names of the encoder's weights start with in a checkpoint of `pedkit.models.CtcModule`."""
EXPORT_FILE = "pedkit.json"
"""Where an exported folder says what it is."""
CTC = "ctc"
"""Kind of the runs that do not say one: those of before there were others."""


@dataclass(frozen=True, slots=True)
class LoadedRun:
    """A trained model with its vocabulary, and which one it is."""

    encoder: CtcEncoder
    vocabulary: PhoneVocabulary
    name: str
    revision: str
    config_hash: str | None


@dataclass(frozen=True, slots=True)
class RunCheckpoint:
    """One checkpoint of a run folder.

    Attributes:
        folder: The run folder.
        path: The checkpoint.
        kind: Kind of the model (``kind`` of ``run.json``, see `pedkit.models.TrainableModule`).
        name: Name of the run.
        config_hash: Hash of the run's configuration.
    """

    folder: Path
    path: Path
    kind: str
    name: str
    config_hash: str | None

    @property
    def revision(self) -> str:
        """Sha256 of the checkpoint: which weights exactly."""
        return file_hash(self.path)


def run_checkpoint(run_dir: str | Path, checkpoint: str | None = None) -> RunCheckpoint:
    """Find a checkpoint of a run folder.

    Args:
        run_dir: The folder.
        checkpoint: Path relative to the folder; the kept one where ``None``.

    Raises:
        PedkitError: The folder is not a run folder, or nothing was kept yet.
    """
    folder = Path(run_dir)
    record = read_json(folder / "run.json", hint="python train.py writes one")
    if checkpoint is None:
        if record.get("kept") is None:
            raise PedkitError("this run has kept no checkpoint yet", file=folder, hint="let the training continue")
        checkpoint = record["kept"]["checkpoint"]
    path = folder / str(checkpoint)
    if not path.is_file():
        raise PedkitError("no such checkpoint", file=path)
    return RunCheckpoint(folder, path, str(record.get("kind", CTC)), record["name"], record.get("config_hash"))


def load_run(run_dir: str | Path, checkpoint: str | None = None) -> LoadedRun:
    """Load a checkpoint of a CTC model, weights only: nothing in the file is executed.

    Args:
        run_dir: The folder.
        checkpoint: Path relative to the folder; the kept one where ``None``.

    Raises:
        PedkitError: The folder is not a run folder, nothing was kept yet, or the weights do not fit the model.
    """
    run = run_checkpoint(run_dir, checkpoint)
    vocabulary = PhoneVocabulary.load(run.folder / "vocabulary.json")
    try:
        encoder = encoder_from_dict(read_json(run.folder / "encoder.json"), vocabulary)
    except (KeyError, TypeError, ValueError) as error:
        raise PedkitError(f"describes no encoder ({error})", file=run.folder / "encoder.json") from None
    state = read_checkpoint(run.path)["state_dict"]
    weights = {key[len(ENCODER_PREFIX) :]: state[key] for key in state if key.startswith(ENCODER_PREFIX)}
    try:
        encoder.load_state_dict(weights)
    except RuntimeError as error:  # lists every parameter
        reason = str(error).split("\n")[1].strip() if "\n" in str(error) else str(error)
        raise PedkitError(f"the weights do not fit the model of encoder.json ({reason})", file=run.path) from None
    return LoadedRun(encoder, vocabulary, run.name, run.revision, run.config_hash)


def read_checkpoint(path: Path) -> dict[str, Any]:
    """Return what a checkpoint holds, its weights under ``state_dict``; nothing in it is executed.

    Raises:
        PedkitError: It is no checkpoint of pedkit, or not a whole one.
    """
    try:
        content: dict[str, Any] = torch.load(path, map_location="cpu", weights_only=True)
        return {**content, "state_dict": dict(content["state_dict"])}
    except (RuntimeError, OSError, EOFError, LookupError, TypeError, ValueError, pickle.UnpicklingError):
        raise PedkitError("this is no checkpoint of pedkit, or not a whole one", file=path) from None


def read_json(path: Path, hint: str | None = None) -> dict[str, Any]:
    """Return the JSON object in a file of a run folder.

    Raises:
        PedkitError: The file is absent, or holds something else.
    """
    try:
        value: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise PedkitError("no such file, so this is not a run folder", file=path, hint=hint) from None
    except json.JSONDecodeError as error:
        raise PedkitError(f"not a JSON file: {error.msg}", file=path, line=error.lineno) from None
    if not isinstance(value, dict):
        raise PedkitError(f"expected a JSON object, but got {type(value).__name__}", file=path)
    return value
