"""`ModelFacts`: all that a model card says, gathered from the run folder, its manifests and an evaluation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pedkit.data.corpora import corpus_facts
from pedkit.data.manifest_part import ManifestPart
from pedkit.data.unchanged import unchanged
from pedkit.data.utterance import Utterance
from pedkit.export.set_rates import SetRate, rates_by_set
from pedkit.training.run_folder import read_run


@dataclass(frozen=True, slots=True)
class DataFact:
    """One manifest that the model learnt from or was chosen on.

    Attributes:
        role: ``train`` or ``dev``.
        manifest: Its path, as the run has it.
        sha256: Hash of the file.
        corpora: Corpus -> number of utterances; empty where the manifest is gone or has changed since.
        clips: Utterances that were used, ``None`` where the manifest is gone.
    """

    role: str
    manifest: str
    sha256: str
    corpora: Mapping[str, int]
    clips: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class WeightFacts:
    """What a card says of the weights themselves.

    Attributes:
        name: Of the run.
        revision: sha256 of the checkpoint.
        model_type: Family of the model.
        base: Hub name of the pretrained weights it began with, ``None`` for random ones.
        own_code: Whether the folder holds code of pedkit.
        inventory: Name of the inventory of its phones.
        phones: The phones.
        number: Number of weights that were trained or are in the folder.
        kept: Whether they are those that the training kept; a PER in ``run.json`` is of those.
        updates: Updates after which they were written, ``None`` where nobody knows.
    """

    name: str
    revision: str
    model_type: str
    base: str | None
    own_code: bool
    inventory: str
    phones: tuple[str, ...]
    number: int
    kept: bool
    updates: int | None


@dataclass(frozen=True, slots=True)
class ModelFacts:
    """What a model card says.

    Attributes:
        name: Of the run.
        model_type: Family of the encoder.
        base: Hub name of the pretrained weights it began with, ``None`` for random ones.
        own_code: Whether the folder holds code of pedkit.
        inventory: Name of the inventory of its phones.
        phones: The phones.
        weights: Number of weights.
        data: Manifests it learnt from and was chosen on.
        licences: Corpus -> licence.
        kept: ``kept`` of ``run.json``: epoch, dev PER, errors, phones; empty where these are other weights.
        updates: Updates after which the weights were written, ``None`` where nobody knows.
        selected_on: Dev set that chose the checkpoint.
        reference: What the dev sets were scored against.
        decoding: How they were decoded: ``greedy decoding``, ``beam search``.
        tests: PER on test sets.
        licence: Of the model, ``None`` where nobody said.
        versions: Package -> version at training.
        git_commit: Of the code at training.
        revision: sha256 of the checkpoint.
        commands: The commands that trained and exported it.
        seed: Of the training.
    """

    name: str
    model_type: str
    base: str | None
    own_code: bool
    inventory: str
    phones: tuple[str, ...]
    weights: int
    data: list[DataFact]
    licences: dict[str, str]
    kept: dict[str, Any]
    updates: int | None
    selected_on: str
    reference: str
    decoding: str
    tests: list[SetRate]
    licence: str | None
    versions: dict[str, str]
    git_commit: str | None
    revision: str
    commands: tuple[str, str]
    seed: int

    @classmethod
    def of(
        cls, run_dir: Path, of: WeightFacts, *, evaluation: str | Path | None, licence: str | None, command: str
    ) -> ModelFacts:
        """Gather the facts.

        Raises:
            PedkitError: The evaluation cannot be read, or is of other weights.
        """
        record = read_run(run_dir)
        data = _data_facts(record)
        known = corpus_facts()
        corpora = sorted({corpus for fact in data for corpus in fact.corpora})
        settings = record.get("settings") or {}
        return cls(
            name=of.name,
            model_type=of.model_type,
            base=of.base,
            own_code=of.own_code,
            inventory=of.inventory,
            phones=of.phones,
            weights=of.number,
            data=data,
            licences={name: known[name].licence if name in known else "not known to pedkit" for name in corpora},
            kept=dict(record["kept"]) if of.kept else {},
            updates=of.updates,
            selected_on=str(record.get("selected_on")),
            reference=_reference(settings),
            decoding=_decoding(settings),
            tests=[] if evaluation is None else rates_by_set(evaluation, of.name, of.revision),
            licence=licence,
            versions=dict(record.get("versions") or {}),
            git_commit=record.get("git_commit"),
            revision=of.revision,
            commands=(str(record.get("command")), command),
            seed=int(record.get("seed", 0)),
        )


def _reference(settings: Mapping[str, Any]) -> str:
    scores = (settings.get("callbacks") or {}).get("dev_scores") or {}
    canonical = scores.get("per_reference") == "canonical"
    return "what should have been said (canonical phones)" if canonical else "what was said (realized phones)"


def _decoding(settings: Mapping[str, Any]) -> str:
    decoder = (settings.get("model") or {}).get("decoder") or {}
    return "beam search" if str(decoder.get("_target_")).endswith("BeamDecoder") else "greedy decoding"


def _data_facts(record: Mapping[str, Any]) -> list[DataFact]:
    """Return the manifests of ``run.json``: those of the settings come first, in their order."""
    data = (record.get("settings") or {}).get("data") or {}
    parts = [ManifestPart.of(part) for part in (*(data.get("train") or ()), *(data.get("dev") or {}).values())]
    limits = [(part.manifest, part.split, part.limit) for part in parts]
    facts = []
    for number, entry in enumerate(record.get("data") or ()):
        manifest, split, limit = limits[number] if number < len(limits) else (None, None, None)
        same = (manifest, split) == (entry["path"], entry.get("split"))
        part = ManifestPart(entry["path"], entry.get("split"), limit if same else None)
        facts.append(_data(entry, part, Path(record.get("working_directory") or ".")))
    return facts


def _data(entry: Mapping[str, Any], part: ManifestPart, begun_in: Path) -> DataFact:
    role = "train" if entry["role"] == "train" else f"dev ({entry['name']})"
    if part.split:
        role += f", split {part.split}"
    used = used_utterances(part, entry["sha256"], begun_in)
    if used is None:
        return DataFact(role, part.manifest, entry["sha256"], {}, None)
    corpora = Counter(utterance.corpus or "no corpus named" for utterance in used)
    return DataFact(role, part.manifest, entry["sha256"], dict(corpora), len(used))


def used_utterances(part: ManifestPart, sha256: str, begun_in: Path) -> list[Utterance] | None:
    """Return what a training took of a manifest; ``None`` where that is gone or has changed since.

    Args:
        part: Which utterances.
        sha256: Hash of the manifest.
        begun_in: Folder in which the training was begun: relative paths start there.
    """
    path = unchanged(part.manifest, sha256, begun_in)
    return None if path is None else replace(part, manifest=str(path)).read()
