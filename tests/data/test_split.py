import json
from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from pedkit.cli.main import app
from pedkit.data.assignment import assign_splits
from pedkit.data.draw import lot
from pedkit.data.manifest import read_manifest
from pedkit.data.split import parse_shares, split_manifest
from pedkit.data.utterance import Utterance
from pedkit.errors import PedkitError


def corpus(*sizes, **fields):
    """Return utterances of speakers a, b, c, ... who have so many each."""
    return [
        Utterance(id=f"{speaker}{number}", speaker=speaker, **fields)
        for speaker, size in zip("abcdefghijklmnopqrstuvwxyz", sizes, strict=False)
        for number in range(size)
    ]


def test_speakers_go_in_the_order_of_their_lots_to_the_split_that_lacks_most():
    utterances = corpus(4, 4, 4, 4)
    first, second, third, fourth = sorted("abcd", key=lambda name: lot(7, f"speaker={name}"))
    # of 16: train lacks 12, test 4; then 8 and 4; then 4 and 4 (the first of equals); then 0 and 4
    expected = {first: "train", second: "train", third: "train", fourth: "test"}
    splits = assign_splits(utterances, {"train": Fraction(3), "test": Fraction(1)}, seed=7)
    assert splits == [expected[utterance.speaker] for utterance in utterances]


@given(
    st.lists(st.integers(1, 9), min_size=6, max_size=20),
    st.lists(st.integers(1, 9), min_size=2, max_size=3),
    st.integers(0, 5),
)
def test_nobody_is_in_two_splits_and_no_split_gets_too_much(sizes, shares, seed):
    utterances = corpus(*sizes)
    named = {f"split{number}": Fraction(share) for number, share in enumerate(shares)}
    try:
        splits = assign_splits(utterances, named, seed=seed)
    except PedkitError as error:
        if "would get nothing" not in str(error):
            raise
        return
    homes = {(utterance.speaker, split) for utterance, split in zip(utterances, splits, strict=True)}
    assert len(homes) == len(sizes)
    counts = Counter(splits)
    for name, share in named.items():
        assert 0 < counts[name] < share * sum(sizes) / sum(named.values()) + max(sizes)


def test_the_order_of_the_manifest_does_not_matter():
    utterances = corpus(*range(1, 15))
    shares = {"train": Fraction(8), "dev": Fraction(1), "test": Fraction(1)}
    one = dict(zip((u.id for u in utterances), assign_splits(utterances, shares), strict=True))
    turned = utterances[::-1]
    assert dict(zip((u.id for u in turned), assign_splits(turned, shares), strict=True)) == one
    assert assign_splits(utterances, shares, seed=1) != assign_splits(utterances, shares, seed=2)


def test_strata_are_shared_out_alike():
    utterances = [
        Utterance(id=f"{gender}{number}", speaker=f"{gender}{number}", groups={"gender": gender})
        for gender, size in (("f", 40), ("m", 20))
        for number in range(size)
    ]
    splits = assign_splits(utterances, {"train": Fraction(3), "test": Fraction(1)}, stratify="gender")
    counts = Counter(
        (utterance.groups["gender"], split) for utterance, split in zip(utterances, splits, strict=True)
    )
    assert counts == {("f", "train"): 30, ("f", "test"): 10, ("m", "train"): 15, ("m", "test"): 5}


def test_strata_of_one_speaker_still_reach_every_split():
    utterances = [Utterance(id=str(n), speaker=str(n), groups={"l1": f"language {n}"}) for n in range(30)]
    splits = assign_splits(
        utterances, {"train": Fraction(8), "dev": Fraction(1), "test": Fraction(1)}, stratify="l1"
    )
    assert Counter(splits) == {"train": 24, "dev": 3, "test": 3}


def test_copies_of_one_source_stay_together_whoever_speaks_them():
    utterances = [
        Utterance(id=f"{speaker}-{source}", speaker=speaker, source_id=source)
        for speaker, source in ("ap", "aq", "bq", "br", "cs", "dt", "eu")
    ]
    splits = assign_splits(
        utterances, {"fold0": Fraction(1), "fold1": Fraction(1)}, by=("speaker", "source_id"), seed=3
    )
    assert len(set(splits[:4])) == 1  # a and b are tied by q, so p q r are as well
    assert len(set(assign_splits(utterances, {"x": Fraction(1), "y": Fraction(1)}, by=("source_id",))[1:3])) == 1


@pytest.mark.parametrize(
    ("utterances", "settings", "message"),
    [
        (corpus(1, 1), {}, "a speaker at least for each of 3 splits, but there are 2"),
        ([Utterance(id="u")], {}, "utterance 'u': expected every utterance to have 'speaker'"),
        (corpus(1, 1, 1), {"shares": {"a": Fraction(0)}}, "every share to be more than 0"),
        (corpus(1, 1, 98), {}, "would get nothing"),
        (
            [
                Utterance(id=str(i), speaker=s, groups={"gender": g})
                for i, (s, g) in enumerate([("a", "f"), ("a", "m"), ("b", "f"), ("c", "f")])
            ],
            {"stratify": "gender"},
            r"speaker=a has several values of 'gender' \(f, m\)",
        ),
    ],
)
def test_what_cannot_be_split(utterances, settings, message):
    shares = {"train": Fraction(8), "dev": Fraction(1), "test": Fraction(1)}
    with pytest.raises(PedkitError, match=message):
        assign_splits(utterances, **{"shares": shares, **settings})


@pytest.fixture
def manifest(tmp_path):
    path = tmp_path / "m.jsonl"
    lines = [
        {"id": f"s{speaker}_{number}", "speaker": f"s{speaker}", "split": "test" if speaker < 3 else "train"}
        for speaker in range(13)
        for number in range(10)
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def test_kept_splits_stay(manifest, tmp_path):
    counts = split_manifest(
        manifest, tmp_path / "s.jsonl", shares=parse_shares(["train=0.9", "dev=0.1"]), keep=["test"]
    )
    assert counts == {"test": 30, "train": 90, "dev": 10}
    splits = {u.id: u.split for u in read_manifest(tmp_path / "s.jsonl")}
    assert {name for name, split in splits.items() if split == "test"} == {
        u.id for u in read_manifest(manifest) if u.split == "test"
    }
    with pytest.raises(PedkitError, match="the split 'eval' to keep, but there are none"):
        split_manifest(manifest, tmp_path / "s.jsonl", keep=["eval"])


def test_nobody_new_comes_into_a_kept_split(manifest, tmp_path):
    counts = split_manifest(manifest, tmp_path / "s.jsonl", keep=["test"])
    assert counts == {"test": 30, "train": 90, "dev": 10}
    for wrong in ({"shares": parse_shares(["train=0.5", "test=0.5"])}, {"folds": 2, "keep": ["fold0"]}):
        manifest.write_text(manifest.read_text().replace('"train"', '"fold0"', 1))
        with pytest.raises(PedkitError, match="is kept as it is, so it can get no share of the others"):
            split_manifest(manifest, tmp_path / "s.jsonl", **{"keep": ["test"], **wrong})


def test_somebody_in_a_kept_split_cannot_be_shared_out(manifest, tmp_path):
    manifest.write_text(manifest.read_text().replace('"s0_0", "speaker": "s0"', '"s0_0", "speaker": "s12"'))
    with pytest.raises(
        PedkitError, match=r"m\.jsonl:121: utterance 's12_0': its speaker 's12' is in the kept split 'test', too"
    ):
        split_manifest(manifest, tmp_path / "s.jsonl", keep=["test"])


def test_what_cannot_be_shared_out_is_named_with_its_line(manifest, tmp_path):
    manifest.write_text(manifest.read_text().replace('"s3_4", "speaker": "s3"', '"s3_4"'))
    with pytest.raises(PedkitError, match=r"m\.jsonl:35: utterance 's3_4': expected every utterance to have"):
        split_manifest(manifest, tmp_path / "s.jsonl")
    with pytest.raises(PedkitError, match=r"m\.jsonl: expected a source_id at least for each of 2000 splits"):
        split_manifest(manifest, tmp_path / "s.jsonl", folds=2000, by=["source_id"])


def test_folds(manifest, tmp_path):
    counts = split_manifest(manifest, tmp_path / "k.jsonl", folds=4, seed=1)
    assert sorted(counts.values()) == [30, 30, 30, 40]
    assert list(counts) == ["fold0", "fold1", "fold2", "fold3"]
    record = json.loads((tmp_path / "k.provenance.json").read_text())
    assert record["settings"]["shares"] == {"fold0": "1", "fold1": "1", "fold2": "1", "fold3": "1"}
    assert (record["settings"]["by"], record["settings"]["seed"]) == (["speaker"], 1)
    for wrong, message in (
        ({"folds": 1}, "2 folds or more"),
        ({"folds": 2, "shares": {"a": 1}}, "either shares or"),
    ):
        with pytest.raises(PedkitError, match=message):
            split_manifest(manifest, tmp_path / "k.jsonl", **wrong)


@pytest.mark.parametrize("pairs", [["train=0.5"], ["train=0.8", "dev=0.1"], ["train=3", "dev=0.5"]])
def test_shares_that_leave_something_over_are_not_stretched(pairs):
    with pytest.raises(PedkitError, match="expected shares below 1 to add up to 1"):
        parse_shares(pairs)


def test_shares_of_the_command_line():
    assert parse_shares(["train=8", "dev=1"]) == {"train": 8, "dev": 1}
    assert parse_shares(["train=0.8", "dev=1/5"]) == {"train": Fraction(4, 5), "dev": Fraction(1, 5)}
    for wrong in (["train"], ["train=0"], ["=1"], ["a=1", "a=2"], ["a=1/0"], ["a=nan"]):
        with pytest.raises(PedkitError, match="expected each split once with a share above 0"):
            parse_shares(wrong)


def test_the_command(manifest, tmp_path):
    out = tmp_path / "s.jsonl"
    result = CliRunner().invoke(app, ["split", str(manifest), "--out", str(out), "--seed", "2"])
    assert (result.exit_code, result.output) == (0, f"{out}: train 110, dev 10, test 10\n")
    result = CliRunner().invoke(app, ["split", str(manifest), "--out", str(out), "--by", "speakr"])
    assert result.exit_code == 1
    assert "did you mean 'speaker'?" in result.stderr
