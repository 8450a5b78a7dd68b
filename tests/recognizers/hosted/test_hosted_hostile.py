"""Servers, environments and files that nobody would wish for."""

import json
import os
import threading

import pytest
from chat_server import completion, error
from hosted_parts import CANARY, FakeClock, clip_of

from pedkit.errors import PedkitError
from pedkit.recognizers.hosted.endpoint import Endpoint, unescaped
from pedkit.recognizers.hosted.fault import error_body
from pedkit.recognizers.hosted.generation import Generation
from pedkit.recognizers.hosted.traffic import RateLimiter, SystemClock
from pedkit.recognizers.protocol import RecognizerStoppedError

THINK = ("TH", "IH", "NG", "K")


def test_json_is_utf_8_whatever_the_server_calls_it(recognizer, server):
    """As Latin-1, θ ɪ ŋ would be six other letters, none of them a phone."""
    text = json.dumps(completion('{"transcription": "θ ɪ ŋ k"}'), ensure_ascii=False)
    for kind in ("application/json; charset=iso-8859-1", "text/plain; charset=utf-16"):
        server.script += [(200, {"Content-Type": kind}, text)]
    server.script += [(200, {}, f"\ufeff{text}")]
    clips = [clip_of(level) for level in (1, 2, 5)]
    heard = recognizer().transcribe(clips)
    assert [one.phones for one in heard] == [THINK] * 3
    assert len(server.bodies) == 3


def parts(*contents):
    return completion(list(contents))


@pytest.mark.parametrize(
    ("step", "expected"),
    [
        (
            completion(None, finish="tool_calls"),
            ("unparsable", (), "the model called a tool instead of answering"),
        ),
        (
            parts({"type": "refusal", "refusal": "I will not."}),
            ("unparsable", (), "the model refused to answer: I will not."),
        ),
        (
            parts({"type": "thinking", "text": "hm"}, {"type": "text", "text": '{"transcription": "θ"}'}),
            ("ok", ("TH",), None),
        ),
        (completion("θ", finish="banana"), ("ok", ("TH",), None)),
    ],
)
def test_what_is_an_answer_in_an_odd_form(recognizer, server, step, expected):
    server.script = [step]
    (heard,) = recognizer().transcribe([clip_of(1)])
    assert (heard.status, heard.phones, heard.reason) == expected
    assert len(server.bodies) == 1


@pytest.mark.parametrize(
    ("step", "reason"),
    [
        (completion('{"trans', finish="error"), "the server broke the answer off with an error"),
        (completion({"transcription": "θ"}), "expected the text of an answer, but got dict"),
        (
            (200, {}, error(f"audio is not supported by {CANARY[:12]}", 400)),
            "the server reported an error inside an answer with status 200: audio is not supported by ***",
        ),
    ],
)
def test_what_is_no_answer_is_asked_again_and_named(recognizer, server, step, reason):
    server.script = [step]
    (heard,) = recognizer(traffic={"max_tries": 1}).transcribe([clip_of(1)])
    assert heard.status == "failed"
    assert heard.reason.endswith(reason)


def test_a_page_of_unclosed_tags_is_read_once():
    """A search for the end from every beginning took hours on a megabyte."""
    assert error_body("<" * 1_000_000 + "p>down")[1].endswith("...")


@pytest.mark.parametrize("wait", ["99999999999999", "1e300", "Fri, 31 Dec 9999 23:59:59 GMT", "86400"])
def test_a_server_that_asks_to_wait_for_ever_ends_the_run(recognizer, server, clock, wait):
    server.script = [(429, {"Retry-After": wait}, error("quota of the day"))]
    with pytest.raises(RecognizerStoppedError, match=r"quota of the day; it asks to wait \S+ s \(answers that"):
        recognizer().transcribe([clip_of(1), clip_of(2)])
    assert (len(server.bodies), clock.waits) == (1, [])


def test_a_long_pause_is_announced_once(recognizer, server, capsys):
    server.script = [(429, {"Retry-After": "90"}, error("slow down"))] * 2
    heard = recognizer().transcribe([clip_of(1)])
    assert heard[0].status == "ok"
    said = capsys.readouterr().err
    assert said.count("waiting 90 s, as the server asks") == 2  # after the first pause the server asks for another
    limiter = RateLimiter(None, FakeClock())
    assert [limiter.hold(10), limiter.hold(20)] == [True, False]


def test_a_date_is_read_by_the_clock_of_the_server(recognizer, server, clock):
    dates = {"Date": "Wed, 21 Oct 2015 07:28:00 GMT", "Retry-After": "Wed, 21 Oct 2015 07:29:15 GMT"}
    server.script = [(503, dates, "busy")]
    server.server.RequestHandlerClass.date_time_string = lambda _self, _time=None: dates["Date"]
    recognizer().transcribe([clip_of(1)])
    assert clock.waits == [75.0]


def test_no_wait_is_too_long_for_the_clock():
    clock = SystemClock()
    clock.stop()
    assert clock.sleep(1e300) is False


def test_a_key_in_escapes_of_json_is_seen(recognizer, server, tmp_path):
    hidden = "".join(f"\\u{ord(sign):04x}" for sign in CANARY)
    server.script = [(200, {}, json.dumps(completion("KEY", model="KEY")).replace("KEY", hidden))]
    server.script += [(400, {}, f'{{"error": {{"message": "no key {hidden}"}}}}')]
    one = recognizer()
    said = repr(one.transcribe([clip_of(1)]))
    with pytest.raises(RecognizerStoppedError, match=r"no key \*\*\*"):
        one.transcribe([clip_of(2)])
    said += "".join(path.read_text() for path in tmp_path.rglob("*") if path.is_file())
    assert CANARY[:8] not in said
    assert hidden[:20] not in said


def test_escapes_that_are_no_signs_of_a_key_stay():
    text = r'{"a": "\\u0041 \u0022 \u005c \n \/ \u03b8 \u0041"}'
    assert unescaped(text) == r'{"a": "\\u0041 \u0022 \u005c \n / \u03b8 A"}'
    assert json.loads(unescaped(text)) == json.loads(text)


def test_headers_of_the_environment_go_to_nobody(recognizer, server, monkeypatch):
    monkeypatch.setenv(
        "OPENAI_CUSTOM_HEADERS", f"X-Gateway-Key: other\nauthorization: Bearer other\nX-{CANARY[:3]}: 1"
    )
    recognizer().transcribe([clip_of(1)])
    recognizer(api_key_env=None).transcribe([clip_of(2)])
    first, second = server.headers
    assert first["authorization"] == f"Bearer {CANARY}"
    assert "authorization" not in second
    assert not {"x-gateway-key", "x-two"} & {*first, *second}


def test_a_proxy_of_the_environment_is_not_asked_for_this_machine(recognizer, monkeypatch):
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    assert recognizer().transcribe([clip_of(1)])[0].status == "ok"
    here = ("http://localhost:1/v1", "http://127.3.4.5/v1", "http://[::1]:8000/v1", "http://LOCALHOST/v1")
    assert all(Endpoint(url).is_here for url in here)
    assert not any(Endpoint(url).is_here for url in ("http://10.0.0.1/v1", "http://localhost.example/v1"))


@pytest.mark.parametrize("proxy", ["foo://user:pr0xy@h", "http://user:pr0xy@h:port"])
def test_a_proxy_that_is_none_stops_without_its_password(recognizer, monkeypatch, proxy):
    monkeypatch.setenv("HTTP_PROXY", proxy)
    with pytest.raises(RecognizerStoppedError, match=r"no connection to h\.invalid can be made") as caught:
        recognizer(base_url="http://h.invalid/v1").transcribe([clip_of(1)])
    assert "pr0xy" not in str(caught.value)


@pytest.mark.parametrize("url", [" http://h/v1", "http://h/v1\n", "http://h h/v1", "http://h/\x00"])
def test_an_address_with_blanks_is_refused(url):
    with pytest.raises(PedkitError, match="base_url without blanks and control characters"):
        Endpoint(url)


def test_what_cannot_be_sent_at_all_stops_with_one_sentence(recognizer, server):
    for settings in (
        {"base_url": "http://a..b/v1"},
        {"generation": {"temperature": float("inf")}},
    ):
        with pytest.raises(RecognizerStoppedError, match="the library openai cannot send this"):
            recognizer(**settings).transcribe([clip_of(1)])
    with pytest.raises(PedkitError, match=r"timeout to be a day at most, but got 1e\+300"):
        recognizer(traffic={"timeout": 1e300})
    assert not server.bodies


def test_settings_stand_in_one_place_only():
    for name in ("temperature", "max_tokens", "max_completion_tokens", "seed", "n"):
        with pytest.raises(PedkitError, match=f"extra_body cannot hold '{name}'"):
            Generation(extra_body={name: 1})


def test_another_path_of_a_gateway_is_another_server(recognizer, server, tmp_path):
    recognizer().transcribe([clip_of(1)])
    for same in (f"{server.url}/", server.url.replace("http", "HTTP")):
        assert recognizer(base_url=same).transcribe([clip_of(1)])[0].usage["from_cache"]
    other = recognizer(base_url=server.url.replace("/v1", "/other/v1"))
    assert other.config_hash != recognizer().config_hash
    with pytest.raises(RecognizerStoppedError, match="no such path"):
        other.transcribe([clip_of(1)])


GOOD = {"key": "k", "answer": {"text": "θ"}, "tokens": {}, "seconds": 1.0, "tries": 1}


@pytest.mark.parametrize(
    "change",
    [
        {"key": ["k"]}, {"key": 3}, {"answer": "θ"}, {"answer": {"text": "θ", "model": 3}},
        {"answer": {"text": "θ", "finish_reason": ["stop"]}}, {"tries": "1"}, {"seconds": None},
    ],
)  # fmt: skip
def test_a_line_with_a_wrong_type_is_named(recognizer, server, tmp_path, change):
    file = tmp_path / "cache" / "listener.jsonl"
    file.parent.mkdir()
    file.write_text(json.dumps({**GOOD, **change}) + "\n", encoding="utf-8")
    with pytest.raises(RecognizerStoppedError, match="this is no answer of a hosted model") as caught:
        recognizer().transcribe([clip_of(1)])
    assert f"{file}:1" in str(caught.value)
    assert not server.bodies


def test_a_piece_of_a_line_that_a_full_disk_left_is_taken_back(recognizer, server, tmp_path, monkeypatch):
    """Requests on their way write after it, once there is space again."""
    file = tmp_path / "cache" / "listener.jsonl"
    both, failed = threading.Barrier(2), threading.Event()
    open_file = type(file).open

    class Full:
        def __init__(self, stream):
            self.stream = stream

        def __enter__(self):
            return self

        def __exit__(self, *_):
            self.stream.close()
            failed.set()

        def __getattr__(self, name):
            return getattr(self.stream, name)

        def write(self, line):
            return self.stream.write(line[:50])

    def open_once_full(path, mode="r", **settings):
        stream = open_file(path, mode, **settings)
        return Full(stream) if path == file and mode == "ab" and not failed.is_set() else stream

    def reply(_body):
        both.wait(10)
        if not reply.first.acquire(blocking=False):
            failed.wait(10)
        return completion('{"transcription": "θ"}')

    reply.first = threading.Lock()
    server.script = [lambda body: (200, {}, reply(body))] * 2
    monkeypatch.setattr(type(file), "open", open_once_full)
    with pytest.raises(RecognizerStoppedError, match=os.strerror(28)):
        recognizer(traffic={"concurrency": 2}).transcribe([clip_of(1), clip_of(2)])
    (line,) = file.read_text(encoding="utf-8").splitlines()
    assert json.loads(line)["answer"]["text"] == '{"transcription": "θ"}'


def test_a_file_that_somebody_shortened_meanwhile_is_read_anew(recognizer, server, tmp_path):
    file = tmp_path / "cache" / "listener.jsonl"
    one = recognizer()
    one.transcribe([clip_of(1), clip_of(2)])
    one.transcribe([clip_of(1)])
    file.write_bytes(b"")
    recognizer().transcribe([clip_of(5)])
    one.transcribe([clip_of(6)])
    assert one.transcribe([clip_of(5)])[0].usage["from_cache"]
    assert len(file.read_text(encoding="utf-8").splitlines()) == 2
