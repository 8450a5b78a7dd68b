"""No text makes the reader raise, and what it reads is always something that can be scored."""

from __future__ import annotations

import json
import random

from hypothesis import given
from hypothesis import strategies as st

from pedkit.data.prediction import Prediction
from pedkit.models.answers import Answer, parse_answer
from pedkit.models.answers.phones import read_phones
from pedkit.phones import ARPABET_TO_IPA, Projector, get_inventory
from pedkit.report.answers import REFUSALS

CMU39 = get_inventory("cmu39")
PROJECTORS = {name: Projector(name, "cmu39") for name in ("cmu39", "ipa")}
FORMS = {
    "ok": {"json", "json_one_key", "plain"},
    "empty": {"json", "json_one_key", "blank"},
    "unparsable": {
        "text_before", "not_an_object", "malformed", "cut_off", "no_transcription", "no_string", "not_phones",
    },
}  # fmt: skip
DEVIATIONS = {"fenced", "list", "text_after", "recovered", "arpabet", "outside_cmu39", "left_out"}
PIECES = [
    "{", "}", "[", "]", '"', "'", ":", ",", "\\", "\\u02", "\\ud83d", "\n", " ", "```", "```json\n", "~~~", "null",
    "1e5", "\x00", "\ufeff", "\u200b", "\ufffd", "͡", "˞", "ː", "ˈ", "a", "t", "θ", "TH", "AH0", "th", "y", "ʔ",
    "é", "好", "🙂", "the ", "transcription", '"transcription": ', '{"transcription": "', "|", "-",
    "Ġ", "<|im_end|>",
]  # fmt: skip


def _answer(rng: random.Random) -> str:
    phones = rng.choices(CMU39.phones, k=rng.randint(0, 8))
    written = [phone if rng.random() < 0.1 else ARPABET_TO_IPA[phone] for phone in phones]
    value: object = " ".join(written) if rng.random() < 0.8 else written
    key = rng.choice(["transcription", "transcription", "phones"])
    found: dict[str, object] = {key: value}
    if rng.random() < 0.2:
        found["note"] = rng.choice(["clear", 1, None, ["a"], {"b": True}])
    text = json.dumps(found, ensure_ascii=rng.random() < 0.2, indent=rng.choice([None, 2]))
    return rng.choice([text, text, " ".join(written), f"```json\n{text}\n```", f"{text}\nIt was clear."])


def _mutated(rng: random.Random) -> str:
    text = _answer(rng)
    for _ in range(rng.randint(1, 4)):
        first, second = sorted(rng.choices(range(len(text) + 1), k=2))
        kind = rng.randrange(6)
        if kind == 0:
            text = text[:first] + rng.choice(PIECES) + text[first:]
        elif kind == 1:
            text = text[:first] + text[first + 1 :]
        elif kind == 2:
            text = text[:first] + text[second:]
        elif kind == 3:
            text = text[:second]
        elif kind == 4:
            text = text[:second] + text[first:]
        else:
            text = text[second:] + text[:first]
    return text


def _check(text: str, answer: Answer) -> None:
    form, *deviations = answer.outcome.split("+")
    assert form in FORMS[answer.status], text
    assert set(deviations) <= DEVIATIONS
    assert len(set(deviations)) == len(deviations)
    assert bool(answer.phones) is (answer.status == "ok")
    assert answer.recovered is ("recovered" in deviations)
    assert bool(answer.left_out) is ("left_out" in deviations)
    assert answer.status == "ok" or answer.reason
    if answer.inventory == "cmu39":
        assert set(answer.phones) <= set(CMU39.phones), text
    projected = PROJECTORS[answer.inventory](answer.phones)
    assert projected.phones or projected.dropped or not answer.phones, text
    prediction = answer.prediction("a", text)
    assert Prediction.from_dict(json.loads(json.dumps(prediction.to_dict()))) == prediction


def test_ten_thousand_mutated_answers():
    rng = random.Random(8)
    met = set()
    for _ in range(10_000):
        text = _mutated(rng)
        answer = parse_answer(text, cut_off=rng.random() < 0.3)
        _check(text, answer)
        met |= {(answer.status, answer.outcome.split("+")[0]), *answer.outcome.split("+")[1:]}
    assert FORMS["unparsable"] == set(REFUSALS)
    assert met == {(status, form) for status, forms in FORMS.items() for form in forms} | DEVIATIONS


def test_a_value_reads_the_same_by_every_way_of_writing_it():
    rng = random.Random(9)
    for _ in range(500):
        value = _mutated(rng)
        expected = read_phones(value)
        for text in (
            json.dumps({"transcription": value}),
            json.dumps({"note": {}, "transcription": value}, ensure_ascii=False, indent=1),
            json.dumps({"x": [value]}),
        ):
            answer = parse_answer(text)
            assert (answer.phones, answer.left_out if answer.phones else ()) == (
                expected.phones, expected.left_out if expected.phones else (),
            )  # fmt: skip
            assert not answer.recovered


@given(st.text(), st.booleans())
def test_any_text(text, cut_off):
    _check(text, parse_answer(text, cut_off=cut_off))


@given(st.text(alphabet=st.characters(codec=None, categories=["Cs", "Ll", "Mn", "Zs", "Po"])))
def test_any_string_in_json(value):
    text = json.dumps({"transcription": value})
    _check(text, parse_answer(text))


def test_texts_of_any_size_and_depth():
    texts = (
        "{" * 20_000, '{"a":' * 20_000, '{"transcription": ' + "[" * 20_000, "θ" * 20_000, "`" * 19_999,
        '{"transcription": "' + "θ " * 20_000, "9" * 10_000, '{"transcription": ' + "9" * 10_000,
        " " * 20_000 + "{", "\\" * 20_000, '{"' + "\\" * 19_999,
    )  # fmt: skip
    for text in texts:
        _check(text, parse_answer(text))
    assert len(parse_answer(texts[5]).phones) == 20_000
