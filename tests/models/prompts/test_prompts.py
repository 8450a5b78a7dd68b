"""Prompts: what they say, word by word; what their hash covers; what they refuse."""

from __future__ import annotations

import json
import re
from dataclasses import replace as changed
from pathlib import Path

import pytest
from hydra import compose, initialize_config_dir
from msgspec.structs import replace
from omegaconf import OmegaConf

from pedkit.building import build
from pedkit.data.utterance import Utterance
from pedkit.errors import PedkitError
from pedkit.models.answers import parse_answer
from pedkit.models.prompts import (
    AUDIO,
    Example,
    Prompt,
    Turn,
    clip_utterances,
    load_prompt,
    load_template,
    template_names,
)
from pedkit.phones import get_inventory

CONF = str(Path(__file__).parents[3] / "conf")
THINK = Utterance(
    id="a", text="Think so?", inventory="cmu39", canonical=("TH", "IH", "NG", "K", "S", "OW"),
    realized=("S", "IH", "NG", "K", "S", "OW"),
)  # fmt: skip


@pytest.fixture
def template():
    return load_template()


def test_the_wording_is_marked_as_ours(template):
    assert (template.name, template.version, template.ours) == ("cmu39_json", 1, True)
    assert "cmu39_json" in template_names()


def test_an_unscripted_conversation():
    system, user = load_prompt().conversation(THINK)
    assert user == Turn("user", (AUDIO, "Transcribe the phones that are heard in this recording."))
    assert system.role == "system"
    assert "these 39 IPA symbols, each of which is one phone: ɑ æ ʌ ɔ aʊ aɪ b t͡ʃ d ð ɛ ə˞ eɪ" in system.text
    assert 'Its only key is "transcription"' in system.text
    assert "Think" not in system.text + user.text


def test_a_scripted_conversation_adds_text_and_canonical_phones_after_the_user_prompt():
    unscripted, scripted = (load_prompt(mode=mode).conversation(THINK) for mode in ("unscripted", "scripted"))
    assert scripted[0] == unscripted[0]
    assert scripted[1].text.startswith(unscripted[1].text + "\n")
    assert scripted[1].text.removeprefix(unscripted[1].text).strip().splitlines() == [
        'The speaker was asked to say: "Think so?"',
        "Its canonical phones are: θ ɪ ŋ k s oʊ",
        "What was said may differ from them. Transcribe what is heard.",
    ]
    assert "s ɪ ŋ k" not in scripted[1].text  # what was said is the answer


def test_canonical_phones_of_timit_are_projected():
    timit = replace(THINK, inventory="timit61", canonical=("th", "ih", "ng", "kcl", "k", "s", "ow"))
    assert "Its canonical phones are: θ ɪ ŋ k s oʊ" in load_prompt(mode="scripted").conversation(timit)[1].text


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"text": None}, "utterance 'a': has no text, which a scripted prompt shows"),
        ({"text": " <||> "}, "utterance 'a': has no text"),
        ({"canonical": None}, "utterance 'a': has no canonical phones.*pedkit reference"),
        ({"canonical": ()}, "utterance 'a': has no canonical phones"),
        ({"inventory": None}, "utterance 'a': has no inventory"),
        ({"canonical": ("Q",)}, "utterance 'a': expected phones of the inventory 'cmu39', but got 'Q'"),
    ],
)
def test_what_a_scripted_prompt_needs_is_named_with_the_utterance(changes, sentence):
    utterance = replace(THINK, **changes)
    load_prompt().conversation(utterance)
    with pytest.raises(PedkitError, match=sentence):
        load_prompt(mode="scripted").conversation(utterance)


def test_the_answer_is_one_json_object_in_ipa():
    prompt = load_prompt()
    assert prompt.answer(("CH", "ER", "G")) == '{"transcription": "t͡ʃ ə˞ ɡ"}'
    assert prompt.answer(()) == '{"transcription": ""}'
    with pytest.raises(PedkitError, match="but got 'XX'"):
        prompt.answer(("XX",))


def test_every_answer_reads_back():
    prompt, phones = load_prompt(), get_inventory("cmu39").phones
    answer = parse_answer(prompt.answer(phones))
    assert (answer.phones, answer.inventory, answer.outcome) == (phones, "cmu39", "json")


def test_examples_are_earlier_turns_and_their_recordings_come_first():
    prompt = load_prompt(mode="scripted")
    other = replace(THINK, id="b", text="Sink", canonical=("S", "IH", "NG", "K"))
    example = prompt.example(other)
    turns = prompt.conversation(THINK, [example])
    assert [turn.role for turn in turns] == ["system", "user", "assistant", "user"]
    assert turns[2].parts == ('{"transcription": "s ɪ ŋ k s oʊ"}',)
    assert '"Sink"' in turns[1].text
    assert turns[3] == prompt.conversation(THINK)[1]
    assert [one.id for one in clip_utterances(THINK, [example])] == ["b", "a"]
    with pytest.raises(PedkitError, match="utterance 'b': has no realized phones to show"):
        prompt.example(replace(other, realized=None))


def test_the_hash_changes_with_everything_that_changes_a_request(template):
    example = Example(THINK, '{"transcription": "s"}', "sound")
    prompt, scripted = Prompt(template), Prompt(template, "scripted")
    hashes = [
        prompt.hash,
        scripted.hash,
        Prompt(changed(template, system=template.system + " ")).hash,
        Prompt(changed(template, user="Write.")).hash,
        Prompt(changed(template, key="phones")).hash,
        Prompt(changed(template, example="K AE T")).hash,
        Prompt(changed(template, scripted="{text}"), "scripted").hash,
        prompt.request_hash([example]),
        prompt.request_hash([example, example]),
        prompt.request_hash([changed(example, answer='{"transcription": "t"}')]),
        prompt.request_hash([changed(example, audio_hash="other")]),
        scripted.request_hash([example]),
        scripted.request_hash([changed(example, utterance=replace(THINK, text="Think"))]),
    ]
    assert len(set(hashes)) == len(hashes)
    assert all(re.fullmatch("[0-9a-f]{64}", one) for one in hashes)


def test_the_hash_does_not_change_with_what_changes_no_request(template):
    assert Prompt(changed(template, name="mine", version=7, ours=False)).hash == Prompt(template).hash
    assert Prompt(changed(template, scripted="{text}")).hash == Prompt(template).hash
    example = Example(THINK, "x")
    assert Prompt(template).request_hash([example]) == Prompt(template).request_hash(
        [Example(replace(THINK, text="unseen"), "x")]
    )


def test_the_hash_of_the_shipped_prompts_stays():
    """Adapters and predictions carry them; another wording is version 2."""
    assert load_prompt(version=1).hash == "936fc80009a66d3246ac72cc87feba1869a1c7045d1658772f25676a87b300cc"
    assert (
        load_prompt(mode="scripted", version=1).hash
        == "22590cba9c4da2a44c91f11f2cfb786f3148f3bbc8cfbde8e4bc5bbd990483ca"
    )


def test_a_run_folder_keeps_the_prompt(template):
    kept = json.loads(json.dumps(Prompt(template, "scripted").to_dict()))
    assert Prompt.from_dict(kept) == Prompt(template, "scripted")
    kept["template"]["user"] = "Write."
    with pytest.raises(PedkitError, match="'cmu39_json v1 scripted' gives other requests than when it was kept"):
        Prompt.from_dict(kept)


def test_a_prompt_of_ones_own(tmp_path):
    file = tmp_path / "mine.json"
    file.write_text('{"name": "mine", "version": 1, "system": ["Listen.", "{example}"], "user": "Write {phones}"}')
    prompt = load_prompt(str(file))
    system, user = prompt.conversation(THINK)
    assert system.text == 'Listen.\n{"transcription": ""}'
    assert user.text.startswith("Write ɑ æ")
    with pytest.raises(PedkitError, match="'mine' has no scripted form"):
        load_prompt(str(file), mode="scripted")


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ('{"name": "m", "version": 1, "system": "s"}', "a prompt needs the key 'user'"),
        ('{"name": "m", "version": 1, "system": "s", "user": "u", "scriptd": "x"}', "did you mean 'scripted'"),
        ('{"name": "m", "version": "1", "system": "s", "user": "u"}', "'version' of a prompt cannot be '1'"),
        (
            '{"name": "m", "version": 1, "system": "{text}", "user": "u"}',
            "'system' of a prompt cannot hold {text}",
        ),
        ('{"name": "m", "version": 1, "system": "s", "user": "u", "example": "XX"}', "but got 'XX'"),
        ('{"name": "m", "version": 1, "system": "s", "user": "u", "inventory": "ipa"}', "inventory 'cmu39'"),
        ("[]", "expected a JSON object"),
        ("{", "not a JSON file"),
    ],
)
def test_a_file_that_is_no_prompt(content, sentence, tmp_path):
    file = tmp_path / "mine.json"
    file.write_text(content)
    with pytest.raises(PedkitError, match=re.escape(str(file))) as caught:
        load_prompt(str(file))
    assert sentence in str(caught.value)


def test_names_that_are_none():
    with pytest.raises(PedkitError, match="did you mean 'cmu39_json'"):
        load_prompt("cmu39json")
    with pytest.raises(PedkitError, match=r"has the versions \[1\], but not 9"):
        load_prompt(version=9)
    with pytest.raises(PedkitError, match="unscripted, scripted, got 'read'"):
        load_prompt(mode="read")


@pytest.mark.parametrize("mode", ["unscripted", "scripted"])
def test_the_presets(mode):
    with initialize_config_dir(CONF, version_base="1.3"):
        settings = OmegaConf.to_container(compose(f"prompt/{mode}").prompt, resolve=True)
    assert build(settings, "prompt") == load_prompt(mode=mode)
