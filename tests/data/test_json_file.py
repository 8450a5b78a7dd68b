import json
from pathlib import Path

import pytest

from pedkit.data.json_file import read_object, write_object
from pedkit.errors import PedkitError


def test_what_is_written_is_read(tmp_path):
    file = tmp_path / "new" / "one.json"
    write_object(file, {"phone": "ɹ", "at": Path("a/b"), "none": None})
    assert read_object(file) == {"phone": "ɹ", "at": "a/b", "none": None}
    assert "ɹ" in file.read_text(encoding="utf-8")


def test_a_byte_order_mark_is_no_fault(tmp_path):
    file = tmp_path / "one.json"
    file.write_bytes(b"\xef\xbb\xbf{}")
    assert read_object(file) == {}


def test_a_file_that_cannot_be_written_stays_as_it_was(tmp_path):
    file = tmp_path / "one.json"
    write_object(file, {"a": 1})
    circle: dict[str, object] = {}
    circle["self"] = circle
    with pytest.raises(ValueError, match="Circular"):
        write_object(file, circle)
    assert json.loads(file.read_text(encoding="utf-8")) == {"a": 1}
    assert list(tmp_path.iterdir()) == [file]


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", r"one\.json:1: not a JSON file"),
        (b'{"a": 1,\n "b": }', r"one\.json:2: not a JSON file"),
        (b"\xff\xfe", r"one\.json: not a JSON file: .*utf-8"),
        (b'{"a": ' + b"9" * 5000 + b"}", r"one\.json: not a JSON file: "),
        (b"[" * 100_000, r"one\.json: not a JSON file: "),
        (b"[]", r"one\.json: expected a JSON object, but got list"),
    ],
)
def test_a_broken_file_is_named(tmp_path, content, sentence):
    file = tmp_path / "one.json"
    file.write_bytes(content)
    with pytest.raises(PedkitError, match=sentence):
        read_object(file)


def test_a_missing_file_in_the_words_of_the_caller(tmp_path):
    with pytest.raises(PedkitError, match=r"gone\.json: no such run \(train one\)"):
        read_object(tmp_path / "gone.json", missing="no such run", hint="train one")
    with pytest.raises(PedkitError, match=r"cannot be read: "):
        read_object(tmp_path)
