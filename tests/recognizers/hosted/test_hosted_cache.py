"""Answers that were paid for are kept, found again, and never paid for twice."""

import json
import threading

import pytest
from chat_server import completion, error
from filelock import FileLock
from hosted_parts import clip_of

from pedkit.models.prompts import load_prompt
from pedkit.recognizers.protocol import RecognizerStoppedError


@pytest.fixture
def file(tmp_path):
    return tmp_path / "cache" / "listener.jsonl"


def test_an_answer_is_asked_for_once(recognizer, server, file):
    first = recognizer().transcribe([clip_of(1), clip_of(2)])
    again = recognizer().transcribe([clip_of(2, "renamed"), clip_of(1)])
    assert (len(server.bodies), len(file.read_text().splitlines())) == (2, 2)
    assert (again[0].phones, again[1].phones) == (first[1].phones, first[0].phones)
    assert again[0].id == "renamed"
    assert (again[0].usage["from_cache"], again[0].seconds) == (True, round(first[1].seconds, 3))
    assert again[0].revision == "listener-2026-11-01"


def test_equal_recordings_of_one_batch_are_asked_for_once(recognizer, server):
    heard = recognizer(traffic={"concurrency": 4}).transcribe([clip_of(1, "a"), clip_of(1, "b"), clip_of(2)])
    assert [one.phones for one in heard[:2]] == [("TH", "IH", "NG", "K")] * 2
    assert [one.usage["from_cache"] for one in heard] == [False, True, False]
    assert len(server.bodies) == 2


def test_answers_are_found_without_key_and_server(recognizer, server, monkeypatch):
    recognizer().transcribe([clip_of(1)])
    server.close()
    monkeypatch.delenv("TEST_API_KEY")
    assert recognizer().transcribe([clip_of(1)])[0].phones == ("TH", "IH", "NG", "K")


@pytest.mark.parametrize(
    "other",
    [
        {"model": "listener2", "cache_dir": None},
        {"generation": {"temperature": 0.7}},
        {"generation": {"temperature": None}},
        {"generation": {"max_tokens": 100}},
        {"generation": {"max_tokens_name": "max_tokens"}},
        {"generation": {"top_p": 0.5}},
        {"generation": {"seed": 1}},
        {"generation": {"reasoning_effort": "low"}},
        {"generation": {"structured_output": "json_schema"}},
        {"generation": {"structured_output": "phones"}},
        {"generation": {"extra_body": {"repetition_penalty": 1.1}}},
        {"prompt": load_prompt(mode="scripted")},
    ],
)
def test_whatever_changes_an_answer_is_part_of_its_key(recognizer, server, tmp_path, other):
    script = {"text": "think", "canonical": ("TH", "IH", "NG", "K"), "inventory": "cmu39"}
    recognizer().transcribe([clip_of(1, **script)])
    one = recognizer(**{key: value for key, value in other.items() if value is not None})
    assert one.config_hash != recognizer().config_hash
    one.transcribe([clip_of(1, **script)])
    one.transcribe([clip_of(1, **script)])
    assert len(server.bodies) == 2


def test_another_text_in_a_scripted_prompt_is_another_request(recognizer, server):
    one = recognizer(prompt=load_prompt(mode="scripted"))
    for text in ("think", "sink", "think"):
        one.transcribe([clip_of(1, text=text, canonical=("TH",), inventory="cmu39")])
    assert len(server.bodies) == 2


def test_speed_and_prices_are_no_part_of_the_key(recognizer, server):
    recognizer().transcribe([clip_of(1)])
    other = recognizer(
        traffic={"concurrency": 7, "timeout": 1.0}, prices={"input": 1.0}, name="other", longest=5.0
    )
    assert other.transcribe([clip_of(1)])[0].usage["from_cache"]
    assert other.config_hash == recognizer().config_hash


def test_a_line_says_what_was_asked(recognizer, server, file):
    recognizer(generation={"temperature": 0.0, "extra_body": {"store": False}}).transcribe([clip_of(1)])
    line = json.loads(file.read_text())
    assert line["model_asked"] == "listener"
    assert line["server"] == server.url.removeprefix("http://")
    assert line["prompt_hash"] == load_prompt().hash
    assert line["settings"] == {"max_completion_tokens": 512, "temperature": 0.0, "store": False}
    assert line["answer"]["text"] == '{"transcription": "θ ɪ ŋ k"}'
    assert "θ" in file.read_text()


@pytest.mark.parametrize("cut", [1, 30, -30, -3])
def test_a_line_that_a_kill_cut_off_is_asked_again_and_the_others_stay(recognizer, server, file, cut):
    recognizer().transcribe([clip_of(1), clip_of(2)])
    first, second = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(first + second[:cut])
    heard = recognizer().transcribe([clip_of(1), clip_of(2), clip_of(5)])
    assert [one.phones for one in heard] == [("TH", "IH", "NG", "K"), ("S", "IH", "NG", "K"), ("B", "IH")]
    assert server.answered == [1, 2, 2, 5]
    lines = file.read_bytes().splitlines(keepends=True)
    assert lines[0] == first
    assert [json.loads(line)["answer"]["text"] for line in lines[1:]] == [server.answers[2], server.answers[5]]


def test_a_last_line_that_only_lacks_its_end_is_kept(recognizer, server, file):
    recognizer().transcribe([clip_of(1), clip_of(2)])
    file.write_bytes(file.read_bytes()[:-1])
    recognizer().transcribe([clip_of(1), clip_of(2), clip_of(5)])
    assert server.answered == [1, 2, 5]
    assert len(file.read_text().splitlines()) == 3


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("not json\n", "not a JSON line"),
        ('{"key": "a"}\n', "this is no answer of a hosted model"),
        ('{"key": "a", "answer": {"text": 3}, "tokens": {}, "seconds": 1, "tries": 1}\n', "this is no answer"),
    ],
)
def test_a_broken_line_in_the_middle_stops_before_anything_is_paid_again(recognizer, server, file, line, reason):
    recognizer().transcribe([clip_of(1)])
    file.write_text(line + file.read_text(), encoding="utf-8")
    with pytest.raises(RecognizerStoppedError, match=reason) as caught:
        recognizer().transcribe([clip_of(1)])
    assert f"{file}:1" in str(caught.value)
    assert len(server.bodies) == 1


def test_answers_that_came_before_a_stop_are_kept(recognizer, server, file):
    server.script = [completion('{"transcription": "θ"}'), (401, {}, error("key revoked"))]
    with pytest.raises(RecognizerStoppedError):
        recognizer().transcribe([clip_of(1), clip_of(2)])
    assert len(file.read_text().splitlines()) == 1
    assert recognizer().transcribe([clip_of(1), clip_of(2)])[0].phones == ("TH",)
    assert len(server.bodies) == 3


def test_a_second_process_waits_and_then_finds_the_answers_of_the_first(recognizer, server, capfd):
    """The lock is the one that another process would meet: a second recognizer has a lock of its own."""
    asked, may_go = threading.Event(), threading.Event()

    def hold(number):
        asked.set()
        assert may_go.wait(10)

    server.gate = hold
    results = {}
    threads = [
        threading.Thread(target=lambda n=n: results.update({n: recognizer().transcribe([clip_of(1)])}))
        for n in (1, 2)
    ]
    threads[0].start()
    assert asked.wait(10)
    threads[1].start()
    while "waiting for another process" not in capfd.readouterr().err:
        assert threads[1].is_alive()
    may_go.set()
    for thread in threads:
        thread.join(10)
    assert results[2][0].phones == results[1][0].phones == ("TH", "IH", "NG", "K")
    assert results[2][0].usage["from_cache"]
    assert len(server.bodies) == 1


def test_a_cache_that_cannot_be_used_stops_before_anything_is_sent(recognizer, server, tmp_path):
    (tmp_path / "taken").write_text("a file", encoding="utf-8")
    with pytest.raises(RecognizerStoppedError, match="the cache of answers cannot be used"):
        recognizer(cache_dir=tmp_path / "taken").transcribe([clip_of(1)])
    assert not server.bodies


def test_a_full_disk_stops_the_run_instead_of_paying_for_answers_that_are_lost(recognizer, server, monkeypatch):
    def full(handle):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("pedkit.recognizers.hosted.cache.os.fsync", full)
    with pytest.raises(RecognizerStoppedError, match="No space left on device"):
        recognizer().transcribe([clip_of(1), clip_of(2), clip_of(5)])
    assert len(server.bodies) == 1


def test_names_with_slashes_are_one_file_and_the_lock_is_free_afterwards(recognizer, server, tmp_path):
    recognizer(model="Qwen/Qwen2.5-Omni-7B").transcribe([clip_of(1)])
    path = tmp_path / "cache" / "Qwen%2FQwen2.5-Omni-7B.jsonl"
    assert path.exists()
    with FileLock(f"{path}.lock", timeout=0):
        pass
