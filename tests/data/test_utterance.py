import copy
import math
import pickle

import pytest

from pedkit.data.fields import phones_field
from pedkit.data.parts import Audio, Word
from pedkit.data.utterance import Utterance
from pedkit.errors import PedkitError

FULL = {
    "id": "u1",
    "audio": {"path": "a.flac", "channel": 1, "start": 0.5, "duration": 2.0},
    "text": "sit",
    "language": "eng",
    "split": "test",
    "corpus": "toy",
    "inventory": "cmu39",
    "canonical": ["S", "IH", "T"],
    "canonical_variant": "sit(2)",
    "realized": ["S", "IH"],
    "alignment": "MMD",
    "flags": {"2": "star"},
    "words": [{"text": "sit", "start": 0, "end": 3, "start_time": 0.6, "end_time": 0.9}],
    "target_span": [0, 3],
    "level": "word",
    "source_id": "design-7",
    "speaker": "toy:1",
    "groups": {"gender": "female", "age": 7},
    "groups_raw": {"sex": "f"},
    "may_upload": False,
    "extra": {"score": 0.5},
}


def test_every_field_survives_the_round_trip():
    utterance = Utterance.from_dict(FULL)
    assert utterance.to_dict() == FULL
    assert utterance.audio == Audio("a.flac", 1, 0.5, 2.0)
    assert utterance.words == (Word("sit", 0, 3, 0.6, 0.9),)
    assert utterance.flags == {2: "star"}
    assert utterance.target_span == (0, 3)
    assert utterance.source == "design-7"


def test_only_the_id_is_required_and_missing_stays_missing():
    utterance = Utterance.from_dict({"id": "u", "realized": None})
    assert utterance.to_dict() == {"id": "u"}
    assert utterance.realized is None
    assert utterance.source == "u"


def test_an_empty_list_of_phones_is_not_a_missing_one():
    assert Utterance.from_dict({"id": "u", "realized": []}).to_dict() == {"id": "u", "realized": []}


def test_phones_may_be_one_string():
    assert Utterance.from_dict({"id": "u", "canonical": "S IH T"}).canonical == ("S", "IH", "T")
    assert phones_field("θ ɪ ŋ", "phones") == phones_field(["θ", "ɪ", "ŋ"], "phones") == ("θ", "ɪ", "ŋ")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ({}, "expected 'id' to be a non-empty string, but got None"),
        ({"id": 7}, "expected 'id' to be a non-empty string, but got 7"),
        ({"id": "a\nb"}, "expected 'id' to be printable text, but got 'a\\nb'"),
        ({"id": "\ud800"}, "expected 'id' to be printable text"),
        ({"id": "u", "gender": "f"}, "unknown manifest key 'gender'"),
        ({"id": "u", "canonical": ["S", ""]}, "expected each phone of 'canonical' to be one symbol, but got ''"),
        ({"id": "u", "canonical": ["S", None]}, "but got None"),
        ({"id": "u", "realized": ["S IH"]}, "but got 'S IH'"),
        ({"id": "u", "realized": ["-"]}, "but got '-'"),
        ({"id": "u", "realized": 3}, "expected 'realized' to be a list of phones or one string, but got 3"),
        ({"id": "u", "alignment": "MX"}, "expected 'alignment' to be made of M, D and I, but got 'MX'"),
        (
            {"id": "u", "canonical": "S IH", "realized": "S", "alignment": "MMI"},
            "'alignment' has columns for 2 canonical and 3 realized phones, but there are 2 and 1",
        ),
        ({"id": "u", "canonical": "S", "alignment": "M"}, "1 canonical and 1 realized phones, but there are 1"),
        ({"id": "u", "target_span": [3, 1]}, "expected 'target_span' to be [start, end]"),
        ({"id": "u", "language": ""}, "expected 'language' to be a string that is not empty"),
        ({"id": "u", "speaker": ""}, "expected 'speaker' to be a string that is not empty"),
        ({"id": "u", "level": "syllable"}, "expected 'level' to be one of word, sentence, passage"),
        ({"id": "u", "flags": {"x": "star"}}, "expected 'flags' to map a canonical index to a mark"),
        ({"id": "u", "groups": {"age": 10**400}}, "expected 'groups.age' to be one word or number, but got 1000"),
        ({"id": "u", "groups": {"age": math.nan}}, "expected 'groups.age' to be finite"),
        (
            {"id": "u", "groups": {"accent": ["us"]}},
            "expected 'groups.accent' to be one word or number, but got ['us']",
        ),
        (
            {"id": "u", "canonical": "S IH", "target_span": [0, 3]},
            "'target_span' points past the 2 canonical phones",
        ),
        ({"id": "u", "canonical": "S IH", "flags": {"2": "star"}}, "'flags' points past the 2 canonical phones"),
        ({"id": "u", "audio": {"path": "a", "channel": True}}, "expected 'audio.channel' to be a whole number"),
        ({"id": "u", "audio": {"path": "a", "duration": 0}}, "last longer than 0"),
        ({"id": "u", "audio": {"path": "a", "start": 10**400}}, "'audio.start' to be a finite number"),
        ({"id": "u", "audio": ""}, "expected 'audio' to name a path, but got ''"),
        ({"id": "u", "audio": {"path": "a\0b"}}, "expected 'audio' to name a path, but got 'a\\x00b'"),
        ({"id": "u", "audio": "\ud800"}, "expected 'audio' to name a path"),
        ({"id": "u", "audio": {"file": "a"}}, "unknown key 'audio.file'"),
        ({"id": "u", "words": [{"text": "a", "start": 2, "end": 1}]}, "start <= end"),
    ],
)
def test_a_malformed_line_is_refused_with_its_reason(line, message):
    with pytest.raises(PedkitError) as error:
        Utterance.from_dict(line)
    assert message in str(error.value)
    if line.get("id") == "u":
        assert "utterance 'u'" in str(error.value)


def test_an_utterance_can_be_sent_to_another_process():
    for utterance in (Utterance.from_dict(FULL), Utterance(id="bare")):
        for sent in (pickle.loads(pickle.dumps(utterance)), copy.deepcopy(utterance)):
            assert sent == utterance
            assert sent.to_dict() == utterance.to_dict()
            with pytest.raises(AttributeError):
                sent.groups = {}
