"""Reading a model back out of a run folder."""

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


@dataclass(frozen=True, slots=True)
class LoadedRun:
    """A trained model with its vocabulary, and which one it is."""

    encoder: CtcEncoder
    vocabulary: PhoneVocabulary
    name: str
    revision: str
    config_hash: str | None


def load_run(run_dir: str | Path, checkpoint: str | None = None) -> LoadedRun:
    """Load a checkpoint of a run folder, weights only: nothing in the file is executed.

    Args:
        run_dir: The folder.
        checkpoint: Path relative to the folder; the kept one where ``None``.

    Raises:
        PedkitError: The folder is not a run folder, nothing was kept yet, or the weights do not fit the model.
    """
    folder = Path(run_dir)
    record = _read_json(folder / "run.json", hint="python train.py writes one")
    if checkpoint is None:
        if record.get("kept") is None:
            raise PedkitError("this run has kept no checkpoint yet", file=folder, hint="let the training continue")
        checkpoint = record["kept"]["checkpoint"]
    path = folder / str(checkpoint)
    if not path.is_file():
        raise PedkitError("no such checkpoint", file=path)
    vocabulary = PhoneVocabulary.load(folder / "vocabulary.json")
    try:
        encoder = encoder_from_dict(_read_json(folder / "encoder.json"), vocabulary)
    except (KeyError, TypeError, ValueError) as error:
        raise PedkitError(f"describes no encoder ({error})", file=folder / "encoder.json") from None
    try:
        encoder.load_state_dict(_weights(path))
    except RuntimeError as error:  # lists every parameter
        reason = str(error).split("\n")[1].strip() if "\n" in str(error) else str(error)
        raise PedkitError(f"the weights do not fit the model of encoder.json ({reason})", file=path) from None
    return LoadedRun(encoder, vocabulary, record["name"], file_hash(path), record.get("config_hash"))


def _weights(path: Path) -> dict[str, torch.Tensor]:
    try:
        state = torch.load(path, map_location="cpu", weights_only=True)["state_dict"]
    except (RuntimeError, OSError, EOFError, LookupError, TypeError, pickle.UnpicklingError):
        raise PedkitError("this is no checkpoint of pedkit, or not a whole one", file=path) from None
    return {key[len(ENCODER_PREFIX) :]: value for key, value in state.items() if key.startswith(ENCODER_PREFIX)}


def _read_json(path: Path, hint: str | None = None) -> dict[str, Any]:
    try:
        value: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise PedkitError("no such file, so this is not a run folder", file=path, hint=hint) from None
    except json.JSONDecodeError as error:
        raise PedkitError(f"not a JSON file: {error.msg}", file=path, line=error.lineno) from None
    if not isinstance(value, dict):
        raise PedkitError(f"expected a JSON object, but got {type(value).__name__}", file=path)
    return value
