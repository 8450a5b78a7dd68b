"""The model card: ``README.md`` of an exported model, in the form that the Hugging Face Hub reads."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from pedkit.export.model_facts import DataFact, ModelFacts
from pedkit.export.set_rates import SetRate


def card_text(facts: ModelFacts) -> str:
    """Return the card of a CTC model as Markdown under a YAML head."""
    return joined(_head(facts), _use(facts), *shared_sections(facts))


def joined(*sections: Iterable[str]) -> str:
    """Return sections of lines as one text."""
    return "\n\n".join("\n".join(section) for section in sections) + "\n"


def shared_sections(facts: ModelFacts) -> tuple[Iterable[str], ...]:
    """Return the sections that do not depend on the kind of model: data, metrics, limits and how it was made."""
    return _data(facts), _metrics(facts), _limits(), _making(facts)


def _head(facts: ModelFacts) -> Iterable[str]:
    lines = ["---", "library_name: transformers", "pipeline_tag: automatic-speech-recognition"]
    lines += ["tags: [phoneme-recognition, ctc, pedkit]", "metrics: [per]"]
    if facts.licence:
        lines.append(f"license: {json.dumps(facts.licence)}")
    if facts.base:
        lines.append(f"base_model: {json.dumps(facts.base)}")
    began = f"begun from `{facts.base}`" if facts.base else "begun from random weights"
    return [
        *lines, "---", "", f"# {facts.name}", "",
        f"A CTC phone recognizer of {facts.weights:,} weights (`{facts.model_type}`, {began}). It hears which "
        f"phones somebody said, not which word was meant. {len(facts.phones)} phones of the inventory "
        f"`{facts.inventory}`: {' '.join(facts.phones)}.",
    ]  # fmt: skip


def _use(facts: ModelFacts) -> Iterable[str]:
    trust = ", trust_remote_code=True" if facts.own_code else ""
    code = [
        "```python",
        "from transformers import AutoFeatureExtractor, AutoModelForCTC, Wav2Vec2PhonemeCTCTokenizer",
        "",
        'folder = "."  # this folder, or its name on the hub',
        f"model = AutoModelForCTC.from_pretrained(folder{trust}).eval()",
        "extractor = AutoFeatureExtractor.from_pretrained(folder)",
        "tokenizer = Wav2Vec2PhonemeCTCTokenizer.from_pretrained(folder)",
        'inputs = extractor(samples, sampling_rate=16000, return_tensors="pt")  # mono float32 in [-1, 1]',
        "phones = tokenizer.batch_decode(model(**inputs).logits.argmax(-1))",
        "```",
    ]
    own = ["", "`trust_remote_code` runs the `.py` files of this folder; with pedkit installed, "
           "`import pedkit.models` makes it unnecessary."]  # fmt: skip
    again = "`pedkit.recognizers.CtcRecognizer.from_pretrained(folder)`"
    return ["## Use", "", *code, *(own if facts.own_code else ()), "", f"In pedkit: {again}."]


def _data(facts: ModelFacts) -> Iterable[str]:
    lines = ["## Data", "", "| role | manifest | utterances | sha256 |", "| --- | --- | --- | --- |"]
    lines += [_data_row(fact) for fact in facts.data]
    lines += ["", "Licences of the recordings:", ""]
    lines += [f"- {corpus}: {licence}" for corpus, licence in facts.licences.items()]
    if any(fact.clips is None for fact in facts.data):
        lines.append(
            "- of the manifests without a number of utterances: not known; they were not there at the export"
        )
    said = f"Licence of this model: {facts.licence}." if facts.licence else (
        "Nobody has stated a licence for this model; whoever passes it on has to judge what those above allow."
    )  # fmt: skip
    return [*lines, "", said]


def _data_row(fact: DataFact) -> str:
    counts = ", ".join(f"{corpus} {number}" for corpus, number in sorted(fact.corpora.items()))
    return f"| {fact.role} | {fact.manifest} | {counts or 'not there at the export'} | {fact.sha256[:16]} |"


def _metrics(facts: ModelFacts) -> Iterable[str]:
    lines = [
        "## Metrics",
        "",
        f"PER: errors over reference phones, against {facts.reference}, {facts.decoding}.",
    ]
    lines += ["", _chosen(facts, facts.kept) if facts.kept else _other(facts)]
    if not facts.tests:
        return [*lines, "", "No evaluation on test data was given to the export."]
    lines += ["", "| test set | PER | 95 % interval | errors / phones |", "| --- | --- | --- | --- |"]
    lines += [_test_row(rate) for rate in facts.tests]
    return [*lines, "", "Intervals: percentile bootstrap over the units named, each drawn whole."]


def _chosen(facts: ModelFacts, kept: Mapping[str, Any]) -> str:
    """Say how the weights were chosen: on a dev set, by cross-validation, or after a given number of updates."""
    if "step" not in kept:
        errors = f"{kept['errors']} of {kept['reference_phones']} phones"
        return (
            f"Dev PER {kept['dev_per']:.4f} ({errors}, epoch {kept['epoch']}); it chose the checkpoint (dev set: "
            f"{facts.selected_on}), so it is too good."
        )
    updates = f"The weights after {kept['step']} updates on all of the train data"
    if kept["dev_per"] is None:
        return f"{updates}; no dev set was scored."
    if kept.get("dev_per_of") == "cross-validation":
        return (
            f"{updates}, as many as a cross-validation found to be enough; mean PER of the held-out folds there "
            f"{kept['dev_per']:.4f}. It chose the number of updates, so it is too good."
        )
    return f"{updates}; dev PER {kept['dev_per']:.4f}, which chose nothing."


def _other(facts: ModelFacts) -> str:
    when = "" if facts.updates is None else f", after {facts.updates} updates,"
    return f"These weights{when} are not those that the training kept, and no dev PER of them is known."


def _test_row(rate: SetRate) -> str:
    interval = f"one of the {rate.unit} only: none"
    if rate.low is not None and rate.high is not None:
        interval = f"{rate.low:.4f} to {rate.high:.4f} ({rate.clusters} {rate.unit})"
    return f"| {rate.name} | {rate.per:.4f} | {interval} | {rate.errors} / {rate.phones} |"


def _limits() -> Iterable[str]:
    return [
        "## Intended use and limits",
        "",
        "For research on phonetic error detection: comparing what was said with what should have been said. Not "
        "for decisions about single people: it is no diagnosis, no language test and no grade. Its errors differ "
        "between voices, accents, ages and recordings, and may be many more on speakers unlike those of the data "
        "above; measure them on yours (`python evaluate.py groups=...`). A sound outside its inventory comes out "
        "as some phone in it. It takes mono speech at 16 kHz.",
    ]


def _making(facts: ModelFacts) -> Iterable[str]:
    versions = ", ".join(f"{name} {version}" for name, version in facts.versions.items())
    commit = f", commit `{facts.git_commit}`" if facts.git_commit else ""
    return [
        "## How it was made",
        "",
        f"Trained by `{facts.commands[0]}` (seed {facts.seed}) with {versions}{commit}; exported by "
        f"`{facts.commands[1]}`. sha256 of the checkpoint: `{facts.revision}`.",
    ]
