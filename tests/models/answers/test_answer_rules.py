"""Every rule by which an answer is read, with results worked out by hand; the tables of the document are run."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from pedkit.data.prediction import Prediction
from pedkit.models.answers import parse_answer
from pedkit.models.answers.cut_off import CUT, complete

DOCUMENT = (Path(__file__).parents[3] / "docs" / "audio_language_models" / "answers.md").read_text(
    encoding="utf-8"
)


def documented_rows():
    rows, inside = [], False
    for line in DOCUMENT.splitlines():
        if line.startswith("| answer | status"):
            inside = True
        elif inside and not line.startswith("|"):
            inside = False
        elif inside and not line.startswith("| ---"):
            _, answer, status, outcome, phones, _, _ = line.split("|")
            text = answer.strip()[1:-1]
            rows.append((text.replace("⏎", "\n"), status.strip(), outcome.strip(), phones.split()))
    return rows


ROWS = documented_rows()


def test_the_document_has_its_tables():
    assert len(ROWS) >= 60


def test_the_python_of_the_document_prints_what_it_says(capsys):
    [code] = re.findall(r"```python\n(.*?)\n```\n\n", DOCUMENT, re.DOTALL)
    exec(code, {})
    assert capsys.readouterr().out.splitlines() == re.findall(r"\)  # (.+)", code)


@pytest.mark.parametrize(("text", "status", "outcome", "phones"), ROWS, ids=[row[0].strip() for row in ROWS])
def test_a_documented_rule(text, status, outcome, phones):
    answer = parse_answer(text)
    assert (answer.status, answer.outcome, list(answer.phones)) == (status, outcome, phones)
    assert answer.inventory == ("ipa" if "outside_cmu39" in outcome else "cmu39")
    assert answer.recovered is ("recovered" in outcome)
    assert bool(answer.reason) >= (status != "ok")


def test_a_fence_of_backticks_is_one_too():
    for text in ('```json\n{"transcription": "k æ t"}\n```', '``` JSON\r\n{"transcription": "k æ t"}```'):
        assert parse_answer(text).outcome == "json+fenced"
        assert parse_answer(text).phones == ("K", "AE", "T")
    assert parse_answer("```k æ t```").phones == ("K", "AE", "T")
    assert parse_answer('```json {"transcription": "k"}```').phones == ("K",)
    assert parse_answer("```").outcome == "blank+fenced"


def test_a_byte_order_mark_is_white_space():
    assert parse_answer('\ufeff {"transcription": "k"}').outcome == "json"


@pytest.mark.parametrize(
    ("text", "phones", "inventory"),
    [
        ("tʃ ʤ ɚ g", ("CH", "JH", "ER", "G"), "cmu39"),
        ("ˈhʌ.loʊ", ("HH", "AH", "L", "OW"), "cmu39"),
        ("hæt ʃɑp", ("HH", "AE", "T", "SH", "AA", "P"), "cmu39"),  # T and SH in two words are no CH
        ("iː ɝ tʰ", ("iː", "ɜ˞", "tʰ"), "ipa"),
        ("b ʌ t l̩ ʔ", ("b", "ʌ", "t", "l̩", "ʔ"), "ipa"),
        ("ə ˞", ("ə", "˞"), "ipa"),  # the projection joins them
        ("AX B AW1 T", ("ə", "b", "aʊ", "t"), "ipa"),
        ("tcl T", ("T",), "cmu39"),  # TIMIT's closures are no ARPAbet
        ("aa r", ("AA", "R"), "cmu39"),
        ("S N", ("S", "N"), "cmu39"),  # never X-SAMPA
        ("R1", (), "cmu39"),  # only vowels bear stress
    ],
)
def test_symbols(text, phones, inventory):
    answer = parse_answer(json.dumps({"transcription": text}))
    assert (answer.phones, answer.inventory) == (phones, inventory)


@pytest.mark.parametrize(
    "word", ["cat", "café", "I", "(silence)", "7", "<unk>", "好", "@", "…", "“sit”", "привет", "R1"]
)
def test_what_is_no_phone_is_left_out_by_name(word):
    answer = parse_answer(json.dumps({"transcription": f"k æ {word} t"}))
    assert (answer.phones, answer.left_out, answer.status) == (("K", "AE", "T"), (word,), "ok")
    assert answer.outcome == "json+left_out"
    assert answer.reason == f"left out, being no phones: {word}"
    assert parse_answer(f"k æ {word} t").status == "unparsable"


@pytest.mark.parametrize("mark", ["|", "ˈ", ".", "/", "sil"])
def test_what_is_no_sound_is_nothing(mark):
    assert parse_answer(f"k æ {mark} t").phones == ("K", "AE", "T")
    assert parse_answer(json.dumps({"transcription": mark})).status == "empty"


def test_a_plain_string_that_was_cut_off():
    cut = parse_answer("θ ɪ t", cut_off=True)
    assert (cut.phones, cut.outcome, cut.recovered) == (("TH", "IH"), "plain+recovered", True)
    assert cut.reason == "left out, being perhaps unfinished: t"
    assert parse_answer("θ ɪ ŋ", cut_off=True).phones == ("TH", "IH", "NG")
    assert parse_answer("TH IH NG K AE", cut_off=True).phones == ("TH", "IH", "NG", "K", "AE")
    assert parse_answer("t", cut_off=True).outcome == "cut_off"
    assert parse_answer('{"transcription": "θ ɪ t"} I also', cut_off=True).phones == ("TH", "IH", "T")


def test_a_prompt_may_ask_for_another_key():
    text = '{"phones": "k", "transcription": "t"}'
    assert parse_answer(text, key="phones").phones == ("K",)
    assert parse_answer(text).phones == ("T",)
    assert parse_answer('{"phones": "k"}', key="phones").outcome == "json"


def test_half_a_character_at_the_cut_is_no_symbol():
    answer = parse_answer('{"transcription": "θ ɪ \N{REPLACEMENT CHARACTER}')
    assert (answer.phones, answer.left_out) == (("TH", "IH"), ())
    assert parse_answer('{"transcription": "θ ɪ\N{REPLACEMENT CHARACTER}').phones == ("TH",)


def test_half_a_pair_of_surrogates_can_be_written_to_a_file():
    answer = parse_answer('{"transcription": "k \\ud83d æ"}')
    assert answer.left_out == ("\N{REPLACEMENT CHARACTER}",)
    json.dumps(answer.prediction("a", "raw").to_dict(), ensure_ascii=False).encode()
    assert parse_answer("k \ud83d").status == "unparsable"


def test_every_beginning_of_an_answer():
    """Where a model is stopped, character by character: phones only grow, and none is wrong."""
    whole = '{"transcription": "t͡ʃ aɪ ə˞ θ"}'
    phones = ("CH", "AY", "ER", "TH")
    lengths = []
    for end in range(1, len(whole)):
        answer = parse_answer(whole[:end])
        assert answer.phones == phones[: len(answer.phones)], whole[:end]
        assert answer.status == ("ok" if answer.phones else "unparsable")
        assert answer.recovered is bool(answer.phones)
        lengths.append(len(answer.phones))
    assert lengths == sorted(lengths)
    assert set(lengths) == {0, 1, 2, 3, 4}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a": "b', {"a": f"b{CUT}"}),
        ('{"a": "b\\', {"a": f"b{CUT}"}),
        ('{"a": "b\\\\', {"a": f"b\\{CUT}"}),
        ('{"a": "\\"', {"a": f'"{CUT}'}),
        ('{"a": "\\u01', {"a": CUT}),
        ('{"a": [1, {"b": -', {"a": [1, {"b": None}]}),
        ('{"a": 1, "b', {"a": 1, f"b{CUT}": None}),
        ('{"a": 1, "b"', {"a": 1, "b": None}),
        ('{"a": 1, "b":', {"a": 1, "b": None}),
        ('{"a": 1,', {"a": 1, "": None}),
        ('{"a": [1,', {"a": [1, None]}),
        ('{"a": fals', {"a": None}),
        ("{", {}),
        ('{"a": 1 b', None),
        ("{a", None),
        ('{"a": "\n', None),
    ],
)
def test_completing_json(text, value):
    assert complete(text) == value


def test_the_prediction_of_an_answer_survives_the_file():
    text = '{"transcription": "k um æ t'
    prediction = parse_answer(text).prediction("a", text, seconds=0.5, prompt_hash="h")
    line = json.loads(json.dumps(prediction.to_dict()))
    assert line == {
        "id": "a", "phones": ["K", "AE"], "status": "ok", "inventory": "cmu39", "raw": text, "recovered": True,
        "reason": "left out, being no phones: um; left out, being perhaps unfinished: t",
        "outcome": "json+recovered+left_out", "left_out": ["um"], "seconds": 0.5, "prompt_hash": "h",
    }  # fmt: skip
    assert Prediction.from_dict(line) == prediction
