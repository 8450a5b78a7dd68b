"""`bench/synthetic_evidence.py`: what it trains, what it counts, and that it goes on where it stopped."""

import csv
import importlib
import re
from pathlib import Path

import pytest
from rapidfuzz.distance import Levenshtein

from pedkit.data.manifest import iter_manifest, read_predictions
from pedkit.errors import PedkitError
from pedkit.fairness import Observation
from pedkit.scoring import Counts
from synthetic import settings

ROOT = Path(__file__).resolve().parents[2]
CONDITIONS = ("one", "accents", "engines", "uniform", "child", "estimated", "none")
TINY = [
    "model.warmup_steps=1", "model.encoder.hidden_size=32", "model.encoder.num_hidden_layers=1",
    "model.encoder.num_attention_heads=2", "model.encoder.intermediate_size=32",
    "model.encoder.num_conv_pos_embeddings=16", "model.encoder.num_conv_pos_embedding_groups=2",
]  # fmt: skip


@pytest.fixture(scope="module")
def evidence():
    """Return a function that gives a module of the program."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(ROOT / "bench"))
        patch.chdir(ROOT)
        yield importlib.import_module


@pytest.fixture(scope="module")
def plan(evidence, tmp_path_factory):
    return evidence("evidence.plan").Plan(CONDITIONS, (3,), 16, 1, tmp_path_factory.mktemp("evidence"))


@pytest.fixture(scope="module")
def configs(evidence, plan):
    """The settings of each condition's words; none are made."""
    program, kept = evidence("synthetic_evidence"), []
    program.prepare_real(plan)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("synthetic.synthesize.synthesize", kept.append)
        for condition in CONDITIONS:
            program.synthesize_words(plan, condition, 3)
    return dict(zip(CONDITIONS, kept, strict=True))


@pytest.mark.parametrize("condition", CONDITIONS)
def test_conditions_have_equal_sizes_and_settings_that_can_be_used(configs, condition):
    design = settings.design_settings(configs[condition])
    assert design.sizes == {"train": 16, "dev": 100, "test_seen": 150, "test_unseen": 0}
    assert design.seed == 3
    assert settings.error_source(configs[condition]) is not None
    assert design.errors.share == (0 if condition == "none" else 0.5)


def test_one_engine_has_one_accent_and_accents_has_four(configs):
    voices = {name: settings.design_settings(configs[name]).casts["espeak"].seen for name in ("one", "accents")}
    accents = {name: {voice.partition("+")[0] for voice in seen} for name, seen in voices.items()}
    assert accents == {"one": {"en-us"}, "accents": {"en-us", "en-gb", "en-gb-x-rp", "en-029"}}
    assert (len(voices["one"]), len(voices["accents"])) == (20, 80)


def test_errors_are_estimated_from_train_speakers_alone(configs, plan):
    assert configs["estimated"].synthetic.source.manifest == str(plan.real_train)
    assert {utterance.split for utterance in iter_manifest(plan.real_train)} == {"train"}


@pytest.mark.parametrize(
    ("arguments", "message"), [(["--conditions", "one,two"], "'two'"), (["--words", "7"], "8 words")]
)
def test_what_cannot_be_compared_is_refused(evidence, arguments, message):
    with pytest.raises(PedkitError, match=message):
        evidence("synthetic_evidence").read_plan(arguments)


def heard(table, errors):
    """Two speakers of ten phones each in two utterances, with these numbers of errors."""
    rows = [
        Observation(id=f"{speaker}{part}", speaker=speaker, corpus="c", groups={}, sums=dict.fromkeys(
            table.METRICS, (number, 5)))
        for speaker, both in errors.items() for part, number in enumerate(both)
    ]  # fmt: skip
    return table.Heard((), Counts.zero(), tuple(rows))


def test_differences_are_taken_speaker_by_speaker(evidence):
    """Both speakers have one error of ten more than before, so whoever is drawn the difference is a tenth.

    The third condition differs by 0 for one speaker and by 0.2 for the other; a draw of two speakers holds either
    twice in a quarter of all draws.
    """
    table = evidence("evidence.tables")
    before, after = heard(table, {"a": (1, 1), "b": (3, 2)}), heard(table, {"a": (1, 2), "b": (3, 3)})
    third = heard(table, {"a": (1, 1), "b": (4, 3)})
    rows = table.difference_rows({"engines": before, "uniform": after, "none": third})
    assert rows == [
        ["`uniform` − `engines`", *["+0.100 [+0.100, +0.100]"] * 3],
        ["`none` − `engines`", *["+0.100 [+0.000, +0.200]"] * 3],
    ]


@pytest.mark.slow
def test_everything_from_words_to_tables_and_only_once(evidence, tmp_path, monkeypatch, capsys):
    pytest.importorskip("espeakng_loader", reason="needs the extra 'tts'")
    program = evidence("synthetic_evidence")
    monkeypatch.setattr(program, "HELD_OUT", 6)
    monkeypatch.setattr(program, "DEV", 6)
    arguments = ["--conditions", "one,engines", "--words", "16", "--epochs", "2", "--seeds", "1", "--out"]
    program.main([*arguments, str(tmp_path), *TINY])
    text = (tmp_path / "evidence.md").read_text(encoding="utf-8")
    assert text in capsys.readouterr().out

    for condition in ("one", "engines"):
        folder = tmp_path / condition / "seed1"
        with (folder / "train" / "metrics.csv").open(newline="") as rows:
            assert max(int(row["step"]) for row in csv.DictReader(rows)) == 3  # 2 epochs of 2 updates, from 0
        said = list(iter_manifest(folder / "synthetic" / "train.jsonl"))
        assert len(said) == 16
        assert sum(one.canonical != one.realized for one in said) == 8

    blocks = text.split("\n\n")
    for heading, name in (
        ("unseen_voices", "unseen_voices"),
        ("speechocean762", "real"),
        ("New words", "held_out"),
    ):
        table = blocks[next(i for i, block in enumerate(blocks) if heading in block and block[:2] == "**") + 1]
        for condition in ("one", "engines"):
            row = next(line for line in table.splitlines() if line.startswith(f"| `{condition}`"))
            assert re.findall(r"\d\.\d{3}", row)[0] == f"{error_rate(tmp_path / condition / 'seed1', name):.3f}"

    files = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.ckpt")}
    files |= {path: path.stat().st_mtime_ns for path in tmp_path.rglob("predictions.jsonl")}
    (tmp_path / "evidence.md").unlink()
    program.main([*arguments, str(tmp_path), *TINY])
    assert (tmp_path / "evidence.md").read_text(encoding="utf-8") == text
    assert {path: path.stat().st_mtime_ns for path in files} == files


def error_rate(folder, name):
    """PER by another library, of what was written down; sounds of unknown identity have no reference."""
    manifests = {
        "unseen_voices": ROOT / "data/unseen_voices/manifest.jsonl",
        "real": folder.parents[1] / "real/manifest.jsonl",
        "held_out": folder / "synthetic/test_seen.jsonl",
    }
    said = [one for one in iter_manifest(manifests[name]) if name != "real" or one.split == "test"]
    found = read_predictions(folder / name / "predictions.jsonl")
    phones = {one.id: [phone for phone in one.realized if phone != "<unk>"] for one in said}
    errors = sum(Levenshtein.distance(phones[name], found[name].phones) for name in phones)
    return errors / sum(map(len, phones.values()))
