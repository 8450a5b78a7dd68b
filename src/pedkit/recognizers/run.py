"""Reading a run folder: which checkpoint, of what kind of model, and a CTC model back out of it."""

from __future__ import annotations

import pickle
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from pedkit.data.json_file import read_object
from pedkit.data.manifest import file_hash
from pedkit.errors import PedkitError
from pedkit.models.encoder import CtcEncoder
from pedkit.models.families import encoder_from_dict
from pedkit.models.vocabulary import PhoneVocabulary
from pedkit.provenance import NO_RUN, RUN_FILE

ENCODER_PREFIX = "encoder."
"""What the names of the encoder's weights start with in a checkpoint of `pedkit.models.CtcModule`."""
CTC = "ctc"
"""Kind of the runs that do not say one: those of before there were others."""


@dataclass(frozen=True, slots=True)
class LoadedRun:
    """A trained model with its vocabulary, and which one it is.

    Attributes:
        encoder: The model.
        vocabulary: Its phones.
        name: Name of the run.
        revision: Sha256 of the checkpoint.
        config_hash: Hash of the run's configuration.
        updates: Updates after which the checkpoint was written, ``None`` where it does not say.
        kept: Whether it is the checkpoint that the training kept.
    """

    encoder: CtcEncoder
    vocabulary: PhoneVocabulary
    name: str
    revision: str
    config_hash: str | None
    updates: int | None
    kept: bool


@dataclass(frozen=True, slots=True)
class RunCheckpoint:
    """One checkpoint of a run folder.

    Attributes:
        folder: The run folder.
        path: The checkpoint.
        kind: Kind of the model (``kind`` of ``run.json``, see `pedkit.models.TrainableModule`).
        name: Name of the run.
        config_hash: Hash of the run's configuration.
        kept: Whether it is the one that the training kept.
    """

    folder: Path
    path: Path
    kind: str
    name: str
    config_hash: str | None
    kept: bool

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
    record = read_object(folder / RUN_FILE, missing=NO_RUN, hint="python train.py writes one")
    kept = None if record.get("kept") is None else folder / record["kept"]["checkpoint"]
    if checkpoint is None and kept is None:
        raise _nothing_kept(folder, record)
    path = kept if checkpoint is None else folder / checkpoint
    if path is None or not path.is_file():
        raise PedkitError("no such checkpoint", file=path)
    return RunCheckpoint(
        folder=folder,
        path=path,
        kind=str(record.get("kind", CTC)),
        name=record["name"],
        config_hash=record.get("config_hash"),
        kept=kept is not None and path.resolve() == kept.resolve(),
    )


def _nothing_kept(folder: Path, record: Mapping[str, Any]) -> PedkitError:
    if record.get("status") == "failed":
        return PedkitError(f"this run has kept no checkpoint: {record.get('reason') or 'it failed'}", file=folder)
    return PedkitError("this run has kept no checkpoint yet", file=folder, hint="let the training continue")


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
    described = read_object(run.folder / "encoder.json", missing=NO_RUN)
    try:
        encoder = encoder_from_dict(described, vocabulary)
    except (KeyError, TypeError, ValueError) as error:
        raise PedkitError(f"describes no encoder ({error})", file=run.folder / "encoder.json") from None
    content = read_checkpoint(run.path)
    state = content["state_dict"]
    weights = {key[len(ENCODER_PREFIX) :]: state[key] for key in state if key.startswith(ENCODER_PREFIX)}
    try:
        encoder.load_state_dict(weights)
    except RuntimeError as error:  # lists every parameter
        reason = str(error).split("\n")[1].strip() if "\n" in str(error) else str(error)
        raise PedkitError(f"the weights do not fit the model of encoder.json ({reason})", file=run.path) from None
    return LoadedRun(
        encoder=encoder,
        vocabulary=vocabulary,
        name=run.name,
        revision=run.revision,
        config_hash=run.config_hash,
        updates=content.get("global_step"),
        kept=run.kept,
    )


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
