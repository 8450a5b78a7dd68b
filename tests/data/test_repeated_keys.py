import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pedkit.data.jsonl import parse_line
from pedkit.data.manifest import read_manifest
from pedkit.data.manifest_lines import decode_lines
from pedkit.data.repeated_keys import may_repeat
from pedkit.errors import PedkitError


@pytest.mark.parametrize(
    ("line", "key"),
    [
        ('{"id": "a", "realized": "S", "id": "b"}', "id"),
        ('{"id": "a", "realized": "S" , "realized" : "T"}', "realized"),
        ('{"id":"a","id" :"b"}', "id"),
        ('{"id": "a", "groups": {"gender": "f", "age": 3, "gender": "m"}}', "gender"),
        ('{"id": "a", "extra": {"deep": [{"x": 1}, {"x": 1, "x": 1}]}}', "x"),
        ('{"id": "a", "words": [{"text": "b", "start": 0, "end": 1, "end": 2}]}', "end"),
        ('{"id": "a", "audio": {"path": "b.wav", "path": "c.wav"}}', "path"),
        ('{"id"\t: "a", "text": "b", "text"\t: "b"}', "text"),
    ],
)
def test_a_key_that_stands_twice_is_named_with_its_line(tmp_path, line, key):
    path = tmp_path / "m.jsonl"
    path.write_text(f'{{"id": "first"}}\n{line}\n', encoding="utf-8")
    with pytest.raises(PedkitError) as error:
        read_manifest(path)
    assert str(error.value) == f"{path}:2: not a usable JSON line: the key '{key}' stands twice"


@pytest.mark.parametrize(
    "line",
    [
        '{"id": "a", "text": "he said \\":\\" and \\" :\\""}',
        '{"id" : "a", "text" : "b"}',
        '{"id": "a", "text": null, "audio": {"path": "b.wav", "start": 0.0, "channel": null}}',
        '{"id": "a", "words": [{"text": "b", "start": 0, "end": 0}, '
        '{"text": "c", "start": 0, "end": 0, "start_time": 1.0, "end_time": 2.0}]}',
    ],
)
def test_what_only_looks_like_it_is_read(tmp_path, line):
    path = tmp_path / "m.jsonl"
    path.write_text(line, encoding="utf-8")
    [utterance] = read_manifest(path)
    assert utterance.id == "a"


def test_a_plain_line_is_read_fast():
    line = {
        "id": "a", "audio": {"path": "b.wav", "duration": 1.5}, "groups": {"gender": "f"},
        "words": [{"text": "b", "start": 0, "end": 0}] * 2, "extra": {"scores": {"total": 3}, "marks": [1, 2]},
    }  # fmt: skip
    assert decode_lines(json.dumps(line).encode(), "/") is not None


_KEYS = st.sampled_from(["a", "b", "c:", 'd"'])
_PLAIN = st.one_of(st.integers(), st.sampled_from(['x":', "y", '" :']))
_OBJECTS = st.recursive(
    st.lists(st.tuples(_KEYS, _PLAIN), max_size=3),
    lambda inner: st.lists(st.tuples(_KEYS, st.one_of(_PLAIN, inner, st.lists(inner, max_size=2))), max_size=3),
    max_leaves=6,
)


def _written(value, colon):
    """Write pairs as an object, and return it with whether a key stands twice in any object."""
    if not isinstance(value, list):
        return json.dumps(value), False
    if value and not isinstance(value[0], tuple):
        parts = [_written(entry, colon) for entry in value]
        return f"[{', '.join(text for text, _ in parts)}]", any(twice for _, twice in parts)
    parts = [_written(entry, colon) for _, entry in value]
    keys = [key for key, _ in value]
    pairs = [f"{json.dumps(key)}{colon}{text}" for key, (text, _) in zip(keys, parts, strict=True)]
    return f"{{{', '.join(pairs)}}}", len(set(keys)) < len(keys) or any(twice for _, twice in parts)


@given(_OBJECTS, st.sampled_from([": ", ":", " : ", " :"]))
def test_exactly_the_lines_with_a_repeated_key_are_refused(pairs, colon):
    text, twice = _written(pairs, colon)
    raw = text.encode()
    if twice:
        with pytest.raises(PedkitError, match="stands twice"):
            parse_line(raw, "x", 1)
    else:
        assert parse_line(raw, "x", 1) == json.loads(text)


def test_an_escaped_colon_does_not_hide_a_repeated_key():
    raw = rb'{"id": "a", "id": "a\u003a"}'
    assert may_repeat(raw, b'{"id":"a:"}')
    with pytest.raises(PedkitError, match="the key 'id' stands twice"):
        parse_line(raw, "x", 1)


def test_colons_that_went_in_and_came_out():
    assert not may_repeat(b'{"a" : 1, "b": {"c": ":"}}', b'{"a":1,"b":{"c":":"}}')
    assert may_repeat(b'{"a": 1, "a": 2}', b'{"a":2}')
