"""From manifest to report through ``evaluate.py``, killed and continued."""

import json
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest
import soundfile
from chat_server import first_sample
from hosted_parts import clip_of
from hydra import compose, initialize_config_dir
from msgspec.structs import replace
from omegaconf import OmegaConf

from pedkit.building import build
from pedkit.data.manifest import read_manifest, write_manifest
from pedkit.data.utterance import Audio, Utterance
from pedkit.errors import PedkitError
from pedkit.evaluation.evaluate import evaluate

ROOT = Path(__file__).parents[3]
REALIZED = {1: ("TH", "IH", "NG", "K"), 2: ("S", "IH", "NG", "K"), 5: ("B", "IH"), 6: ("B", "IY")}


@pytest.fixture
def manifest(tmp_path):
    """Four recordings, the first sample of each its level; the server hears all of them right."""
    utterances = []
    for level, realized in REALIZED.items():
        path = tmp_path / f"{level}.flac"
        soundfile.write(path, np.full(1600, level, dtype=np.int16), 16000, subtype="PCM_16")
        canonical = ("TH", "IH", "NG", "K") if len(realized) == 4 else ("B", "IY")
        utterances.append(
            Utterance(
                id=f"u{level}", audio=Audio(str(path)), inventory="cmu39", language="eng", corpus="toy",
                canonical=canonical, realized=realized, may_upload=True,
            )
        )  # fmt: skip
    write_manifest(tmp_path / "toy.jsonl", utterances)
    return tmp_path / "toy.jsonl"


@pytest.fixture
def overrides(server, manifest, tmp_path):
    return [
        "recognizer=openai", f"recognizer.base_url={server.url}", "recognizer.api_key_env=TEST_API_KEY",
        "recognizer.traffic.concurrency=1", f"recognizer.cache_dir={tmp_path / 'cache'}",
        f"manifest={manifest}", f"output_dir={tmp_path / 'out'}", "report=false", "references=[]",
    ]  # fmt: skip


def configuration(overrides):
    with initialize_config_dir(str(ROOT / "conf"), version_base="1.3"):
        return compose("evaluate", overrides=overrides)


def test_a_killed_run_continues_and_no_answer_is_paid_for_twice(server, overrides, tmp_path, key, capsys):
    asked, killed = threading.Event(), threading.Event()

    def hold_the_third(number):
        if number == 3:
            asked.set()
            killed.wait(60)

    server.gate = hold_the_third
    command = [sys.executable, str(ROOT / "evaluate.py"), *overrides]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
        assert asked.wait(60), process.stderr.read().decode()
        os.kill(process.pid, signal.SIGKILL)
        process.communicate()
    lines = (tmp_path / "cache" / "gpt-audio.jsonl").read_text().splitlines()
    assert len(lines) == 2
    server.script, before = [], len(server.bodies)
    killed.set()
    server.gate = lambda _number: None

    prices = ["recognizer.prices.input=1.0", "recognizer.prices.input_audio=1.0", "recognizer.prices.output=1.0"]
    (result,) = evaluate(configuration([*overrides, *prices, "report=true"])).values()
    asked_for = [json.dumps(body) for body in server.bodies]
    assert (before, len(asked_for)) == (3, 5)
    assert len(set(asked_for)) == 4  # only the one that was on its way when the process died came twice
    assert asked_for.count(asked_for[2]) == 2
    counts = result["gpt-audio"].counts
    assert (counts["utterances"], counts.per.numerator) == (4, 0)
    usage = json.loads((tmp_path / "out" / "usage.json").read_text())
    assert (usage["answers"], usage["from_cache"], usage["requests"]) == (4, 2, 4)
    assert usage["cost"]["value"] == pytest.approx(4 * 320 / 1e6)
    assert "0.0013 USD" in capsys.readouterr().out
    report = (tmp_path / "out" / "report.html").read_text()
    assert "cost of all answers" in report
    assert "4 (2 from the cache)" in report

    evaluate(configuration(overrides))
    assert len(server.bodies) == 5
    written = [path for path in tmp_path.rglob("*") if path.is_file() and path.suffix != ".flac"]
    assert {"usage.json", "config.yaml", "run.json", "gpt-audio.jsonl"} <= {path.name for path in written}
    assert not [path for path in written if key in path.read_text()]


def test_another_prompt_sets_the_predictions_aside_and_is_another_request(server, overrides, tmp_path):
    evaluate(configuration(overrides))
    other = [one for one in overrides if not one.startswith("recognizer=")]
    evaluate(configuration([*other, "recognizer=openai", "recognizer.generation.seed=3"]))
    assert len(server.bodies) == 8
    assert len(list((tmp_path / "out").glob("predictions.*.jsonl"))) == 1


def test_nothing_is_sent_of_any_set_when_one_may_not_be(server, overrides, manifest):
    lines = manifest.read_text().splitlines()
    manifest.write_text(
        "\n".join([*lines[:3], lines[3].replace('"may_upload": true', '"may_upload": false')]) + "\n"
    )
    assert "false" in manifest.read_text()
    with pytest.raises(PedkitError, match="1 of 4 recordings may not be sent to"):
        evaluate(configuration(overrides))
    assert not server.bodies
    evaluate(configuration([*overrides, "recognizer.own_server=true"]))
    assert len(server.bodies) == 4


def test_examples_are_earlier_turns_with_their_own_recordings(server, tmp_path, recognizer, manifest):
    one = recognizer(examples={"manifest": str(manifest), "limit": 2})
    heard = one.transcribe([clip_of(3, "asked")])
    (body,) = server.bodies
    shown = read_manifest(manifest)
    chosen = [example for example in shown if example.id in ("u1", "u5")]
    assert [turn["role"] for turn in body["messages"]] == ["system", *["user", "assistant"] * 2, "user"]
    assert [body["messages"][i]["content"] for i in (2, 4)] == [one.prompt.answer(u.realized) for u in chosen]
    levels = [first_sample({"messages": [body["messages"][i]]}) for i in (1, 3, 5)]
    assert levels == [1, 5, 3]
    assert heard[0].prompt_hash == one.prompt_hash != one.prompt.hash
    with pytest.raises(PedkitError, match="utterance 'u1': the recording is under test and shown with its answer"):
        one.admit(shown)
    other = [replace(example, may_upload=None) for example in shown]
    write_manifest(manifest, other)
    with pytest.raises(PedkitError, match="2 of 3 recordings do not say whether they may be sent"):
        recognizer(examples={"manifest": str(manifest), "limit": 2}).transcribe([clip_of(3, "asked")])
    assert len(server.bodies) == 1


def test_a_stopped_run_says_one_sentence_and_leaves_what_it_used(server, overrides, tmp_path):
    server.script = [None, (401, {}, {"error": {"message": "no"}})]
    with pytest.raises(PedkitError, match="does not accept the key in the environment variable TEST_API_KEY"):
        evaluate(configuration(overrides))
    assert json.loads((tmp_path / "out" / "usage.json").read_text())["answers"] == 0
    evaluate(configuration(overrides))
    assert len(server.bodies) == 5


def test_a_key_on_the_command_line_is_refused_before_it_is_written(server, overrides, tmp_path, key):
    with pytest.raises(PedkitError, match="holds the value of the environment variable TEST_API_KEY") as caught:
        evaluate(configuration([*overrides, f"+recognizer.generation.extra_body.user={key}"]))
    assert key not in str(caught.value)
    assert not (tmp_path / "out").exists()
    assert not server.bodies


@pytest.mark.parametrize("name", ["openai", "gemini", "vllm", "hosted"])
def test_every_preset_sends_the_settings_that_it_names(server, tmp_path, name):
    places = {"base_url": server.url, "api_key_env": "TEST_API_KEY", "cache_dir": tmp_path, "model": "m"}
    chosen = configuration([f"recognizer={name}", *(f"recognizer.{key}={value}" for key, value in places.items())])
    recognizer = build(OmegaConf.to_container(chosen.recognizer, resolve=True), "recognizer")
    assert recognizer.transcribe([clip_of(1)])[0].status == "ok"
    body = server.bodies[0]
    assert "max_completion_tokens" in body
    expected = {
        "openai": {"temperature": 0.0, "max_completion_tokens": 512, "store": False},
        "gemini": {"reasoning_effort": "low", "max_completion_tokens": 4096},
        "vllm": {
            "temperature": 0.0, "max_completion_tokens": 512, "top_p": 1.0, "seed": 0, "top_k": -1, "min_p": 0.0,
            "repetition_penalty": 1.0, "presence_penalty": 0.0, "frequency_penalty": 0.0,
        },
        "hosted": {"temperature": 0.0, "max_completion_tokens": 512},
    }  # fmt: skip
    rest = {key: value for key, value in body.items() if key not in ("model", "messages", "response_format")}
    assert rest == expected[name]
    assert ("response_format" in body) is (name in ("openai", "gemini"))


def test_a_preset_without_a_model_says_so(overrides):
    with pytest.raises(PedkitError, match=r"the setting recognizer\.model must be given"):
        evaluate(configuration([*overrides[1:], "recognizer=gemini"]))


def test_every_key_of_the_presets_has_a_comment():
    for name in ("openai", "gemini", "vllm", "hosted"):
        lines = (ROOT / "conf" / "recognizer" / f"{name}.yaml").read_text().splitlines()
        assert lines[0].startswith(f"# python evaluate.py recognizer={name} ")
        keys = [line for line in lines[1:] if ":" in line and not line.startswith(("_target_", "defaults"))]
        assert all(" # " in line for line in keys), name
