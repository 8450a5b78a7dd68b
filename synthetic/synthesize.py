"""What ``python -m synthetic`` does: design, speak, write; and continue where an earlier run stopped."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from omegaconf import DictConfig

from pedkit.data.manifest import file_hash
from pedkit.data.utterance import Audio
from pedkit.errors import PedkitError
from synthetic import settings
from synthetic.design import SPLITS, Design, DesignSettings, draw_design
from synthetic.engines import SpeechEngine, available_engines
from synthetic.output import OutputFolder, utterance
from synthetic.output.card import card
from synthetic.output.record import expect_same_settings, results, run_record, summary
from synthetic.output.refusals import refusals
from synthetic.speaking import Outcome, Sayer, Workers, speak_items


def synthesize(cfg: DictConfig) -> dict[str, Any]:
    """Make the set that ``conf/synthesize.yaml`` describes, or what is still missing of it.

    Args:
        cfg: ``output_dir``, ``seed``, ``workers`` and the group ``synthetic``.

    Returns:
        The run record, as ``run.json`` holds it.

    Raises:
        PedkitError: A setting cannot be used, the engine is not installed, the folder cannot be written or holds a
            set made with other settings, or another process is at work there.
    """
    plan = settings.design_settings(cfg)
    with OutputFolder.held(cfg.output_dir) as folder:
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
    builders = settings.engines(cfg)
    found = available_engines(builders)
    if not found.engines:
        raise PedkitError("; ".join(found.absent.values()))
    for sentence in found.absent.values():
        print(f"left out: {sentence}")
    plan = replace(plan, casts={name: plan.casts[name] for name in found.engines})
    sayer = Sayer({name: builders[name] for name in found.engines}, settings.post_processing(cfg), folder)
    with Workers(sayer, count=cfg.workers, time_limit=cfg.time_limit) as workers:
        # Where an earlier run has left a design, it is compared before anything is said.
        fresh = not folder.has_design()
        design = draw_design(
            plan,
            settings.design_lexicon(cfg),
            settings.error_source(cfg),
            lambda name, request: found.engines[name].spoken(request),
            taken=workers.submit if fresh else None,
        )
        folder.keep_design(design.items)
        record = run_record(settings.settings_record(cfg), found.engines, found.absent, design)
        folder.write_run_record(record)
        outcome = speak_items(design.items, workers, None if fresh else _made(folder, design))
    return _written(record, design, outcome, found.engines, folder)


def _made(folder: OutputFolder, design: Design) -> dict[str, Audio]:
    """Return the audio that an earlier run has made of this design."""
    made = folder.made()
    if made:
        there = sum(item.id in made for item in design.items)
        print(f"continuing: {there} of {len(design.items)} items are there already")
    return made


def _written(
    record: dict[str, Any],
    design: Design,
    outcome: Outcome,
    engines: Mapping[str, SpeechEngine],
    folder: OutputFolder,
) -> dict[str, Any]:
    """Write all but the audio; return the finished record, which is written last."""
    items = [item for item in design.items if item.id in outcome.audio]
    facts = {
        (name, voice): engines[name].voice_facts(voice)
        for name, voice in {(item.engine, item.request.voice) for item in items}
    }
    hashes = {}
    for split in reversed(SPLITS):
        folder.write_manifest(
            split,
            (
                utterance(i, outcome.audio[i.id], engines[i.engine], facts[i.engine, i.request.voice])
                for i in items
                if i.split == split
            ),
        )
        hashes[split] = file_hash(folder.manifest(split))
    refused = list(refusals(design, outcome.refused, engines))
    folder.write_refusals(refused)
    record |= results(items, engines, refused, hashes)
    folder.write_card(card(record, items))
    folder.write_run_record(record)
    return record
