"""Answers of a language model in the scores: statuses, rules, and what was left out, counted by hand."""

import json

from pedkit.data.utterance import Utterance
from pedkit.evaluation.score import score
from pedkit.models.answers import parse_answer
from pedkit.report.beside import beside_rows

ANSWERS = {
    "a": '{"transcription": "θ ɪ ŋ k"}',
    "b": '```json\n{"transcription": "TH IH S"}\n```',
    "c": 'Here you are: {"transcription": "θ ɪ ŋ k"}',
    "d": '{"transcription": ""}',
    "e": '{"transcription": "θ um ɪ ŋ t',
}


def test_statuses_rules_and_losses(tmp_path):
    manifest, predictions = tmp_path / "m.jsonl", tmp_path / "p.jsonl"
    phones = ("TH", "IH", "NG", "K")
    utterances = [Utterance(id=name, inventory="cmu39", canonical=phones, realized=phones) for name in ANSWERS]
    manifest.write_text("".join(json.dumps(one.to_dict()) + "\n" for one in utterances))
    lines = [parse_answer(text).prediction(name, text).to_dict() for name, text in ANSWERS.items()]
    predictions.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines))
    scores = score(predictions=predictions, manifest=manifest).to_json()
    [system] = scores["systems"].values()
    assert system["statuses"] == {
        "ok": 3, "empty": 1, "unparsable": 1, "failed": 0, "missing": 0, "recovered": 1,
    }  # fmt: skip
    assert system["answers"] == {
        "json": 4, "fenced": 1, "arpabet": 1, "text_before": 1, "recovered": 1, "left_out": 1,
    }  # fmt: skip
    assert system["dropped"]["predicted"] == {"um": 1}
    # a: right; b: NG is S and K deleted; c, d: all four deleted; e: K deleted
    fields = system["fields"]
    assert (fields["substitutions"], fields["deletions"], fields["insertions"]) == (1, 10, 0)
    rows = {row.title: row.cells[0].tip for row in beside_rows(scores)}
    assert rows["Answers with phones, %"] == "5 answers, 1 empty, 1 unparsable, 1 recovered"
