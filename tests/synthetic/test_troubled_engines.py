"""Engines that crash, hang, fail or stay silent: named, counted, and the rest of the set is made."""

import json

import pytest

from pedkit.data.manifest import read_manifest
from pedkit.errors import PedkitError
from synthetic.synthesize import synthesize

REASONS = {
    "AY": "the process ended with SIGKILL",
    "EY": "took longer than 1 s",
    "OW": "ValueError: no model for this",
    "IY": "the engine made samples that are not finite",
    "UW": "the engine made no sound",
}


def vowels(design):
    return {phone.rstrip("012") for phone in design["realized"]}


@pytest.mark.parametrize("workers", [1, 2])
def test_an_engine_that_breaks_costs_the_items_it_breaks_on(make_config, tmp_path, contents, workers):
    sizes = "synthetic.sizes={train: 12, dev: 6, test_seen: 4, test_unseen: 4}"
    settings = (sizes, f"workers={workers}", "time_limit=1")
    synthesize(make_config(*settings, engine="obedient_engine.TroubledEngine"))
    out = tmp_path / "out"
    designs = [json.loads(line) for line in (out / "design.jsonl").read_text().splitlines()]
    expected = {
        design["id"]: next(reason for vowel, reason in REASONS.items() if vowel in vowels(design))
        for design in designs
        if vowels(design) & REASONS.keys()
    }
    assert set(expected.values()) == set(REASONS.values())
    refused = [json.loads(line) for line in (out / "refused.jsonl").read_text().splitlines()]
    assert {line["id"]: line["reason"] for line in refused} == expected
    made = {
        u.id
        for split in ("train", "dev", "test_seen", "test_unseen")
        for u in read_manifest(out / f"{split}.jsonl")
    }
    assert made == {design["id"] for design in designs} - expected.keys()
    assert {path.stem for path in (out / "audio").iterdir()} == made


def test_an_engine_that_never_says_anything_stops_the_run(make_config):
    with pytest.raises(PedkitError, match=r"none of the first 10 items could be said: the voice '.*' has no data"):
        synthesize(make_config(engine="obedient_engine.HopelessEngine"))


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("synthetic.speech.rate=[70,190]", "expected a rate from 80 to 450 for espeak-ng, but got 70"),
        ("synthetic.speech.pitch=[35,140]", "expected a pitch from 0 to 99 for espeak-ng, but got 140"),
        ("synthetic.speech.voices.unseen=[en-us+f4,en-us+zorro]", r"espeak-ng has no voice 'en-us\+zorro'"),
    ],
)
@pytest.mark.usefixtures("espeak")
def test_what_a_voice_cannot_do_stops_the_run_before_anything_is_said(make_config, tmp_path, setting, message):
    with pytest.raises(PedkitError, match=message):
        synthesize(make_config(setting, engine=None))
    assert {path.name for path in (tmp_path / "out").rglob("*")} == {".lock", "audio"}


def test_an_absent_engine_is_named(make_config):
    with pytest.raises(PedkitError, match=r"^the speech engine 'absent' is not installed \(pip install absent\)$"):
        synthesize(make_config(engine="obedient_engine.AbsentEngine"))
