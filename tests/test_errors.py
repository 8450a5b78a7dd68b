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
