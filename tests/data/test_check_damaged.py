"""`check` finds every fault that was planted, by its kind and by the utterance, and nothing else."""

import hashlib
import json
import re

import numpy as np
import pytest
import soundfile
from typer.testing import CliRunner

from pedkit.cli.main import app
from pedkit.data.check import check
from pedkit.data.checking.card import audio_digest
from pedkit.data.checking.quality import clipped_share, is_silent
from pedkit.data.manifest import file_hash
from pedkit.errors import PedkitError
from tests.data.damaged_corpus import NEED_CONTENT, NEED_HEADER, PLANTED, noise, write_damaged_corpus


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    return write_damaged_corpus(tmp_path_factory.mktemp("damaged"))


@pytest.fixture(scope="module")
def report(corpus):
    return check(*corpus, audio="content")


def named(report, kind):
    """Return the utterances that the faults of a kind name."""
    return {name for fault in report.faults_by_kind[kind] for name in re.findall(r"(?<!of )'([a-z_0-9]+)'", fault)}


def test_every_kind_of_fault_is_found(report):
    assert set(report.faults_by_kind) == PLANTED


@pytest.mark.parametrize(
    ("kind", "names"),
    [
        ("truncated audio", {"cut_wav", "cut_flac", "cut_ogg", "cut_sph"}),
        ("silent audio", {"silent", "silent_too"}),
        ("clipped audio", {"clipped"}),
        ("more phones than fit", {"fast"}),
        ("sample rate", {"telephone"}),
        ("unreadable audio", {"html", "gone", "no_channel", "too_long", "nan"}),
        ("duplicate audio", {"copy", "copied"}),
        ("recording in two splits", {"shared_train", "shared_test"}),
        ("inventory", {"odd_inventory"}),
        ("id", {"good"}),
    ],
)
def test_utterances_are_named(report, kind, names):
    hints = {"audio", "channel", "arpabet"}
    assert named(report, kind) - hints == names


def test_lines_and_speakers_are_named(report, corpus):
    one, two = corpus
    lines = report.faults_by_kind["line"]
    assert [line.split(": ")[0] for line in lines] == [f"{one}:8", f"{one}:10", f"{two}:2"]
    assert report.faults_by_kind["id"] == [f"{one}:9: the id 'good' stands already on line 1"]
    assert report.faults_by_kind["symbol"] == [
        "the symbol 'IX' is outside the inventory cmu39 (1 times, first in utterance 'odd_symbol')"
    ]
    assert report.faults_by_kind["speaker in two splits"] == [
        "the speaker 'toy:1' is in the splits test, train",
        "the speaker 'toy:3' is in the splits dev, train",
    ]


def test_a_bad_line_does_not_end_the_reading(report):
    assert {label: counts.utterances for label, counts in report.splits.items()} == {
        "one: train": 25,
        "one: test": 2,
        "two: train": 1,
        "two: dev": 1,
        "two: two": 1,
    }


def test_what_is_no_fault_is_a_note(report):
    assert (
        "toy: mixed sample rates: 1 at 8000 Hz (first 'telephone'), 17 at 16000 Hz (first 'good')" in report.notes
    )
    assert "utterances with exactly the audio of another one: 1" in report.notes  # the id that stands twice


def test_each_level_finds_what_it_says(corpus):
    assert set(check(*corpus, audio="header").faults_by_kind) == PLANTED - NEED_CONTENT
    assert set(check(*corpus, audio="none").faults_by_kind) == PLANTED - NEED_CONTENT - NEED_HEADER
    with pytest.raises(PedkitError, match="'audio' to be one of none, header, content, but got 'all'"):
        check(*corpus, audio="all")


def test_a_compressed_file_that_breaks_off_needs_content_but_ogg(corpus):
    faults = check(*corpus, audio="header").faults
    assert any("'cut_ogg'" in fault for fault in faults)
    assert not any("'cut_flac'" in fault for fault in faults)


def test_another_least_rate(corpus):
    assert "sample rate" not in check(*corpus, sample_rate=8000).faults_by_kind


def test_the_command_lists_all_and_ends_with_1(corpus, tmp_path):
    arguments = ["check", *map(str, corpus), "--audio", "content", "--all"]
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 1
    assert all(f"FAULT, {kind}: " in result.output for kind in PLANTED)
    few = CliRunner().invoke(app, ["check", *map(str, corpus)])
    assert few.exit_code == 1
    assert len(few.output.splitlines()) < len(result.output.splitlines())


@pytest.mark.parametrize("form", ["{}.jsonl", "{}/manifest.jsonl"])
def test_speakers_in_two_manifests_without_splits(tmp_path, form):
    paths = [tmp_path / form.format(name) for name in ("train", "test")]
    for name, path in zip(("train", "test"), paths, strict=True):
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps({"id": name, "speaker": "toy:1"}) + "\n")
    report = check(*paths)
    assert report.faults == ["the speaker 'toy:1' is in the splits test, train"]
    assert list(report.splits) == ["train: train", "test: test"]


class TestCard:
    @pytest.fixture
    def good(self, tmp_path):
        soundfile.write(tmp_path / "a.wav", noise(1), 16000)
        soundfile.write(tmp_path / "b.wav", noise(2), 16000)
        lines = [
            {"id": name, "audio": f"{name}.wav", "corpus": corpus, "speaker": f"s:{name}", "split": "train",
             "groups": {"gender": gender}, "may_upload": upload, "language": "eng"}
            for name, corpus, gender, upload in (("a", "timit", "male", False), ("b", "mine", "female", None))
        ]  # fmt: skip
        path = tmp_path / "m.jsonl"
        path.write_text("".join(json.dumps(line) + "\n" for line in lines))
        return path

    def test_source_licence_counts_and_hashes(self, good, tmp_path):
        arguments = [
            "check",
            str(good),
            "--card",
            str(tmp_path / "CARD.md"),
            "--licence",
            "CC0",
            "--source",
            "at home",
        ]
        assert CliRunner().invoke(app, arguments).exit_code == 0
        card = (tmp_path / "CARD.md").read_text()
        assert f"| m.jsonl | `{file_hash(good)}` |" in card
        assert "| timit | 1 | LDC agreement, no passing on | LDC93S1, catalog.ldc.upenn.edu/LDC93S1 |" in card
        assert "| mine | 1 | CC0 | at home |" in card
        assert "(`may_upload`): no 1, not stated 1." in card
        assert "| train | 2 | 2 | 0.00 | 0 | 0 | 0 | 0 | 0 | 0 |" in card
        assert "| gender | female 1, male 1 |" in card
        assert "## Faults\n\nNone was found.\n" in card
        hashes = sorted(hashlib.sha256((tmp_path / f"{name}.wav").read_bytes()).hexdigest() for name in "ab")
        digest = hashlib.sha256("".join(f"{line}\n" for line in hashes).encode()).hexdigest()
        assert f"one a line): `{digest}`" in card

    def test_faults_stand_in_the_card(self, corpus, tmp_path):
        CliRunner().invoke(app, ["check", *map(str, corpus), "--card", str(tmp_path / "CARD.md")])
        card = (tmp_path / "CARD.md").read_text()
        assert "# Data card: one.jsonl and two.jsonl" in card
        assert "- speaker in two splits: the speaker 'toy:1' is in the splits test, train" in card
        assert "(1 of them cannot be read)" in card

    def test_the_digest_knows_no_names(self, tmp_path):
        for folder, names in (("x", "ab"), ("y", "cd")):
            (tmp_path / folder).mkdir()
            for name, content in zip(names, ("1", "2"), strict=True):
                (tmp_path / folder / name).write_text(content)
        x = [str(tmp_path / "x" / name) for name in "ab"]
        y = [str(tmp_path / "y" / name) for name in "dc"]
        assert audio_digest(x) == audio_digest(y)
        assert audio_digest([*x, str(tmp_path / "gone")]) == (audio_digest(x)[0], 1)


class TestQuality:
    def test_clipping_is_three_in_a_row(self):
        samples = np.zeros(1000, dtype=np.float32)
        samples[10:12] = 1.0
        assert clipped_share(samples) == 0
        samples[20:23] = -1.0
        assert clipped_share(samples) == 0.003
        samples[-4:] = 1.5
        assert clipped_share(samples) == 0.007

    def test_a_constant_is_silent_however_high(self):
        assert is_silent(np.full(100, 0.5, dtype=np.float32))
        assert is_silent(np.array([0.0009, -0.0009], dtype=np.float32))
        assert not is_silent(np.array([0.002, -0.002], dtype=np.float32))
