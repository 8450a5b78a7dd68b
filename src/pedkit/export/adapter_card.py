"""The model card of adapters of an audio language model, or of a model with them merged into it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from pedkit.export.model_card import joined, shared_sections
from pedkit.export.model_facts import ModelFacts
from pedkit.models.language import LanguageModelSource
from pedkit.models.prompts import Prompt
from pedkit.scoring import Rate


def adapter_card(
    facts: ModelFacts,
    source: LanguageModelSource,
    trainable: Mapping[str, Any],
    prompt: Prompt,
    merged: Rate | None = None,
) -> str:
    """Return the card as Markdown under a YAML head.

    Args:
        facts: Of the run.
        source: The base model and the settings of the adapters.
        trainable: ``modules`` and ``parameters`` of the adapters.
        prompt: What the model was trained to be asked.
        merged: Dev PER of the merged model; ``None`` where the folder holds the adapters.
    """
    return joined(
        _head(facts, source, trainable, merged), _use(source, merged), _prompt(prompt), *shared_sections(facts),
        *(() if merged is None else (_measured(facts, merged),)),
    )  # fmt: skip


def _head(
    facts: ModelFacts, source: LanguageModelSource, trainable: Mapping[str, Any], merged: Rate | None
) -> Iterable[str]:
    lora = source.lora or {}
    lines = ["---", f"library_name: {'transformers' if merged else 'peft'}", "pipeline_tag: audio-text-to-text"]
    lines += [f"tags: [phoneme-recognition, {'' if merged else 'lora, '}pedkit]", "metrics: [per]"]
    lines.append(f"base_model: {json.dumps(source.name)}")
    if facts.licence:
        lines.append(f"license: {json.dumps(facts.licence)}")
    what = "LoRA adapters merged into" if merged else "LoRA adapters for"
    return [
        *lines, "---", "", f"# {facts.name}", "",
        f"{what} `{source.name}` (revision {source.revision or 'not known'}, `{facts.model_type}`): "
        f"{trainable['modules']} modules, {trainable['parameters']:,} parameters, r={lora.get('r')}, "
        f"alpha={lora.get('alpha')}, on q, k, v and o of the text model's self-attention and nowhere else. The "
        "model writes down which phones somebody said, not which word was meant.",
    ]  # fmt: skip


def _use(source: LanguageModelSource, merged: Rate | None) -> Iterable[str]:
    whole = "recognizer.name=FOLDER recognizer.dtype=float32" if merged else "recognizer.adapter=FOLDER"
    return [
        "## Use", "",
        "With pedkit, which asks the trained question and reads the answers:", "",
        "```sh",
        f"python evaluate.py recognizer=language {whole} manifest=MANIFEST output_dir=DIR",
        "```", "",
        *(() if merged else (
            f"With peft: `PeftModel.from_pretrained(base, FOLDER)` on `{source.name}` (Qwen-Omni: its thinker).",
        )),
    ]  # fmt: skip


def _prompt(prompt: Prompt) -> Iterable[str]:
    ours = " The wording is not that of PEDBench." if prompt.template.ours else ""
    return [
        "## Prompt", "",
        f"`{prompt.name}`, in `prompt.json`; sha256 of the request `{prompt.hash}`. Other questions get answers "
        f"of unknown quality.{ours} Answers are JSON objects: `{prompt.answer(('TH', 'IH', 'NG', 'K'))}`. Decode "
        "greedily with `repetition_penalty=1.0`: a penalty of the base model's own punishes repeated phones.",
    ]  # fmt: skip


def _measured(facts: ModelFacts, merged: Rate) -> Iterable[str]:
    before = facts.kept.get("dev_per")
    was = "" if before is None else f" ({before:.4f} with the adapters apart)"
    return [
        "## Merged weights", "",
        f"Measured again after merging in float32: dev PER {merged.value:.4f} ({int(merged.numerator)} of "
        f"{int(merged.denominator)} phones){was}. Rounding these weights to bf16 changes "
        "answers; measure that again.",
    ]  # fmt: skip
