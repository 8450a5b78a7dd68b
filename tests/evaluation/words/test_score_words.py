import csv
import json

import pytest

from pedkit.data.prediction import Prediction
from pedkit.data.utterance import Utterance
from pedkit.errors import PedkitError
from pedkit.evaluation.words import score_words

SAID = [
    Utterance(id="a", text="Turn it off, please.", speaker="s1", corpus="c", groups={"gender": "f"}),
    Utterance(id="b", text="What's the time?", speaker="s2", corpus="c", groups={"gender": "m"}),
    Utterance(id="c", text="Stop", speaker="s2", corpus="c", groups={"gender": "m"}),
]
HEARD = {"a": "turn it of please", "b": "whats time now", "c": ""}
# a: 1 of 4. b (what's the time | whats time now): substituted, deleted, inserted: 3 of 3. c: 1 of 1.


def test_words_are_scored_and_summed_by_group():
    result = score_words(
        predictions={"x": [Prediction(id=name, raw=text) for name, text in HEARD.items()]},
        manifest=SAID,
        groups=["gender"],
    )
    scores = result.to_json()["systems"]["x"]
    assert scores["wer"] == {"value": 5 / 8, "numerator": 5, "denominator": 8, "reason": None}
    groups = scores["groups"]["gender"]["c"]
    assert [
        (value, one["n_utterances"], one["n_speakers"], one["wer"]["value"]) for value, one in groups.items()
    ] == [
        ("f", 1, 1, 0.25),
        ("m", 2, 1, 1.0),
    ]
    assert result.fairness is None


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("x.jsonl", "".join(json.dumps({"id": n, "text": t}) + "\n" for n, t in HEARD.items())),
        (
            "x.jsonl",
            "".join(json.dumps({"id": n, "text": "said", "pred_text": t}) + "\n" for n, t in HEARD.items()),
        ),
        ("x.csv", "id,text\na,turn it of please\nb,whats time now\nc,\n"),
        ("x.tsv", "text\tid\nturn it of please\ta\nwhats time now\tb\n\tc\n"),
        ("text", "a turn it of please\nb whats time now\nc\n"),
        ("text", "a\tturn it of please\nb \t whats time now\nc\t\n"),
        ("x.json", "".join(json.dumps({"id": n, "pred_text": t}) + "\n" for n, t in HEARD.items())),
    ],
)
def test_every_format_gives_the_same(tmp_path, name, content):
    path = tmp_path / name
    path.write_text(content)
    result = score_words(predictions=path, manifest=SAID)
    [system] = result.systems.values()
    assert (system.total.errors, system.total.words) == (5, 8)
    assert system.statuses == {"ok": 2, "empty": 1}


def test_files_hold_every_utterance_and_the_settings(tmp_path):
    predictions = tmp_path / "x.csv"
    predictions.write_text("id,text\na,turn it off please\n")
    score_words(predictions=predictions, manifest=SAID[:1], output_dir=tmp_path / "out")
    with (tmp_path / "out/utterances.csv").open(newline="") as stream:
        [row] = csv.DictReader(stream)
    assert row == {
        "system": "x", "id": "a", "corpus": "c", "split": "", "speaker": "s1", "status": "ok",
        "reference_words": "4", "errors": "0", "text": "turn it off please", "heard": "turn it off please",
    }  # fmt: skip
    scores = json.loads((tmp_path / "out/scores.json").read_text())
    assert (scores["metric"], scores["settings"]["normal_form"]) == ("wer", "basic")
    assert scores["settings"]["predictions"]["x"]["path"] == str(predictions)


def test_missing_and_failed_predictions_are_errors_unless_asked_for():
    one = [Prediction(id="a", raw="turn"), Prediction(id="b", status="failed", reason="too long")]
    with pytest.raises(PedkitError, match="utterance 'b': the recognizer failed: too long"):
        score_words(predictions={"x": one}, manifest=SAID)
    result = score_words(predictions={"x": one}, manifest=SAID, failed="empty", missing="empty")
    assert (result["x"].total.errors, result["x"].total.words) == (3 + 3 + 1, 8)
    assert result["x"].statuses == {"ok": 1, "failed": 1, "missing": 1}


@pytest.mark.parametrize(
    ("manifest", "predictions", "settings", "message"),
    [
        ([Utterance(id="a")], [Prediction(id="a", raw="x")], {}, "utterance 'a': the utterance has no text"),
        (SAID[:1], [Prediction(id="a", phones=("T",))], {}, "utterance 'a': the prediction has no text"),
        (SAID[:1], [Prediction(id="a", raw="x")], {"groups": ["acent"]}, "no utterance has the group key 'acent'"),
        (
            SAID[:1],
            [Prediction(id="a", raw="x")],
            {"normal_form": "nice"},
            "expected normal_form to be basic or none, but got",
        ),
        (SAID[:1], [Prediction(id="a", raw="x")], {"tie": "plain"}, "unknown setting 'tie'"),
    ],
)
def test_what_cannot_be_scored_is_one_sentence(manifest, predictions, settings, message):
    with pytest.raises(PedkitError, match=message):
        score_words(predictions={"x": predictions}, manifest=manifest, **settings)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        (
            "x.jsonl",
            '{"id": "a", "phones": "T"}\n',
            r"x.jsonl:1: utterance 'a': expected one of pred_text, .* got None",
        ),
        (
            "x.jsonl",
            '{"id": "a", "text": "b"}\n{"id": "a", "text": "c"}\n',
            r"x.jsonl:2: utterance 'a': this id stands",
        ),
        ("x.csv", "name,text\na,b\n", r"x.csv:2: expected 'id' to be a non-empty string"),
        ("x.jsonl", '{"id": "a", "text": 5}\n', r"x.jsonl:1: .*to be text, but got 5"),
        (
            "x.json",
            '{"a": {"pred": "t"}}',
            r"x.json:1: expected 'id' to be a non-empty string",
        ),
    ],
)
def test_a_broken_file_is_named_with_its_line(tmp_path, name, content, message):
    path = tmp_path / name
    path.write_text(content)
    with pytest.raises(PedkitError, match=message):
        score_words(predictions=path, manifest=SAID)


def test_a_comparison_that_fails_leaves_the_older_result_whole(tmp_path, monkeypatch):
    names = ("fairness.json", "fairness_groups.csv", "fairness_pairs.csv", "scores.json", "utterances.csv")
    settings = {"manifest": SAID, "output_dir": tmp_path, "groups": ["gender"], "fairness": {"model": False}}
    score_words(predictions={"x": [Prediction(id=name, raw=text) for name, text in HEARD.items()]}, **settings)
    older = [(tmp_path / name).read_bytes() for name in names]

    def stops(*_args):
        raise PedkitError("nothing can be compared")

    monkeypatch.setattr("pedkit.evaluation.fairness.compare_groups", stops)
    with pytest.raises(PedkitError, match="nothing can be compared"):
        score_words(predictions={"x": [Prediction(id=name, raw="") for name in HEARD]}, **settings)
    assert [(tmp_path / name).read_bytes() for name in names] == older
    assert len((tmp_path / "utterances.csv.partial").read_text().splitlines()) == 4
