"""The adapters of an audio language model as peft writes them, or the whole model with them merged into it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pedkit.data.atomic import write_text
from pedkit.data.audio import load_audio
from pedkit.data.json_file import write_object
from pedkit.data.manifest_part import ManifestPart
from pedkit.data.utterance import Utterance
from pedkit.errors import PedkitError
from pedkit.export.adapter_card import adapter_card
from pedkit.export.model_facts import ModelFacts, WeightFacts, used_utterances
from pedkit.export.no_bars import without_bars
from pedkit.export.record import write_record
from pedkit.export.request import ExportRequest
from pedkit.models.language import AudioLanguageModel
from pedkit.models.language.description import Description
from pedkit.models.language.weights import load_weights
from pedkit.models.prompts import Prompt
from pedkit.phones import get_inventory
from pedkit.recognizers.protocol import Clip
from pedkit.recognizers.run import read_checkpoint, run_checkpoint
from pedkit.scoring import Rate
from pedkit.training.run_folder import read_run


def write_adapter(folder: Path, request: ExportRequest) -> None:
    """Write the adapters, or the merged model, with the prompt (``prompt.json``) and a model card.

    A merged model is measured anew on the dev sets that chose the checkpoint: adding the update to weights changes
    them a little, and only what was measured may be said of them.

    Raises:
        PedkitError: The run, its base model, the evaluation or, for a merged model, a dev set cannot be read.
    """
    run, record = run_checkpoint(request.run_dir, request.checkpoint), read_run(request.run_dir)
    described = Description.read(run.folder)
    prompt = described.own_prompt()
    language = described.load(request.device)
    checkpoint = read_checkpoint(run.path)
    load_weights(language.model, checkpoint["state_dict"], run.path)
    trainable = language.trainable_facts()
    weights = WeightFacts(
        name=run.name,
        revision=run.revision,
        model_type=language.family.model_type,
        base=described.source.name,
        own_code=False,
        inventory=prompt.inventory,
        phones=get_inventory(prompt.inventory).phones,
        number=trainable["parameters"],
        kept=run.kept,
        updates=checkpoint.get("global_step"),
    )
    facts = ModelFacts.of(
        request.run_dir, weights, evaluation=request.evaluation, licence=request.licence, command=request.command
    )
    told: dict[str, Any] = {
        "prompt": prompt.to_dict(),
        "prompt_hash": prompt.hash,
        "run": run.name,
        "revision": run.revision,
    }
    merged: Rate | None = None
    if request.merge:
        merged = _write_merged(folder, language.merged_fp32(), prompt, described, record)
        told["merged"] = {"dev_per": merged.value, "errors": merged.numerator, "phones": merged.denominator}
    else:
        language.save_adapter(folder, {**told, "config_hash": run.config_hash})
    write_object(folder / "prompt.json", prompt.to_dict())
    write_text(folder / "README.md", adapter_card(facts, described.source, trainable, prompt, merged))
    write_record(folder, facts, record, told=told)


def _write_merged(
    folder: Path, merged: AudioLanguageModel, prompt: Prompt, described: Description, record: Mapping[str, Any]
) -> Rate:
    """Measure a merged model on the dev sets that chose the checkpoint, then write it with its processor."""
    from pedkit.evaluation.score import score
    from pedkit.recognizers.language import LanguageRecognizer

    utterances = _dev_utterances(record)
    recognizer = LanguageRecognizer(merged, prompt, name="merged", max_new_tokens=described.max_new_tokens)
    clips = (
        Clip(one, load_audio(one.audio, recognizer.sample_rate)) for one in utterances if one.audio is not None
    )
    predictions = [prediction for clip in clips for prediction in recognizer.transcribe([clip])]
    scores = record["settings"]["callbacks"]["dev_scores"]
    result = score(
        predictions={"merged": predictions},
        manifest=utterances,
        projection=scores["projection"],
        per_reference=scores["per_reference"],
    )
    with without_bars():
        merged.model.save_pretrained(folder)
    merged.processor.save_pretrained(folder)
    return result["merged"].counts.per


def _dev_utterances(record: Mapping[str, Any]) -> list[Utterance]:
    """Return the utterances that chose the checkpoint of a run."""
    settings = record["settings"]
    hashes = {(entry["path"], entry.get("split")): entry["sha256"] for entry in record["data"]}
    utterances: list[Utterance] = []
    for name, given in settings["data"]["dev"].items():
        if settings["select_on"] not in ("all", name):
            continue
        part = ManifestPart.of(given)
        begun_in = Path(record.get("working_directory") or ".")
        used = used_utterances(part, hashes[part.manifest, part.split], begun_in)
        if used is None:
            raise PedkitError(
                f"the dev set '{name}' is gone or has changed, so the merged model cannot be measured anew",
                file=part.manifest,
                hint="leave out --merge, or bring the manifest back",
            )
        utterances += used
    return utterances
