"""What ``python -m synthetic`` does: design, speak, write; and continue where an earlier run stopped."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from omegaconf import DictConfig

from pedkit.data.manifest import file_hash
from pedkit.data.utterance import Audio
from synthetic import settings
from synthetic.design import SPLITS, DesignItem, DesignSettings, draw_design
from synthetic.engines import SpeechEngine
from synthetic.output import OutputFolder, utterance
from synthetic.output.record import counts, expect_same_settings, run_record, summary
from synthetic.speaking import Refused, Sayer, Spoken, Workers, speak_items


def synthesize(cfg: DictConfig) -> dict[str, Any]:
    """Make the set that ``conf/synthesize.yaml`` describes, or what is still missing of it.

    Args:
        cfg: ``output_dir``, ``seed``, ``workers`` and the group ``synthetic``.

    Returns:
        The run record, as ``run.json`` holds it.

    Raises:
        PedkitError: A setting cannot be used, the engine is not installed, the folder cannot be written or holds a
            set made with other settings.
    """
    plan = settings.design_settings(cfg)
    folder = OutputFolder(cfg.output_dir)
    earlier = folder.run_record()
    if earlier is not None:
        expect_same_settings(earlier, settings.settings_record(cfg), folder.path)
        if earlier["status"] == "complete" and folder.holds(earlier["manifests"], earlier["audio_files"]):
            print(f"already made, nothing to do\n{summary(folder.path, earlier)}")
            return earlier
    record = _make(cfg, plan, folder)
    print(summary(folder.path, record))
    return record


def _make(cfg: DictConfig, plan: DesignSettings, folder: OutputFolder) -> dict[str, Any]:
    sayer = Sayer(settings.engines(cfg), settings.post_processing(cfg), folder)
    with Workers(sayer, count=cfg.workers, time_limit=cfg.time_limit) as workers:
        return _designed_and_spoken(cfg, plan, folder, workers)


def _designed_and_spoken(
    cfg: DictConfig, plan: DesignSettings, folder: OutputFolder, workers: Workers[DesignItem, Spoken | Refused]
) -> dict[str, Any]:
    engine = settings.engine(cfg)
    design = draw_design(
        plan, settings.design_lexicon(cfg), settings.error_source(cfg), lambda _, request: engine.spoken(request)
    )
    folder.keep_design(design.items)
    record = run_record(settings.settings_record(cfg), engine, design)
    folder.write_run_record(record)

    made = folder.made()
    if made:
        there = sum(item.id in made for item in design.items)
        print(f"continuing: {there} of {len(design.items)} words are there already")
    outcome = speak_items(design.items, workers, made)
    audio = outcome.audio
    items = [item for item in design.items if item.id in audio]

    record["self_check"]["refused_when_spoken"] = [item.id for item in design.items if item.id not in audio]
    record["counts"] = counts(items)
    record["audio_files"] = len(items)
    record["manifests"] = _write_manifests(items, audio, engine, folder)
    record["status"] = "complete"
    folder.write_run_record(record)
    return record


def _write_manifests(
    items: Sequence[DesignItem], audio: Mapping[str, Audio], engine: SpeechEngine, folder: OutputFolder
) -> dict[str, str]:
    """Write the manifests; return the sha256 of each."""
    facts = {voice: engine.voice_facts(voice) for voice in {item.request.voice for item in items}}
    hashes = {}
    for split in reversed(SPLITS):
        utterances = [
            utterance(
                item,
                audio[item.id],
                engine=engine.name,
                version=engine.version,
                licence=engine.licence,
                groups=facts[item.request.voice],
            )
            for item in items
            if item.split == split
        ]
        folder.write_manifest(split, utterances)
        hashes[split] = file_hash(folder.manifest(split))
    return hashes
