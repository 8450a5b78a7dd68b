"""Faults of servers and networks: what is asked again, after how long, and what ends the run."""

import random
import sys
import threading
import time
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from chat_server import DROP, completion, error, first_sample
from hosted_parts import FakeClock, clip_of

from pedkit.recognizers.hosted.traffic import RateLimiter, SystemClock, Traffic
from pedkit.recognizers.protocol import RecognizerStoppedError

BUSY = (429, {"Retry-After": "7"}, error("Rate limit reached", "rate_limit_exceeded"))


def test_after_a_429_it_waits_as_long_as_the_server_asks(recognizer, server, clock):
    server.script = [BUSY]
    (heard,) = recognizer().transcribe([clip_of(1)])
    assert (heard.status, heard.usage["requests"]) == ("ok", 2)
    assert clock.waits == [7.0]
    assert len(server.bodies) == 2
    assert server.bodies[0] == server.bodies[1]


@pytest.mark.parametrize(
    ("step", "expected"),
    [
        ((429, {"retry-after-ms": "1500"}, error("slow down")), 1.5),
        (lambda _: (503, {"Retry-After": format_datetime(datetime.now(UTC) + timedelta(hours=1))}, "busy"), 3600),
        ((429, {}, '[{"error": {"message": "m", "details": [{"retryDelay": "34s"}]}}]'), 34),
        ((429, {"Retry-After": "soon"}, error("slow down")), None),
        ((429, {"Retry-After": "-3"}, error("slow down")), None),
    ],
)
def test_the_wait_is_read_in_every_form(recognizer, server, clock, step, expected):
    server.script = [step]
    assert recognizer(traffic={"max_wait": 4000.0}).transcribe([clip_of(1)])[0].status == "ok"
    (wait,) = clock.waits
    if expected is None:
        assert 0.5 <= wait <= 1.0  # the first wait of its own, less a random part
    else:
        assert wait == pytest.approx(expected, abs=60 if expected == 3600 else 0)


@pytest.mark.parametrize(
    "step",
    [
        (500, {}, error("The server had an error", kind="server_error")),
        (502, {}, "<html><body><h1>Bad Gateway</h1></body></html>"),
        (200, {}, "<html>a proxy's page</html>"),
        (200, {}, '{"id": "chatcmpl-1", "choices": [{"mess'),
        (200, {}, "[]"),
        (200, {}, {"choices": []}),
        (200, {}, {"choices": [{"index": 0}]}),
        (200, {}, error("upstream failed", 502)),
        (200, {}, "[" * 100_000),
        DROP,
    ],
)
def test_whatever_passes_is_asked_again(recognizer, server, clock, step):
    server.script = [step]
    (heard,) = recognizer().transcribe([clip_of(1)])
    assert (heard.status, heard.phones, heard.usage["requests"]) == ("ok", ("TH", "IH", "NG", "K"), 2)
    (wait,) = clock.waits
    assert 0.5 <= wait <= 1.0


def test_a_server_that_does_not_answer_in_time_is_asked_again(recognizer, server, clock):
    late = threading.Event()
    server.gate = lambda number: late.wait(10) if number == 1 else None
    (heard,) = recognizer(traffic={"timeout": 0.2}).transcribe([clip_of(1)])
    late.set()
    assert (heard.status, heard.usage["requests"]) == ("ok", 2)


def test_a_clip_without_an_answer_fails_with_the_reason_and_is_not_cached(recognizer, server, clock):
    server.script = [(500, {}, error("it is down"))] * 3
    one = recognizer(traffic={"max_tries": 3})
    first, second = one.transcribe([clip_of(1), clip_of(2)])
    host = server.url.split("/")[2]
    assert first.status == "failed"
    assert first.reason.startswith("no answer after 3 tries in ")
    assert first.reason.endswith(f" s: {host} cannot answer now (500): it is down")
    assert (second.status, len(server.bodies), first.usage) == ("ok", 4, None)
    assert one.transcribe([clip_of(1)])[0].status == "ok"


def test_no_further_try_is_begun_past_the_time_of_a_clip(recognizer, server, clock):
    server.script = [(429, {"Retry-After": "900"}, error("quota of the day"))]
    (heard,) = recognizer(traffic={"max_wait": 600.0}).transcribe([clip_of(1)])
    assert heard.status == "failed"
    assert "no answer after 1 try in 0 s" in heard.reason
    assert heard.reason.endswith("(it asks to wait 900 s)")
    assert (clock.waits, len(server.bodies)) == ([], 1)


def test_a_pause_that_the_server_asks_for_holds_the_next_clip_too(recognizer, server, clock):
    server.script = [(429, {"Retry-After": "900"}, error("quota"))]
    first, second = recognizer(traffic={"max_wait": 600.0}).transcribe([clip_of(1), clip_of(2)])
    assert (first.status, second.status) == ("failed", "ok")
    assert clock.now() == 900.0


def test_waits_double_up_to_the_longest_and_the_upper_half_is_random():
    traffic, jitter = Traffic(first_wait=1.0, longest_wait=20.0), random.Random(0)
    for tries, longest in ((1, 1.0), (2, 2.0), (3, 4.0), (5, 16.0), (6, 20.0), (100, 20.0)):
        waits = [traffic.wait_before(tries, jitter) for _ in range(200)]
        assert longest / 2 <= min(waits) < 0.55 * longest
        assert 0.95 * longest < max(waits) <= longest


@pytest.mark.parametrize(
    ("step", "sentence"),
    [
        (
            (400, {}, error("Unknown parameter: 'top_k'")),
            r"refuses the request \(400\): Unknown parameter: 'top_k'",
        ),
        ((401, {}, error("Incorrect key")), "does not accept the key in the environment variable TEST_API_KEY"),
        ((403, {}, error("Country not supported")), r"does not allow this request \(403\): Country not supported"),
        (
            (404, {}, error("no model", "model_not_found")),
            r"does not know the model 'listener', .*\(404\): no model",
        ),
        ((422, {}, {"detail": "field required"}), r"refuses the request \(422\): field required"),
        ((429, {}, error("You exceeded your current quota", "insufficient_quota")), "has no credit left"),
        ((307, {"Location": "http://elsewhere.invalid/"}, ""), r"redirects to another address \(307\)"),
    ],
)
def test_what_no_other_clip_would_be_spared_stops_at_once_with_one_sentence(
    recognizer, server, clock, step, sentence
):
    server.script = [step]
    with pytest.raises(RecognizerStoppedError, match=sentence) as caught:
        recognizer().transcribe([clip_of(1), clip_of(2), clip_of(3)])
    assert caught.value.utterance == "u1"
    assert "\n" not in str(caught.value)
    assert (len(server.bodies), clock.waits) == (1, [])


def test_a_clip_that_is_too_large_for_the_server_fails_alone(recognizer, server):
    server.script = [(413, {}, error("Maximum content size exceeded"))]
    first, second = recognizer().transcribe([clip_of(1), clip_of(2)])
    assert (first.status, second.status) == ("failed", "ok")
    assert "is too large for" in first.reason
    assert "(413): Maximum content size exceeded" in first.reason


def test_a_server_that_is_gone_stops_the_run_after_some_clips(recognizer, server, clock):
    one = recognizer(traffic={"max_tries": 2, "stop_after": 3})
    server.close()
    with pytest.raises(
        RecognizerStoppedError, match=r"3 clips one after another got no answer.*the connection to"
    ):
        one.transcribe([clip_of(level) for level in (1, 2, 3, 4, 5)])
    assert len(clock.waits) == 3


def test_answers_in_between_let_the_count_begin_anew(recognizer, server):
    down, fine = (500, {}, error("down")), completion('{"transcription": "θ"}')
    server.script = [down, fine, down, fine, down]
    heard = recognizer(traffic={"max_tries": 1, "stop_after": 2}).transcribe([clip_of(i) for i in (1, 2, 3, 4, 5)])
    assert [one.status for one in heard] == ["failed", "ok", "failed", "ok", "failed"]


def test_a_recognizer_can_be_used_again_after_it_was_stopped(recognizer, server, monkeypatch):
    one = recognizer()
    monkeypatch.delenv("TEST_API_KEY")
    with pytest.raises(RecognizerStoppedError, match="the environment variable TEST_API_KEY is not set"):
        one.transcribe([clip_of(1)])
    monkeypatch.setenv("TEST_API_KEY", "another-key-9876543210")
    server.script = [(403, {}, error("no"))]
    with pytest.raises(RecognizerStoppedError):
        one.transcribe([clip_of(1)])
    assert one.transcribe([clip_of(1)])[0].status == "ok"


def test_a_fault_that_stops_ends_the_waits_of_the_others_and_keeps_what_is_on_its_way(recognizer, server):
    """Three requests at once: one is told to wait long, one is answered late, one finds the key refused."""
    all_there = threading.Barrier(3)

    def reply(body):
        level = first_sample(body)
        all_there.wait(10)
        if level == 1:
            return (429, {"Retry-After": "500"}, error("slow"))
        time.sleep(0.1 if level == 3 else 0.3)
        server.answered.append(level)
        return (401, {}, error("no")) if level == 3 else (200, {}, completion('{"transcription": "s"}'))

    server.script = [reply] * 3
    one = recognizer(clock=SystemClock(), traffic={"concurrency": 3})
    begun = time.monotonic()
    with pytest.raises(RecognizerStoppedError, match="does not accept the key"):
        one.transcribe([clip_of(1), clip_of(2), clip_of(3)])
    assert time.monotonic() - begun < 100  # of the 500 s that the first was to wait
    assert one.transcribe([clip_of(2)])[0].phones == ("S",)
    assert server.answered == [3, 2]


def test_no_more_requests_are_together_than_allowed(recognizer, server):
    both = threading.Barrier(2)
    server.gate = lambda _number: both.wait(10)
    recognizer(traffic={"concurrency": 2}).transcribe([clip_of(level) for level in (1, 2, 3, 4)])
    assert server.together == 2


def test_requests_are_spaced_evenly_and_a_pause_moves_all_of_them():
    clock = FakeClock()
    limiter = RateLimiter(30, clock)
    begun = []
    for _ in range(4):
        assert limiter.wait()
        begun.append(clock.now())
    assert begun == [0.0, 2.0, 4.0, 6.0]
    limiter.hold(60)
    assert limiter.wait()
    assert limiter.wait()
    assert clock.now() == 68.0


def test_a_request_whose_turn_comes_in_a_pause_takes_a_later_one():
    clock = FakeClock()
    limiter = RateLimiter(60, clock)
    limiter.wait()
    sleep = clock.sleep
    held = []

    def hold_meanwhile(seconds):
        if not held:
            held.append(True)
            limiter.hold(100)
        return sleep(seconds)

    clock.sleep = hold_meanwhile
    assert limiter.wait()
    assert clock.now() == 100.0


def test_the_limit_holds_for_retries_too(recognizer, server, clock):
    server.script = [(500, {}, error("down"))]
    recognizer(traffic={"requests_per_minute": 1.0}).transcribe([clip_of(1), clip_of(2)])
    assert clock.now() == 120.0
    assert len(server.bodies) == 3


def test_without_the_extra_it_names_it(recognizer, server, monkeypatch):
    monkeypatch.setitem(sys.modules, "openai", None)
    with pytest.raises(
        RecognizerStoppedError, match=r"need the library openai \(pip install 'pedkit\[hosted\]'\)"
    ):
        recognizer().transcribe([clip_of(1)])
    assert not server.bodies
