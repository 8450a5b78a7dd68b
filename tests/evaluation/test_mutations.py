"""Whatever stands in a file: a score, or one `PedkitError`; never another exception."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pedkit.errors import PedkitError
from pedkit.evaluation.score import score

UTTERANCES = [
    {
        "id": f"u{k}",
        "inventory": "cmu39",
        "canonical": "K AE T",
        "realized": "K AH T",
        "alignment": "MMM",
        "groups": {"g": "x"},
    }
    for k in range(4)
]
FILES = {
    "m.jsonl": "".join(json.dumps(utterance) + "\n" for utterance in UTTERANCES),
    "p.jsonl": "".join(json.dumps({"id": f"u{k}", "phones": "K AE T"}) + "\n" for k in range(4)),
    "text": "".join(f"u{k} K AE T\n" for k in range(4)),
    "p.csv": "id,phones\n" + "".join(f"u{k},K AE T\n" for k in range(4)),
    "t.json": json.dumps({f"u{k}": {"pred": "kæt"} for k in range(4)}),
}
FRAGMENTS = st.sampled_from(
    [
        b"", b"\n", b"\r\n", b",", b'"', b"{", b"}", b"[", b"]", b":", b"NaN", b"null", b"-", b" ", b"\t", b"\x00",
        b"\xff", b"\xef\xbb\xbf", b"u1", b"K", b"<unk>", b"err", b"ZZ", "ə".encode(), "◌̃".encode(), b"1e999",
        b"true",
        b'"id"', b'"phones"', b'"status"', b'"failed"', b'"inventory"', b'"ipa"', b'"canonical"', b'"realized"',
        b'"times"', b'"flags"', b'"alignment"', b"D", b"I", b'{"7": "star"}', b"[[0, 1]]", b"9" * 400,
    ]
)  # fmt: skip
EDITS = st.lists(st.tuples(st.floats(0, 1), st.integers(0, 12), FRAGMENTS), min_size=1, max_size=4)


def attempt(**arguments):
    """Return a score or the one error that is allowed; any other exception passes through and fails the test."""
    try:
        return score(**arguments), None
    except PedkitError as error:
        return None, error


def mutated(content, edits):
    for place, length, fragment in edits:
        start = round(place * len(content))
        content = content[:start] + fragment + content[start + length :]
    return content


def budgets(short, long):
    return pytest.mark.parametrize("examples", [short, pytest.param(long, marks=pytest.mark.slow)])


def run(examples, check, **strategies):
    settings(max_examples=examples, deadline=None, derandomize=True)(given(**strategies)(check))()


@budgets(400, 7_000)
def test_mutated_files_give_a_score_or_one_clear_error(tmp_path, examples):
    def check(name, edits, per_reference, choice):
        for file, content in FILES.items():
            changed = mutated(content.encode(), edits) if file == name else content.encode()
            (tmp_path / file).write_bytes(changed)
        predictions = tmp_path / ("p.jsonl" if name == "m.jsonl" else name)
        chosen = {"per_reference": per_reference, "missing": "empty", "groups": ["g"], **choice}
        result, error = attempt(predictions=predictions, manifest=tmp_path / "m.jsonl", **chosen)
        if result is not None:
            json.dumps(result.to_json(), allow_nan=False)
        else:
            assert len(str(error).splitlines()) == 1
            assert str(tmp_path) in str(error) or "group key" in str(error)

    files, references = st.sampled_from(sorted(FILES)), st.sampled_from(["realized", "canonical"])
    choices = st.sampled_from([{}, {"reference": "annotated"}, {"tr_range": True}])
    run(examples, check, name=files, edits=EDITS, per_reference=references, choice=choices)


@budgets(200, 3_000)
def test_random_bytes_give_one_clear_error(tmp_path, examples):
    (tmp_path / "m.jsonl").write_text(FILES["m.jsonl"])

    def check(content, name):
        (tmp_path / name).write_bytes(content)
        _, error = attempt(predictions=tmp_path / name, manifest=tmp_path / "m.jsonl", references=[])
        assert error is not None  # four utterances cannot have been predicted by these bytes
        assert str(tmp_path) in str(error)

    names = st.sampled_from(["p.jsonl", "text", "p.csv", "t.json"])
    run(examples, check, content=st.binary(max_size=120), name=names)
