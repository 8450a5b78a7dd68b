import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import obedient_engine
import pytest
import soundfile

from pedkit.data.manifest import file_hash, read_manifest
from pedkit.data.utterance import Word
from pedkit.errors import PedkitError
from pedkit.phones import Lexicon, strip_stress
from synthetic.speaking import Progress
from synthetic.synthesize import synthesize

SPLITS = ("train", "dev", "test_seen", "test_unseen")


def manifests(folder):
    return {split: read_manifest(folder / f"{split}.jsonl") for split in SPLITS}


def test_a_set_holds_what_its_record_and_its_last_line_say(make_config, tmp_path, capsys):
    record = synthesize(make_config())
    out = tmp_path / "out"
    sets = manifests(out)
    assert {split: len(items) for split, items in sets.items()} == {
        "train": 8, "dev": 4, "test_seen": 4, "test_unseen": 4,
    }  # fmt: skip
    assert record == json.loads((out / "run.json").read_text())
    assert record["status"] == "complete"
    assert record["counts"]["train"] == {
        "items": 8,
        "with_error": 4,
        "errors": {"deletion": 1, "insertion": 1, "substitution": 2},
        "levels": {"word": 8},
        "voices": 2,
    }
    assert record["self_check"] == {"checked": 20, "refused": 0}
    assert record["refused"] == {"total": 0, "stages": {}, "errors": {}, "engines": {}, "operations": {}}
    assert (out / "refused.jsonl").read_text() == ""
    assert [(voice["voice"], voice["items"]) for voice in record["voices"]] == [("f1", 8), ("f9", 4), ("m1", 8)]
    assert record["manifests"] == {split: file_hash(out / f"{split}.jsonl") for split in SPLITS}
    assert record["settings"]["seed"] == 1
    assert record["engines"] == [
        {"name": "obedient", "version": "obedient 1", "licence": "MIT", "reports_phones": True}
    ]
    assert capsys.readouterr().out == (
        f"{out}: train.jsonl (8 words, 4 with an error, 2 voices), "
        "dev.jsonl (4 words, 2 with an error, 2 voices), "
        "test_seen.jsonl (4 words, 2 with an error, 2 voices), test_unseen.jsonl (4 words, 2 with an error, 1 "
        "voice); 0 of 20 refused by the self-check\n"
    )


def test_an_utterance_says_who_said_what(make_config, tmp_path):
    synthesize(make_config())
    designs = [json.loads(line) for line in (tmp_path / "out" / "design.jsonl").read_text().splitlines()]
    for split, utterances in manifests(tmp_path / "out").items():
        own = [design for design in designs if design["split"] == split]
        for utterance, design in zip(utterances, own, strict=True):
            assert utterance.id == design["id"]
            assert utterance.source_id == design["design_id"]
            assert (utterance.corpus, utterance.language, utterance.split) == ("synthetic", "eng", split)
            assert (utterance.inventory, utterance.level, utterance.text) == ("cmu39", "word", design["text"])
            assert utterance.canonical == strip_stress(design["canonical"])
            assert utterance.realized == strip_stress(design["realized"])
            whole = (0, len(utterance.canonical))
            assert (utterance.target_span, utterance.words) == (whole, (Word(design["text"], *whole),))
            assert utterance.speaker == f"obedient:{design['voice']}"
            assert utterance.groups == ({"gender": "female"} if design["voice"][0] == "f" else {})
            flags = ["correct"] * len(utterance.canonical)
            for operation in design["operations"]:
                if operation["type"] != "insertion":
                    flags[operation["position"]] = operation["type"]
            assert utterance.extra == {
                "engine": "obedient",
                "engine_version": "obedient 1",
                "engine_licence": "MIT",
                "voice": design["voice"],
                "voice_licence": {"f1": "CC0-1.0"}.get(design["voice"], "MIT"),
                "rate": design["rate"],
                "pitch": design["pitch"],
                "design_id": design["design_id"],
                "phone_flags": flags,
                "design": design["operations"],
            }
            assert Path(utterance.audio.path).is_file()
            # A tenth of a second a phone, and 80 ms at both ends.
            assert utterance.audio.duration == pytest.approx(len(utterance.realized) * 0.1 + 0.16, abs=0.01)


def test_a_finished_set_is_left_alone_and_needs_no_engine(make_config, tmp_path, contents, capsys, monkeypatch):
    first = synthesize(make_config())
    before = contents(tmp_path / "out")
    monkeypatch.delattr(obedient_engine, "ObedientEngine")
    assert synthesize(make_config()) == first
    assert contents(tmp_path / "out") == before
    assert "already made, nothing to do\n" in capsys.readouterr().out


@pytest.mark.parametrize("workers", [1, 2, 3])
def test_the_number_of_workers_does_not_matter(make_config, tmp_path, contents, workers):
    synthesize(make_config())
    synthesize(make_config(f"output_dir={tmp_path / 'again'}", f"workers={workers}"))
    assert contents(tmp_path / "again") == contents(tmp_path / "out")


def test_a_stopped_run_continues_and_ends_with_the_same_set(make_config, tmp_path, contents, capsys, monkeypatch):
    synthesize(make_config(f"output_dir={tmp_path / 'whole'}"))

    def advance(progress):
        progress.done += 1
        if progress.done == 6:
            raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Progress, "advance", advance)
        with pytest.raises(KeyboardInterrupt):
            synthesize(make_config("workers=1"))
    made = {path: path.stat().st_mtime_ns for path in (tmp_path / "out" / "audio").glob("*.flac")}
    assert 6 <= len(made) < 20
    assert json.loads((tmp_path / "out" / "run.json").read_text())["status"] == "running"

    capsys.readouterr()
    synthesize(make_config())
    assert capsys.readouterr().out.startswith(f"continuing: {len(made)} of 20 items are there already\n")
    assert {path: path.stat().st_mtime_ns for path in made} == made
    assert contents(tmp_path / "out") == contents(tmp_path / "whole")


def test_a_lost_file_is_made_again(make_config, tmp_path, contents):
    synthesize(make_config())
    before = contents(tmp_path / "out")
    next((tmp_path / "out" / "audio").iterdir()).unlink()
    synthesize(make_config())
    assert contents(tmp_path / "out") == before


@pytest.mark.parametrize(
    ("override", "named"),
    [
        ("seed=2", "made with seed=1, not with seed=2"),
        ("synthetic.words.max_phones=7", "made with words.max_phones=8, not with words.max_phones=7"),
    ],
)
def test_another_set_is_not_mixed_into_the_folder(make_config, tmp_path, contents, override, named):
    synthesize(make_config())
    before = contents(tmp_path / "out")
    with pytest.raises(PedkitError, match=f"this folder holds a set {named}"):
        synthesize(make_config(override))
    assert contents(tmp_path / "out") == before


def test_audio_without_a_design_is_made_again(make_config, tmp_path, contents):
    """A run that was killed while it drew its design leaves that: nobody knows whether the design was this one."""
    synthesize(make_config(f"output_dir={tmp_path / 'whole'}"))
    (tmp_path / "out" / "audio").mkdir(parents=True)
    stale = sorted((tmp_path / "whole" / "audio").iterdir())[3].name
    (tmp_path / "out" / "audio" / stale).write_bytes(b"of another design")
    synthesize(make_config())
    assert contents(tmp_path / "out") == contents(tmp_path / "whole")


def test_a_half_made_set_of_another_version_is_not_continued(make_config, tmp_path):
    synthesize(make_config())
    record = tmp_path / "out" / "run.json"
    record.write_text(record.read_text().replace('"complete"', '"running"'))
    design = tmp_path / "out" / "design.jsonl"
    design.write_text("".join(design.read_text().splitlines(keepends=True)[1:]))
    with pytest.raises(PedkitError, match=r"design\.jsonl: this half-made set has another design"):
        synthesize(make_config())


def test_what_the_engine_turns_out_not_to_say_is_left_out_and_counted(make_config, tmp_path):
    record = synthesize(make_config(engine="obedient_engine.mumbling"))
    lines = [json.loads(line) for line in (tmp_path / "out" / "refused.jsonl").read_text().splitlines()]
    left_out = [line["id"] for line in lines]
    designs = [json.loads(line) for line in (tmp_path / "out" / "design.jsonl").read_text().splitlines()]
    refused = [design for design in designs if "N" in design["realized"]]
    assert left_out == [design["id"] for design in refused]
    assert lines[0] == {
        "id": refused[0]["id"],
        "stage": "speaking",
        "error": "other_phones",
        "reason": "the engine said '<?>'",
        "text": refused[0]["text"],
        "engine": "obedient",
        "voice": refused[0]["voice"],
        "operations": [operation["type"] for operation in refused[0]["operations"]] or ["none"],
        "requested": refused[0]["realized"],
        "spoken": ["<?>"],
    }
    kinds = Counter(kind for design in refused for kind in {o["type"] for o in design["operations"]} or {"none"})
    assert record["refused"] == {
        "total": len(refused),
        "stages": {"speaking": len(refused)},
        "errors": {"other_phones": len(refused)},
        "engines": {"obedient": len(refused)},
        "operations": dict(sorted(kinds.items())),
    }
    assert left_out
    kept = [utterance.id for items in manifests(tmp_path / "out").values() for utterance in items]
    assert sorted(kept + left_out) == sorted(design["id"] for design in designs)
    assert record["audio_files"] == len(kept) == len(list((tmp_path / "out" / "audio").iterdir()))


def test_settings_are_checked_before_anything_is_written(make_config, tmp_path):
    with pytest.raises(PedkitError, match="an error share from 0 to 1, but got 2"):
        synthesize(make_config("synthetic.errors.share=2"))
    assert not (tmp_path / "out").exists()


@pytest.mark.espeak
def test_two_runs_with_espeak_are_the_same_to_the_byte(espeak, make_config, tmp_path, contents):
    sizes = "synthetic.sizes={train: 30, dev: 10, test_seen: 10, test_unseen: 10}"
    for name, workers in (("one", 1), ("two", 2)):
        synthesize(make_config(f"output_dir={tmp_path / name}", f"workers={workers}", sizes, engine=None))
    one = contents(tmp_path / "one")
    assert one == contents(tmp_path / "two")
    assert len(one) == 60 + 6

    sets = manifests(tmp_path / "one")
    lexicon = Lexicon.cmudict()
    edited = Counter()
    for utterance in (utterance for items in sets.values() for utterance in items):
        variants = {strip_stress(p) for p in lexicon.pronunciations(utterance.text)}
        assert utterance.canonical in variants
        edited[utterance.split] += utterance.realized not in variants
        samples, rate = soundfile.read(utterance.audio.path)
        assert rate == 16000
        assert np.abs(samples).max() == pytest.approx(0.7, abs=1e-4)
        assert utterance.groups["gender"] in ("female", "male")
    assert edited == {"train": 15, "dev": 5, "test_seen": 5, "test_unseen": 5}
    seen = {u.speaker for split in ("train", "dev", "test_seen") for u in sets[split]}
    assert seen.isdisjoint({u.speaker for u in sets["test_unseen"]})
    assert "espeak:en-us+f4" in {u.speaker for u in sets["test_unseen"]}


@pytest.mark.espeak
def test_the_command(espeak, tmp_path):
    """``python -m synthetic`` from the folder of the clone; torch stays out of it."""
    root = Path(__file__).resolve().parents[2]
    code = (
        "import runpy, sys; runpy.run_module('synthetic', run_name='__main__'); assert 'torch' not in sys.modules"
    )
    sizes = "synthetic.sizes={train: 4, dev: 2, test_seen: 2, test_unseen: 2}"
    command = [sys.executable, "-c", code, "synthetic/source=uniform", sizes, f"output_dir={tmp_path / 'set'}"]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[-1].startswith(f"{tmp_path / 'set'}: train.jsonl (4 words, 2 with an error, ")
    assert {path.name for path in (tmp_path / "set").iterdir()} == {
        ".lock", "audio", "design.jsonl", "refused.jsonl", "run.json", "README.md",
        *[f"{split}.jsonl" for split in SPLITS],
    }  # fmt: skip
