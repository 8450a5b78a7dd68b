"""Recordings that may not be passed on are not, and keys stand nowhere."""

import logging
import traceback

import pytest
from chat_server import DROP, completion
from chat_server import error as said_by_server
from hosted_parts import CANARY, clip_of

from pedkit.errors import PedkitError
from pedkit.recognizers.hosted.endpoint import Endpoint, without_key
from pedkit.recognizers.protocol import RecognizerStoppedError


@pytest.mark.parametrize(
    ("permission", "sentence"),
    [
        (False, r"utterance 'x': 1 of 3 recordings may not be sent to .*: their may_upload is false"),
        (None, r"utterance 'x': 1 of 3 recordings do not say whether they may be sent to"),
    ],
)
def test_nothing_of_a_batch_is_sent_unless_all_of_it_may_be(recognizer, server, permission, sentence):
    batch = [clip_of(1), clip_of(2, "x", may_upload=permission), clip_of(5)]
    with pytest.raises(RecognizerStoppedError, match=sentence):
        recognizer().transcribe(batch)
    with pytest.raises(RecognizerStoppedError, match=sentence):
        recognizer().admit(clip.utterance for clip in batch)
    assert not server.bodies


def test_an_answer_in_the_cache_gives_no_permission(recognizer, server):
    recognizer().transcribe([clip_of(1)])
    with pytest.raises(RecognizerStoppedError):
        recognizer().transcribe([clip_of(1, may_upload=False)])


def test_a_server_of_ones_own_hears_everything_but_a_service_is_none(recognizer, server):
    assert recognizer(own_server=True).transcribe([clip_of(1, may_upload=False)])[0].status == "ok"
    for service in ("https://API.openai.com./v1", "https://generativelanguage.googleapis.com/v1beta/openai/"):
        with pytest.raises(PedkitError, match=r"own_server=true cannot be: .* belongs to a service"):
            recognizer(own_server=True, base_url=service)
    assert not Endpoint("http://notopenai.com.example/v1").is_a_service


@pytest.mark.parametrize(
    ("url", "sentence"),
    [
        (f"https://user:{CANARY}@example.org/v1", "base_url holds a user name or password"),
        (f"https://{CANARY}@example.org/v1", "base_url holds a user name or password"),
        (f"https://example.org/v1?key={CANARY}", r"base_url without '\?' and '#'"),
        ("example.org/v1", "expected base_url to be an address"),
        ("ftp://example.org/v1", "expected base_url to be an address"),
        ("http://example.org:port/v1", "base_url cannot be read"),
        ("http://[::1/v1", "base_url cannot be read"),
    ],
)
def test_an_address_that_could_hold_a_secret_is_refused_without_repeating_it(recognizer, url, sentence):
    with pytest.raises(PedkitError, match=sentence) as caught:
        recognizer(base_url=url)
    assert CANARY not in str(caught.value)


@pytest.mark.parametrize("name", [CANARY, "sk-proj-abc", "AIzaSyA1234567890", "", "MY KEY"])
def test_a_key_in_the_place_of_its_variable_is_refused_without_repeating_it(recognizer, name):
    with pytest.raises(PedkitError, match="name of an environment variable in capital letters") as caught:
        recognizer(api_key_env=name)
    assert not name or name not in str(caught.value)


@pytest.mark.parametrize("value", ["two words", "with\nline", "“quoted”", "tab\there"])
def test_a_key_that_cannot_be_sent_is_not_repeated_either(recognizer, monkeypatch, value):
    monkeypatch.setenv("TEST_API_KEY", value)
    with pytest.raises(RecognizerStoppedError, match="TEST_API_KEY holds signs that no key has") as caught:
        recognizer().transcribe([clip_of(1)])
    assert value not in str(caught.value)


def echo(server):
    """Return steps in which the server repeats the key in every place that is read."""
    bearer = f"Bearer {CANARY}"
    return {
        "400": (400, {"X-Echo": CANARY}, said_by_server(f"bad header authorization: {bearer}")),
        "401": (401, {}, said_by_server(f"Incorrect API key provided: {CANARY}")),
        "401 part": (401, {}, said_by_server(f"Incorrect API key provided: {CANARY[:12]}")),
        "403": (403, {}, f"<html>{bearer}</html>"),
        "404": (404, {}, {"detail": {"headers": {"authorization": bearer}}}),
        "part": (400, {}, said_by_server(f"the key {CANARY[:14]}... of {CANARY[5:]} is odd")),
        "500": (500, {}, said_by_server(f"crashed with {bearer}")),
        "200": (200, {}, said_by_server(f"crashed with {bearer}")),
        "answer": completion(f'{{"transcription": "θ"}} {bearer}', model=CANARY),
        "drop": DROP,
    }


@pytest.mark.parametrize("name", ["400", "401", "401 part", "403", "404", "part", "500", "200", "answer", "drop"])
def test_a_key_that_a_server_repeats_stands_in_no_message_log_cache_or_prediction(
    recognizer, tmp_path, caplog, capfd, name
):
    one = recognizer(traffic={"max_tries": 1})
    server = recognizer.server
    caplog.set_level(logging.DEBUG)
    server.script = [echo(server)[name]]
    said, stopped = [], None
    try:
        said += [repr(prediction) for prediction in one.transcribe([clip_of(1)])]
    except RecognizerStoppedError as error:
        stopped = error
        said += ["".join(traceback.format_exception(error)), repr(error.__dict__)]
    assert (stopped is None) is (name in ("500", "200", "answer", "drop"))
    assert len(server.bodies) == 1
    said += [record.getMessage() + repr(record.args) for record in caplog.records]
    said += [path.read_text() for path in tmp_path.rglob("*") if path.is_file()]
    said += list(capfd.readouterr())
    assert server.headers[0]["authorization"] == f"Bearer {CANARY}"
    for text in said:
        assert CANARY not in text
        assert CANARY[:12] not in text


def test_the_recording_stands_in_no_log(recognizer, server, caplog):
    caplog.set_level(logging.DEBUG)
    recognizer().transcribe([clip_of(1)])
    data = server.bodies[0]["messages"][1]["content"][0]["input_audio"]["data"]
    assert not any(data[60:90] in record.getMessage() + repr(record.args) for record in caplog.records)


def test_pieces_of_a_key_are_hidden_and_other_words_stay():
    assert without_key("key abcdefghij is wrong", "abcdefghijkl") == "key *** is wrong"
    assert without_key("xabcdefghijklabcdefghijklx", "abcdefghijkl") == "x***x"
    assert without_key("abcdefg", "abcdefghijkl") == "abcdefg"
    assert without_key("say abc", "abc") == "say ***"
    assert without_key("nothing", None) == "nothing"
