"""`export_run`: a run folder's kept checkpoint as a folder that others can load, whatever kind of model it is."""

from __future__ import annotations

import importlib
import shutil
import tempfile
from pathlib import Path
from typing import Any

from pedkit.errors import PedkitError
from pedkit.export.request import ExportRequest
from pedkit.recognizers.run import run_checkpoint

WRITERS = {"ctc": ("ctc_folder", "write_ctc"), "audio_language_model": ("adapter_folder", "write_adapter")}
"""Kind in ``run.json`` -> module and function that write the folder."""


def export_run(run_dir: str | Path, out: str | Path, **options: Any) -> Path:
    """Write the model of a run folder.

    A CTC model becomes a folder for ``from_pretrained`` of transformers: ``config.json`` and ``model.safetensors``
    (LoRA merged into the weights), ``preprocessor_config.json``, ``vocab.json`` and ``tokenizer_config.json``,
    ``vocabulary.json`` (phones and their inventory) and, for pedkit's own families, the model's code. Of an audio
    language model the adapters are written as peft does, with ``prompt.json``, or the merged model. All have
    ``pedkit.json`` (which run, which weights, which data they have seen) and ``README.md`` (model card).

    Args:
        run_dir: A folder written by ``train.py``.
        out: The folder to write; it appears when all is in it.
        options: Attributes of `pedkit.export.request.ExportRequest`.

    Returns:
        ``out``.

    Raises:
        PedkitError: The run cannot be read, ``out`` exists and is not empty, or the evaluation is of other
            weights.
    """
    target = Path(out)
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise PedkitError("exists already", file=target, hint="delete it or choose another folder")
    request = ExportRequest(run_dir=Path(run_dir), **options)
    kind = run_checkpoint(request.run_dir, request.checkpoint).kind
    if kind not in WRITERS:
        raise PedkitError(f"expected a model of the kind {' or '.join(WRITERS)}, but got {kind!r}", file=run_dir)
    module, function = WRITERS[kind]
    write = getattr(importlib.import_module(f"pedkit.export.{module}"), function)
    target.parent.mkdir(parents=True, exist_ok=True)
    folder = Path(tempfile.mkdtemp(dir=target.parent, prefix=f".{target.name}."))
    try:
        write(folder, request)
        if target.is_dir():
            target.rmdir()
        folder.chmod(0o755)
        for path in folder.rglob("*"):  # safetensors writes for its owner alone; a server may be somebody else
            path.chmod(0o755 if path.is_dir() else 0o644)
        folder.rename(target)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return target
