import json

import pytest
from typer.testing import CliRunner

from pedkit.cli.main import app
from pedkit.data.conditions import Condition, Conditions
from pedkit.data.draw import draw
from pedkit.data.filter import filter_manifest
from pedkit.data.utterance import Audio, Utterance
from pedkit.errors import PedkitError

GIRL = Utterance(
    id="girl",
    speaker="s:1",
    split="train",
    audio=Audio("a.wav", duration=1.5),
    realized=(),
    groups={"gender": "female", "age": 7, "native": False},
)
MAN = Utterance(id="man", speaker="s:2", split="test", canonical=("S",), groups={"gender": "male", "age": 40.0})


@pytest.mark.parametrize(
    ("text", "girl", "man"),
    [
        ("gender=female", True, False),
        ("gender != female", False, True),
        ("gender=female|male", True, True),
        ("gender!=female|male", False, False),
        ("age>=18", False, True),
        ("age < 7.5", True, False),
        ("age=7", True, False),
        ("age<=40", True, True),
        ("native=False", True, False),
        ("native!=true", True, False),  # nobody says whether the man is: missing meets no condition
        ("speaker=s:2", False, True),
        ("source_id=man", False, True),
        ("split<tr", False, True),
    ],
)
def test_comparisons(text, girl, man):
    assert (Condition(text)(GIRL), Condition(text)(MAN)) == (girl, man)


@pytest.mark.parametrize("text", ["gender", "=female", "gender~f", "age>=1|2", ""])
def test_other_forms_are_refused(text):
    with pytest.raises(PedkitError, match="expected"):
        Condition(text)


def test_a_number_is_compared_with_numbers_only():
    with pytest.raises(
        PedkitError, match=r"utterance 'girl': expected a number to compare 'age' with, but got 'old'"
    ):
        Condition("age>old")(GIRL)


@pytest.mark.parametrize(
    ("conditions", "girl", "man"),
    [
        (Conditions(present=["realized"]), True, False),  # nothing was said, and somebody listened
        (Conditions(lacking=["canonical"]), True, False),
        (Conditions(present=["words"]), False, False),
        (Conditions(lacking=["source_id", "flags"]), True, True),
        (Conditions(present=["native", "audio"]), True, False),
        (Conditions(where=[Condition("age>1"), Condition("gender=male")]), False, True),
    ],
)
def test_what_is_there(conditions, girl, man):
    assert (conditions(GIRL), conditions(MAN)) == (girl, man)


def test_lengths_are_those_of_the_manifest():
    assert Conditions(min_seconds=1.5, max_seconds=1.5)(GIRL)
    assert not Conditions(min_seconds=1.6)(GIRL)
    assert not Conditions(max_seconds=1.4)(GIRL)
    with pytest.raises(PedkitError, match=r"utterance 'man': expected the manifest to say how long"):
        Conditions(max_seconds=2)(MAN)


@pytest.fixture
def manifest(tmp_path):
    lines = [
        {"id": f"u{number}", "speaker": f"s:{number % 4}", "split": "train" if number < 15 else "test",
         "audio": f"{number}.wav", "groups": {"l1": ["hindi", "korean"][number % 2], "age": number}}
        for number in range(20)
    ]  # fmt: skip
    lines[3]["groups"].pop("l1")
    path = tmp_path / "in" / "m.jsonl"
    path.parent.mkdir()
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def ids(path):
    return [json.loads(line)["id"] for line in path.read_text().splitlines()]


def test_those_that_meet_the_conditions_in_their_order(manifest, tmp_path):
    conditions = Conditions(where=[Condition("l1=hindi"), Condition("age>12")])
    assert filter_manifest(manifest, tmp_path / "f.jsonl", conditions) == 3
    assert ids(tmp_path / "f.jsonl") == ["u14", "u16", "u18"]
    assert json.loads((tmp_path / "f.jsonl").read_text().splitlines()[0])["audio"]["path"] == "in/14.wav"


def test_a_sample_of_each_group(manifest, tmp_path):
    out = tmp_path / "f.jsonl"
    assert filter_manifest(manifest, out, Conditions(), sample=3, per="l1", seed=5) == 3 + 3 + 1
    names = {"hindi": [f"u{n}" for n in range(0, 20, 2)], "korean": [f"u{n}" for n in range(1, 20, 2) if n != 3]}
    chosen = {"u3"}.union(*(draw(group, 3, 5) for group in names.values()))
    assert ids(out) == sorted(chosen, key=lambda name: int(name[1:]))
    assert filter_manifest(manifest, out, Conditions(), sample=6, seed=5) == 6
    record = json.loads((tmp_path / "f.provenance.json").read_text())
    assert record["settings"] == {"sample": 6, "per": None, "seed": 5}


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"conditions": Conditions(where=[Condition("l1s=hindi")])}, r"field or group 'l1s' \(did you mean 'l1'"),
        ({"conditions": Conditions(present=["transcript"])}, "field or group 'transcript'"),
        ({"conditions": Conditions(where=[Condition("l1=hindi|hindu")])}, "no utterance has the l1 'hindu'"),
        (
            {"conditions": Conditions(where=[Condition("age>young")])},
            r"m\.jsonl:1: utterance 'u0': expected a number to compare 'age' with, but got 'young'",
        ),
        (
            {"conditions": Conditions(max_seconds=3)},
            r"m\.jsonl:1: utterance 'u0': expected the manifest to say how",
        ),
        ({"conditions": Conditions(where=[Condition("age>99")])}, "none of 20 utterances meets all conditions"),
        ({"sample": 0}, "'sample' to be 1 or more"),
        ({"per": "l1"}, "'per' to come with 'sample'"),
    ],
)
def test_typing_errors_find_nothing_and_say_so(manifest, tmp_path, settings, message):
    with pytest.raises(PedkitError, match=message):
        filter_manifest(manifest, tmp_path / "f.jsonl", **{"conditions": Conditions(), **settings})
    assert not (tmp_path / "f.jsonl").exists()


def test_the_command(manifest, tmp_path):
    out = tmp_path / "f.jsonl"
    arguments = [
        "filter",
        str(manifest),
        "--out",
        str(out),
        "--split",
        "test",
        "--speaker",
        "s:1",
        "--speaker",
        "s:2",
    ]
    result = CliRunner().invoke(app, [*arguments, "--where", "age>=16", "--has", "l1"])
    assert (result.exit_code, result.output) == (0, f"{out}: 2 utterances of {manifest}\n")
    assert ids(out) == ["u17", "u18"]
    record = json.loads((tmp_path / "f.provenance.json").read_text())
    assert record["settings"]["where"] == ["split=test", "speaker=s:1|s:2", "age>=16"]
