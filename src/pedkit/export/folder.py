"""`export_run`: a run folder's kept checkpoint as a folder that plain transformers loads."""

from __future__ import annotations

import json
import shutil
import tempfile
from pathlib import Path
from typing import Any

from pedkit.data.atomic import write_text
from pedkit.errors import PedkitError
from pedkit.export.merged import merge_lora
from pedkit.export.model_card import card_text
from pedkit.export.model_facts import ModelFacts
from pedkit.export.no_bars import without_bars
from pedkit.export.own_code import add_own_code
from pedkit.export.preprocessing import write_feature_extractor, write_tokenizer
from pedkit.recognizers.run import LoadedRun, load_run
from pedkit.training.run_folder import read_run

RECORD = "pedkit.json"
"""File by which an export is known again."""


def export_run(
    run_dir: str | Path,
    out: str | Path,
    *,
    checkpoint: str | None = None,
    evaluation: str | Path | None = None,
    licence: str | None = None,
    command: str = "pedkit export",
) -> Path:
    """Write the model of a run folder for ``from_pretrained`` of transformers.

    Files: ``config.json`` and ``model.safetensors`` (LoRA merged into the weights), ``preprocessor_config.json``,
    ``vocab.json`` and ``tokenizer_config.json``, ``vocabulary.json`` (phones and their inventory), ``pedkit.json``
    (which run, which weights, which data they have seen), ``README.md`` (model card) and, for pedkit's own
    families, the model's code.

    Args:
        run_dir: A folder written by ``train.py``.
        out: The folder to write; it appears when all is in it.
        checkpoint: Another checkpoint than the kept one, relative to the run folder.
        evaluation: A folder written by ``evaluate.py`` for this model, for the metrics of the model card.
        licence: Licence of the model, as an identifier of the hub (``mit``, ``cc-by-nc-4.0``).
        command: The command that exports, for the model card.

    Returns:
        ``out``.

    Raises:
        PedkitError: The run cannot be read, ``out`` exists and is not empty, or the evaluation is of other
            weights.
    """
    target = Path(out)
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise PedkitError("exists already", file=target, hint="delete it or choose another folder")
    run = load_run(run_dir, checkpoint)
    facts = ModelFacts.of(Path(run_dir), run, evaluation=evaluation, licence=licence, command=command)
    target.parent.mkdir(parents=True, exist_ok=True)
    folder = Path(tempfile.mkdtemp(dir=target.parent, prefix=f".{target.name}."))
    try:
        _write(folder, run, facts, read_run(run_dir).get("data") or [])
        if target.is_dir():
            target.rmdir()
        folder.chmod(0o755)
        folder.rename(target)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return target


def read_record(folder: str | Path) -> dict[str, Any]:
    """Return ``pedkit.json`` of an exported folder.

    Raises:
        PedkitError: The folder was not written by `export_run`.
    """
    file = Path(folder) / RECORD
    try:
        record: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, json.JSONDecodeError):
        raise PedkitError("no such file, so this is no exported model", file=file) from None
    return record


def _write(folder: Path, run: LoadedRun, facts: ModelFacts, data: list[dict[str, Any]]) -> None:
    merge_lora(run.encoder.model)
    with without_bars():
        run.encoder.model.save_pretrained(folder)
    add_own_code(folder, run.encoder.model_type)
    write_feature_extractor(folder, run.encoder)
    write_tokenizer(folder, run.vocabulary)
    run.vocabulary.save(folder / "vocabulary.json")
    write_text(folder / "README.md", card_text(facts))
    record = {
        "run": run.name,
        "revision": run.revision,
        "config_hash": run.config_hash,
        "pedkit": facts.versions.get("pedkit"),
        "data": data,  # evaluate.py refuses it, as it does for the run folder
    }
    write_text(folder / RECORD, json.dumps(record, indent=1) + "\n")
