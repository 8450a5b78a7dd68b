from __future__ import annotations

import math

import pytest
from typer.testing import CliRunner

from pedkit.cli.main import app
from pedkit.data.manifest import write_manifest
from pedkit.data.utterance import Utterance
from pedkit.errors import PedkitError
from pedkit.models.ngram import PhoneNgram
from pedkit.models.ngram_training import ngram_of_manifests


@pytest.fixture
def manifest(tmp_path):
    path = tmp_path / "m.jsonl"
    said = [
        ("a", "train", ("S", "AA"), ("S", "IH")),
        ("b", "train", ("AA", "S"), ("AA",)),
        ("c", "test", ("T",), ("T",)),
    ]
    write_manifest(
        path,
        [Utterance(id=name, split=split, inventory="cmu39", realized=realized, canonical=canonical)
         for name, split, realized, canonical in said],
    )  # fmt: skip
    return path


def test_a_split_is_counted_with_a_share_for_all_phones_of_the_inventory(manifest):
    ngram = ngram_of_manifests([{"manifest": str(manifest), "split": "train"}], order=1)
    # Six tokens: S 2, AA 2, ends 2; three kinds; 39 phones and the end.
    assert math.exp(ngram.log_prob("S")) == pytest.approx((2 + 3 / 40) / 9)
    assert math.exp(ngram.log_prob("T")) == pytest.approx((3 / 40) / 9)
    assert len(ngram.phones) == 39


def test_canonical_phones_and_an_open_inventory(manifest, tmp_path):
    ngram = ngram_of_manifests([manifest], order=1, target="canonical")
    assert math.exp(ngram.log_prob("IH")) == pytest.approx((1 + 5 / 40) / 12)
    path = tmp_path / "ipa.jsonl"
    write_manifest(path, [Utterance(id="a", inventory="ipa", realized=("t", "ɑ", "s", "t"))])
    assert ngram_of_manifests([path], inventory="ipa").phones == ("s", "t", "ɑ")


def test_what_cannot_be_counted_is_placed(tmp_path):
    path = tmp_path / "m.jsonl"
    write_manifest(path, [Utterance(id="a", inventory="cmu39", canonical=("S",))])
    with pytest.raises(PedkitError, match=r"m.jsonl: utterance 'a': has no realized phones"):
        ngram_of_manifests([path])


def test_the_command(manifest, tmp_path):
    out = tmp_path / "phones.arpa"
    arguments = ["ngram", str(manifest), "--out", str(out), "--order", "2", "--split", "train"]
    result = CliRunner().invoke(app, arguments)
    assert (result.exit_code, result.output.split(": ")[1]) == (0, "2-gram of 39 phones\n")
    assert PhoneNgram.load(out).order == 2
