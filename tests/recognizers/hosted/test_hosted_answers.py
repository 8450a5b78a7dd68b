"""What a clip becomes: from the recording that is sent to the prediction."""

import base64
import io
import json
import re
import wave

import numpy as np
import pytest
from chat_server import completion
from hosted_parts import ANSWERS, clip_of

from pedkit.errors import PedkitError
from pedkit.models.prompts import load_prompt
from pedkit.recognizers.hosted.generation import Generation
from pedkit.recognizers.hosted.sound import Sound
from pedkit.recognizers.protocol import Clip, HostedProtocol, Recognizer


def test_each_clip_gets_the_answer_to_its_own_recording_in_order(recognizer, server):
    one = recognizer(traffic={"concurrency": 4})
    assert isinstance(one, Recognizer)
    assert isinstance(one, HostedProtocol)
    heard = one.transcribe([clip_of(level) for level in (5, 2, 1, 3, 4, 6)])
    assert [(p.id, p.phones, p.status) for p in heard] == [
        ("u5", ("B", "IH"), "ok"),
        ("u2", ("S", "IH", "NG", "K"), "ok"),
        ("u1", ("TH", "IH", "NG", "K"), "ok"),
        ("u3", (), "empty"),
        ("u4", (), "unparsable"),
        ("u6", ("B", "IY"), "ok"),
    ]
    assert heard[4].raw == ANSWERS[4]
    assert {p.model for p in heard} == {"listener"}
    assert {p.revision for p in heard} == {"listener-2026-11-01"}
    assert {p.prompt_hash for p in heard} == {load_prompt().hash}
    assert {p.device for p in heard} == {server.url.split("/")[2]}
    usage = {"input": 300, "input_audio": 100, "input_cached": 0, "output": 20, "reasoning": 0}
    assert heard[0].usage == {**usage, "requests": 1, "from_cache": False}
    assert heard[0].to_dict()["usage"] == heard[0].usage
    assert 1 <= server.together <= 4


def test_the_request_is_the_prompt_the_recording_and_the_settings(recognizer, server, key):
    settings = {"structured_output": "json_schema", "extra_body": {"store": False, "top_k": -1, "min_p": None}}
    prompt = load_prompt(mode="scripted")
    clip = clip_of(1, text="think", canonical=("TH", "IH", "NG", "K"), inventory="cmu39")
    recognizer(generation=settings, prompt=prompt).transcribe([clip])
    (body,) = server.bodies
    system, question = prompt.conversation(clip.utterance)
    audio, text = body["messages"][1]["content"]
    assert body["messages"][0] == {"role": "system", "content": system.text}
    assert (body["messages"][1]["role"], text) == ("user", {"type": "text", "text": question.text})
    assert "think" in question.text
    with wave.open(io.BytesIO(base64.b64decode(audio["input_audio"]["data"]))) as file:
        assert np.frombuffer(file.readframes(1600), "<i2").tolist() == [1] * 1600
    schema = body["response_format"]["json_schema"]
    assert (body["response_format"]["type"], schema["strict"]) == ("json_schema", True)
    assert schema["schema"]["properties"] == {"transcription": {"type": "string"}}
    rest = {name: value for name, value in body.items() if name not in ("messages", "response_format")}
    assert rest == {
        "model": "listener", "temperature": 0.0, "max_completion_tokens": 512, "store": False, "top_k": -1,
    }  # fmt: skip
    assert server.headers[0]["authorization"] == f"Bearer {key}"


def test_without_a_key_variable_no_key_is_sent(recognizer, server, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-somebody-else")
    monkeypatch.setenv("OPENAI_ORG_ID", "org-of-somebody")
    assert recognizer(api_key_env=None).transcribe([clip_of(1)])[0].status == "ok"
    assert not {"authorization", "openai-organization"} & set(server.headers[0])


def test_phones_can_be_enforced_by_a_pattern():
    pattern = Generation(structured_output="phones").to_body(load_prompt())["response_format"]["json_schema"]
    pattern = pattern["schema"]["properties"]["transcription"]["pattern"]
    for text, good in {
        "": True,
        "θ ɪ ŋ k": True,
        "t͡ʃ": True,
        "θɪ": False,
        "θ  ɪ": False,
        "x": False,
        " θ": False,
    }.items():
        assert bool(re.fullmatch(pattern, text)) is good, text


def test_samples_come_through_a_wav_file_unchanged():
    values = np.array([-32768, -1, 0, 1, 32767], dtype="<i2")
    clip = Clip(clip_of(1).utterance, (values / 32768).astype(np.float32))
    with wave.open(io.BytesIO(Sound.of(clip).wav)) as file:
        assert np.frombuffer(file.readframes(5), "<i2").tolist() == values.tolist()
    loud = Clip(clip_of(1).utterance, np.array([1.0, 1.5, -1.5], dtype=np.float32))
    with wave.open(io.BytesIO(Sound.of(loud).wav)) as file:
        assert np.frombuffer(file.readframes(3), "<i2").tolist() == [32767, 32767, -32768]


@pytest.mark.parametrize(
    ("samples", "rate", "reason"),
    [
        (np.zeros(800), 8000, "expected a clip at 16000 Hz, but got 8000 Hz"),
        (np.zeros(0), 16000, "expected samples of one channel"),
        (np.zeros((2, 100)), 16000, "expected samples of one channel"),
        (np.array([0.0, np.nan]), 16000, "samples that are not finite"),
        (np.zeros(16000 * 31), 16000, "a clip of 31.0 s is longer than the 30 s of 'longest'"),
    ],
)
def test_a_clip_that_cannot_be_sent_fails_by_name_and_the_others_go_on(recognizer, server, samples, rate, reason):
    bad = Clip(clip_of(1, "bad").utterance, samples.astype(np.float32), rate)
    first, second = recognizer(longest=30.0).transcribe([bad, clip_of(2)])
    assert (first.id, first.status, second.status) == ("bad", "failed", "ok")
    assert reason in (first.reason or "")
    assert server.answered == [2]


def test_a_truncated_answer_is_recovered_and_says_so(recognizer, server):
    server.script = [completion('{"transcription": "θ ɪ ŋ', finish="length")]
    (heard,) = recognizer().transcribe([clip_of(1)])
    assert (heard.phones, heard.status, heard.recovered) == (("TH", "IH", "NG"), "ok", True)


def test_a_truncated_answer_without_any_text_is_unparsable(recognizer, server):
    server.script = [completion(None, finish="length")]
    (heard,) = recognizer().transcribe([clip_of(1)])
    assert (heard.phones, heard.status) == ((), "unparsable")
    assert heard.reason == "the limit of tokens was used up before the answer began"


@pytest.mark.parametrize(
    ("step", "reason"),
    [
        (
            completion(None, refusal="I cannot judge voices."),
            "the model refused to answer: I cannot judge voices.",
        ),
        (completion(None, finish="content_filter"), "the content filter of the service held the answer back"),
        (
            (400, {}, {"error": {"message": "blocked by policy", "code": "content_filter"}}),
            "the content filter of the service held the answer back: blocked by policy",
        ),
    ],
)
def test_a_refusal_is_an_answer_without_phones_and_is_not_asked_again(recognizer, server, step, reason):
    server.script = [step]
    (heard,) = recognizer().transcribe([clip_of(1)])
    assert (heard.status, heard.outcome, heard.reason) == ("unparsable", "withheld", reason)
    assert recognizer().transcribe([clip_of(1)])[0].reason == reason
    assert len(server.bodies) == 1


def test_content_may_come_in_parts_and_halves_of_surrogates_do_no_harm(recognizer, server):
    parts = [{"type": "text", "text": '{"transcription": '}, {"type": "text", "text": '"θ ɪ"}'}]
    server.script = [completion(parts), completion('{"transcription": "θ"} \ud83d')]
    first, second = recognizer().transcribe([clip_of(1), clip_of(2)])
    assert (first.phones, second.phones) == (("TH", "IH"), ("TH",))
    assert recognizer().transcribe([clip_of(2)])[0].raw == '{"transcription": "θ"} \ufffd'
    json.dumps(second.to_dict(), ensure_ascii=False).encode()


def test_settings_that_cannot_be_are_refused(recognizer):
    with pytest.raises(PedkitError, match=r"unknown setting 'recognizer.traffic.tries'"):
        recognizer(traffic={"tries": 3})
    with pytest.raises(PedkitError, match=r"expected recognizer.generation.max_tokens to be"):
        recognizer(generation={"max_tokens": "many"})
    with pytest.raises(PedkitError, match=r"max_tokens to be 1 or more, but got 0"):
        recognizer(generation={"max_tokens": 0})
    with pytest.raises(PedkitError, match=r"extra_body cannot hold 'stream'"):
        recognizer(generation={"extra_body": {"stream": True}})
    with pytest.raises(PedkitError, match=r"traffic.concurrency to be 1 or more, but got 0"):
        recognizer(traffic={"concurrency": 0})
    with pytest.raises(PedkitError, match=r"traffic.requests_per_minute to be more than 0, but got 0"):
        recognizer(traffic={"requests_per_minute": 0})
    with pytest.raises(PedkitError, match=r"prices.input to be 0 or more, but got -1"):
        recognizer(prices={"input": -1})


@pytest.fixture
def adapter(tmp_path):
    """The folder of an adapter that was trained with the scripted prompt."""
    prompt = load_prompt(mode="scripted")
    (tmp_path / "adapter").mkdir()
    (tmp_path / "adapter" / "adapter_model.safetensors").write_bytes(b"first weights")
    base = {"model_type": "qwen2_audio", "base": "org/base", "revision": None, "fingerprint": {"layers": 1}}
    facts = {**base, "facts": {"prompt": prompt.to_dict(), "prompt_hash": prompt.hash}}
    (tmp_path / "adapter" / "pedkit_adapter.json").write_text(json.dumps(facts), encoding="utf-8")
    return tmp_path / "adapter"


def test_a_served_adapter_is_asked_what_it_was_trained_to_be_asked(recognizer, adapter, tmp_path):
    assert recognizer(adapter=adapter).prompt_hash == load_prompt(mode="scripted").hash
    with pytest.raises(PedkitError, match=r"trained with another prompt than 'cmu39_json v1 unscripted'"):
        recognizer(adapter=adapter, prompt=load_prompt())
    forced = recognizer(adapter=adapter, prompt=load_prompt(), force_prompt=True)
    assert forced.prompt_hash == load_prompt().hash
    with pytest.raises(PedkitError, match=r"expected the folder of an adapter with adapter_model.safetensors"):
        recognizer(adapter=tmp_path)


def test_other_weights_under_the_same_name_are_asked_anew(recognizer, server, adapter):
    clip = clip_of(1, text="think", canonical=("TH",), inventory="cmu39")
    for weights in (b"first weights", b"second weights", b"first weights"):
        (adapter / "adapter_model.safetensors").write_bytes(weights)
        recognizer(adapter=adapter).transcribe([clip])
    assert len(server.bodies) == 2
