"""A CTC model as a folder that plain transformers loads."""

from __future__ import annotations

from pathlib import Path

from pedkit.data.atomic import write_text
from pedkit.errors import PedkitError
from pedkit.export.merged import merge_lora
from pedkit.export.model_card import card_text
from pedkit.export.model_facts import ModelFacts, WeightFacts
from pedkit.export.no_bars import without_bars
from pedkit.export.own_code import add_own_code
from pedkit.export.preprocessing import write_feature_extractor, write_tokenizer
from pedkit.export.record import write_record
from pedkit.export.request import ExportRequest
from pedkit.recognizers.run import load_run
from pedkit.training.run_folder import read_run


def write_ctc(folder: Path, request: ExportRequest) -> None:
    """Write ``config.json``, ``model.safetensors``, what takes audio in and phones out, and a model card.

    Raises:
        PedkitError: The run or the evaluation cannot be read, or ``merge`` is set.
    """
    if request.merge:
        raise PedkitError("merge is for audio language models; LoRA of CTC models is merged always")
    run, record = load_run(request.run_dir, request.checkpoint), read_run(request.run_dir)
    merge_lora(run.encoder.model)
    encoder = (record.get("settings") or {}).get("model", {}).get("encoder", {})
    weights = WeightFacts(
        name=run.name,
        revision=run.revision,
        model_type=run.encoder.model_type,
        base=encoder.get("name"),
        own_code=run.encoder.model_type.startswith("pedkit-"),
        inventory=run.vocabulary.inventory,
        phones=run.vocabulary.phones,
        number=sum(weight.numel() for weight in run.encoder.parameters()),
        kept=run.kept,
        updates=run.updates,
    )
    facts = ModelFacts.of(
        request.run_dir, weights, evaluation=request.evaluation, licence=request.licence, command=request.command
    )
    with without_bars():
        run.encoder.model.save_pretrained(folder)
    add_own_code(folder, run.encoder.model_type)
    write_feature_extractor(folder, run.encoder)
    write_tokenizer(folder, run.vocabulary)
    run.vocabulary.save(folder / "vocabulary.json")
    write_text(folder / "README.md", card_text(facts))
    write_record(folder, facts, record)
