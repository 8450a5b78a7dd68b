import pytest

from pedkit import PedkitError


def test_message_names_file_line_utterance_and_hint():
    error = PedkitError("no phones", file="m.jsonl", line=3, utterance="u1", hint="add 'realized'")
    assert str(error) == "m.jsonl:3: utterance 'u1': no phones (add 'realized')"


def test_message_alone_needs_no_place():
    assert str(PedkitError("no phones")) == "no phones"


def test_at_fills_only_what_is_unknown():
    error = PedkitError("bad", line=7).at(file="m.jsonl", line=1, utterance="u")
    assert (error.file, error.line, error.utterance) == ("m.jsonl", 7, "u")


def test_it_is_a_value_error():
    with pytest.raises(ValueError, match="bad"):
        raise PedkitError("bad")


def test_a_message_of_any_length_is_shown_shortened():
    text = str(PedkitError("got " + "x" * 70_000 + " end", file="m.jsonl", line=2, utterance="y" * 5_000))
    assert len(text) < 2_000
    assert text.startswith("m.jsonl:2: utterance 'yyy")
    assert text.endswith(" end (70008 characters)")
