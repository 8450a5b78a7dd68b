"""What becomes of a finished run: answers, exports, merged weights, and what can be looked at beforehand."""

from __future__ import annotations

import json
import shutil

import numpy as np
import pytest
import torch

from pedkit.data.manifest import file_hash, read_manifest
from pedkit.errors import PedkitError
from pedkit.evaluation.seen import used_by_recognizer
from pedkit.export import export_run
from pedkit.models.language import load_audio_language_model
from pedkit.models.prompts import load_prompt
from pedkit.recognizers import Clip, LanguageRecognizer, ScoringRecognizer, from_run
from pedkit.training import read_run, train
from pedkit.training.dry_run import dry_run
from pedkit.training.shown_tokens import shown_tokens
from tests.models.language.tiny_audio_models import save_tiny
from tests.training.language.conftest import composed
from tests.training.language.listening_models import WORDS, tone_word


@pytest.fixture(scope="module")
def finished(omni, tones, tmp_path_factory):
    """A run that has learnt the swapped names."""
    folder = tmp_path_factory.mktemp("finished") / "run"
    train(composed(tones, omni, folder, "trainer.max_epochs=4"))
    return folder


@pytest.fixture(scope="module")
def clips(tones):
    utterances = read_manifest(tones.test)
    return [Clip(u, tone_word(WORDS[n], 7000 + n)) for n, u in enumerate(utterances)]


@pytest.fixture(scope="module")
def recognizer(finished):
    return from_run(finished, batch_size=4)


def test_a_batch_is_answered_as_its_clips_alone(recognizer, clips):
    assert isinstance(recognizer, LanguageRecognizer)
    assert isinstance(recognizer, ScoringRecognizer)
    together = recognizer.transcribe(clips)
    alone = [recognizer.transcribe([clip])[0] for clip in clips]
    assert [one.raw for one in together] == [one.raw for one in alone]
    assert [one.id for one in together] == [clip.utterance.id for clip in clips]
    first = together[0]
    assert (first.status, first.inventory, first.outcome) == ("ok", "cmu39", "json")
    assert json.loads(first.raw) == {"transcription": "s"}  # AA, under its new name


def test_clips_that_cannot_be_heard_fail_by_name_and_the_others_do_not(recognizer, clips):
    utterance = clips[0].utterance
    short, long = np.zeros(800, np.float32), np.zeros(31 * 16000, np.float32)
    broken = np.full(16000, np.nan, np.float32)
    batch = [Clip(utterance, short), clips[0], Clip(utterance, long), Clip(utterance, broken)]
    found = recognizer.transcribe(batch)
    assert [one.status for one in found] == ["failed", "ok", "failed", "failed"]
    assert "0.050 s, but the model hears nothing in less than 0.1 s" in found[0].reason
    assert "31.0 s, but the model hears only the first 30 s" in found[2].reason
    assert "no numbers" in found[3].reason
    with pytest.raises(PedkitError, match="expected a clip at 16000 Hz, but got 8000 Hz"):
        recognizer.transcribe([Clip(utterance, short, 8000)])


def test_the_answer_that_was_learnt_is_the_likely_one(recognizer, clips):
    right, wrong = clips[0].utterance.realized, clips[0].utterance.canonical
    assert (right, wrong) == (("S",), ("AA",))
    best = recognizer.log_likelihood(clips[0], right)
    assert -1.0 < best < 0.0
    assert recognizer.log_likelihood(clips[0], wrong) < best - 1.0
    # By hand: the logits after each token of the answer, one clip alone.
    language, prompt = recognizer.language, recognizer.prompt
    inputs = language.training_inputs(
        [clips[0].samples], [prompt.conversation(clips[0].utterance)], [prompt.answer(right)]
    )
    labels = inputs.pop("labels")[0]
    with torch.no_grad():
        log_probs = language.base(**inputs, use_cache=False).logits[0].log_softmax(-1)
    places = [place for place, label in enumerate(labels.tolist()) if label != -100]
    total = sum(float(log_probs[place - 1, labels[place]]) for place in places)
    assert best == pytest.approx(total, abs=1e-4)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"prompt": {}}, "describes no audio language model .'template'."),
        ({"fingerprint": {}}, "describes no audio language model .'text'."),
        ({"source": {"nam": "x"}}, "describes no audio language model"),
        ({"max_new_tokens": None}, "describes no audio language model"),
    ],
)
def test_a_description_that_was_changed_by_hand_is_one_sentence(finished, tmp_path, change, message):
    """An absent fingerprint would let any base pass."""
    run = tmp_path / "run"
    shutil.copytree(finished, run)
    file = run / "language_model.json"
    file.write_text(json.dumps(json.loads(file.read_text(encoding="utf-8")) | change), encoding="utf-8")
    with pytest.raises(PedkitError, match=message):
        from_run(run)


def test_weights_that_are_no_numbers_answer_nothing(finished, tmp_path):
    """Their greedy answer is token 0 for ever: an empty transcription that looks like a bad model."""
    run = tmp_path / "run"
    shutil.copytree(finished, run)
    path = run / read_run(run)["kept"]["checkpoint"]
    content = torch.load(path, weights_only=True)
    name = max(content["state_dict"])
    content["state_dict"][name][0, 0] = float("nan")
    torch.save(content, path)
    with pytest.raises(PedkitError, match=f"values that are no numbers, first in {name}"):
        from_run(run)


def test_constrained_decoding_is_another_system(finished, clips):
    free, bound = from_run(finished), from_run(finished, constrained=True)
    assert (free.name, bound.name) == ("tones", "tones, constrained")
    assert (free.decoder, bound.decoder) == ("greedy", "constrained")
    assert [one.raw for one in bound.transcribe(clips)] == [one.raw for one in free.transcribe(clips)]


def test_a_random_model_writes_valid_answers_when_bound(clips, tones, tmp_path):
    save_tiny("qwen2_5_omni_thinker", tmp_path)
    settings = {"prompt": load_prompt(str(tones.template)), "dtype": "float32", "max_new_tokens": 40}
    free = LanguageRecognizer.from_pretrained(str(tmp_path), **settings)
    bound = LanguageRecognizer.from_pretrained(str(tmp_path), **settings, constrained=True)
    assert {one.status for one in free.transcribe(clips[:2])} == {"unparsable"}
    assert all(one.outcome.startswith("json") for one in bound.transcribe(clips[:2]))


def test_examples_come_before_the_question_and_are_no_test_data(omni, tones, clips):
    prompt = load_prompt(str(tones.template))
    examples = {"manifest": str(tones.train), "limit": 2}
    shown = LanguageRecognizer.from_pretrained(str(omni), prompt=prompt, dtype="float32", examples=examples)
    plain = LanguageRecognizer.from_pretrained(str(omni), prompt=prompt, dtype="float32")
    assert (shown.name, plain.name) == (f"{omni.name}, 2-shot", f"{omni.name}, zero-shot")
    assert shown.prompt_hash != plain.prompt_hash == prompt.hash
    together = shown.transcribe(clips[:3])
    assert [one.raw for one in together] == [shown.transcribe([clip])[0].raw for clip in clips[:3]]
    assert {one.prompt_hash for one in together} == {shown.prompt_hash}
    (used,) = used_by_recognizer({"name": str(omni), "examples": examples})
    assert (used.role, used.sha256, used.split) == ("examples", file_hash(tones.train), None)


def test_exported_adapters_answer_as_the_run(finished, tones, clips, recognizer, tmp_path):
    out = export_run(finished, tmp_path / "out", licence="mit")
    files = {file.name for file in out.iterdir()}
    assert files == {
        "adapter_config.json", "adapter_model.safetensors", "pedkit_adapter.json", "pedkit.json", "prompt.json",
        "README.md",
    }  # fmt: skip
    exported = LanguageRecognizer.from_pretrained(adapter=str(out), dtype="float32")
    assert (exported.language.name, exported.name) == (recognizer.language.name, "out")
    assert (
        exported.revision == recognizer.revision == file_hash(finished / read_run(finished)["kept"]["checkpoint"])
    )
    assert [one.raw for one in exported.transcribe(clips)] == [one.raw for one in recognizer.transcribe(clips)]
    with pytest.raises(PedkitError, match=r"another prompt than 'short v1 scripted'"):
        LanguageRecognizer.from_pretrained(
            adapter=str(out), dtype="float32", prompt=load_prompt(str(tones.template), "scripted")
        )
    used = used_by_recognizer({"name": None, "adapter": str(out)})
    assert {(one.role, one.sha256) for one in used} == {
        ("train", file_hash(tones.train)), ("dev", file_hash(tones.dev)),
    }  # fmt: skip
    card = (out / "README.md").read_text(encoding="utf-8")
    assert "8 modules, 14,336 parameters, r=16, alpha=32" in card
    assert "library_name: peft" in card
    assert '{"transcription": "θ ɪ ŋ k"}' in card
    other = export_run(finished, tmp_path / "last", checkpoint="checkpoints/last.ckpt") / "README.md"
    assert "are not those that the training kept, and no dev PER of them is known" in other.read_text("utf-8")
    assert "Dev PER" in card


def test_merged_weights_are_measured_anew(finished, clips, recognizer, tmp_path):
    out = export_run(finished, tmp_path / "merged", merge=True)
    record = json.loads((out / "pedkit.json").read_text(encoding="utf-8"))
    assert record["facts"]["merged"] == {"dev_per": 0.0, "errors": 0, "phones": 10}
    assert "dev PER 0.0000 (0 of 10 phones) (0.0000 with the adapters apart)" in (out / "README.md").read_text()
    plain = load_audio_language_model(out, dtype="float32")
    assert not plain.has_adapter
    merged = LanguageRecognizer.from_pretrained(str(out), dtype="float32")
    assert merged.prompt_hash == recognizer.prompt_hash
    assert [one.raw for one in merged.transcribe(clips)] == [one.raw for one in recognizer.transcribe(clips)]
    inputs = plain.training_inputs(
        [clips[0].samples], [recognizer.prompt.conversation(clips[0].utterance)], [recognizer.prompt.answer(["S"])]
    )
    with torch.no_grad():
        losses = [float(model.answer_loss(inputs).total) for model in (plain, recognizer.language)]
    assert losses[0] == pytest.approx(losses[1], abs=1e-4)


def test_what_is_trained_on_is_shown_token_by_token(omni, compose_training):
    text = shown_tokens(compose_training(omni), 1)
    lines = text.splitlines()
    assert lines[0] == "train0, prompt short v1 unscripted:"
    without, trained = text.split("  WITH loss, ")
    assert "Transcribe." in without
    assert "<|AUDIO|> x " in without
    assert '"transcription"' not in without
    rows = [line.split(None, 1)[1] for line in trained.splitlines()[1:]]
    assert "".join(_unquoted(row) for row in rows) == '{"transcription": "s"}<|im_end|>'
    assert int(trained.split(" ", 1)[0]) == len(rows)


def _unquoted(shown):
    """Undo repr of a token that is a whole character."""
    return shown[1:-1]


def test_a_dry_run_counts_what_lora_trains(omni, compose_training, tmp_path):
    found = dry_run(compose_training(omni))
    assert not (tmp_path / "run").exists()
    assert found.weights[1] == 14336
    assert (found.batches, found.updates) == (3, 18)  # 24 clips, 8 an update, 6 epochs
    assert found.memory.gradients == 14336 * 4
    assert found.memory.optimizer == 14336 * 8
    assert found.memory.activations > 0
    assert found.memory.checkpoint == 14336 * (4 + 8)  # the adapters and their averages, no base
    assert "none of 24 train clips" in str(found)
