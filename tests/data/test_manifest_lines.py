import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import fields

from pedkit.data.manifest import with_absolute_path
from pedkit.data.manifest_lines import decode_lines
from pedkit.data.utterance import Audio, Utterance
from pedkit.errors import PedkitError

FULL = {
    "id": "u1",
    "audio": {"path": "a.flac", "channel": 1, "start": 0.5, "duration": 2},
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
    "groups": {"gender": "female", "age": 7, "native": False},
    "groups_raw": {"sex": "f", "note": None},
    "may_upload": False,
    "extra": {"score": 0.5, "deep": [{"x": [1, 2.5, None]}]},
}


def slowly(line):
    return with_absolute_path(Utterance.from_dict(json.loads(line)), "/corpus")


def test_no_field_is_forgotten():
    assert set(FULL) == {field.name for field in fields(Utterance)}


def test_a_full_line_is_read_fast_and_as_documented():
    line = json.dumps(FULL).encode()
    [utterance] = decode_lines(line, "/corpus")
    assert utterance == slowly(line)
    assert utterance.audio == Audio("/corpus/a.flac", 1, 0.5, 2.0)
    assert utterance.to_dict() == {**FULL, "audio": {**FULL["audio"], "path": "/corpus/a.flac"}}
    with pytest.raises(AttributeError):
        utterance.groups = {}


@pytest.mark.parametrize(("inventory", "phones"), [("cmu39", ["TH", "IH"]), ("ipa", ["t͡ʃ", "ɪ"])])
def test_phones_of_a_manifest_are_held_once(inventory, phones):
    values = {"id": "a", "canonical": phones, "realized": phones, "inventory": inventory}
    line = json.dumps(values, ensure_ascii=False)
    first, second = decode_lines(f"{line}\n{line}\n".encode(), "/")
    assert first.canonical[0] is second.realized[0]


_ODD = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-2, 10**22),
    st.floats(),
    st.text(max_size=3),
    st.sampled_from(["S IH", "-", "word", "star", "\ud800", "/x", "MDI", "MMM\n", "err", "ɪ", "ipa", "\0"]),
)
_ODD = st.one_of(_ODD, st.lists(_ODD, max_size=3), st.dictionaries(st.text(max_size=2), _ODD, max_size=2))
_CHANGES = st.lists(
    st.tuples(
        st.sampled_from([*FULL, "odd"]),
        st.sampled_from(["replace", "remove", "inside"]),
        st.sampled_from(
            ["0", "1", "path", "start", "end", "text", "x", "2", "3", "channel", "duration", "end_time"]
        ),
        _ODD,
    ),
    max_size=3,
)


@given(_CHANGES)
def test_whatever_is_read_fast_is_read_the_same_slowly(changes):
    value = json.loads(json.dumps(FULL))
    for key, how, inner, odd in changes:
        old = value.get(key)
        if how == "remove":
            value.pop(key, None)
        elif how == "inside" and isinstance(old, dict):
            old[inner] = odd
        elif how == "inside" and isinstance(old, list) and old:
            if isinstance(old[0], dict):
                old[0][inner] = odd
            else:
                old[0] = odd
        else:
            value[key] = odd
    line = json.dumps(value).encode()
    fast = decode_lines(line, "/corpus")
    try:
        slow = slowly(line)
    except PedkitError:
        assert fast is None
    else:
        assert fast in (None, [slow])


@pytest.mark.parametrize(
    "line",
    [
        b'\xef\xbb\xbf{"id": "a"}',
        b'{"id": "a", "canonical": "S IH T"}',
        b'{"id": "a", "groups": {"l1": null}}',
        b'{"id": "a", "extra": {"x": NaN}}',
        b'{"id": "a"} {"id": "b"}',
        b"[" * 100_000,
        b'{"id": "\xff"}',
    ],
)
def test_other_forms_are_left_to_the_definition(line):
    assert decode_lines(line, "/corpus") is None
