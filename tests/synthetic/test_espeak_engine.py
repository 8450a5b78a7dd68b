import csv
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from pedkit.errors import PedkitError
from pedkit.phones import get_inventory
from synthetic.design import UniformSource, draw_design
from synthetic.engines import SpeechRequest, espeak_library, espeak_spelling

CMU39 = get_inventory("cmu39")


def request(phones, voice="en-us", **changes):
    return SpeechRequest(phones=tuple(phones.split()), voice=voice, **changes)


def edited_words():
    lines = (Path(__file__).parent / "data" / "edited_words.tsv").read_text(encoding="utf-8").splitlines()
    return [row[key] for row in csv.DictReader(lines, delimiter="\t") for key in ("canonical", "realized")]


def contexts(phone):
    """A phone at both ends of a word, between vowels, and beside the consonants that change their neighbours."""
    if phone in CMU39.vowels:
        around = ["{}1 T", "T {}1", "T {}1 N", "R {}1 L AH0", "S AH1 T {}0 T", "S AH1 T {}0", "N {}2 N AH1 K"]
    else:
        around = ["{} AH1 T", "AH1 {}", "AH1 {} AH0", "S IH1 {} K", "S IH1 {} G", "AH0 {} AA1 P", "AE1 N {} IY0"]
    return [context.format(phone) for context in around]


@pytest.mark.espeak
@pytest.mark.parametrize("phone", CMU39.phones)
def test_each_phone_is_said_as_asked_in_context(espeak, phone):
    for phones in contexts(phone):
        assert " ".join(espeak.spoken(request(phones))) == phones


@pytest.mark.espeak
def test_words_with_errors_are_said_as_asked(espeak):
    words = edited_words()
    assert len(words) == 240
    for voice in ("en-us", "en-us+f3", "en-us+m8"):
        assert [" ".join(espeak.spoken(request(word, voice))) for word in words] == words


@pytest.mark.espeak
@pytest.mark.parametrize(
    ("plain", "phone"),
    [
        ("[[b|'V|t|3]]", "<t#>"),  # t between vowels: a flap
        ("[[s|'I|n|k]]", "NG"),  # n before k
        ("[[t2|'a|k|s|I]]", "IY0"),  # final I
        ("[[@|r|'aI|v]]", "ER0"),  # schwa before r
    ],
)
def test_plain_spellings_would_be_changed_and_the_trace_shows_it(espeak, plain, phone):
    """Each spelling rule is needed: the engine turns the plain spelling into another phone."""
    assert phone in espeak_spelling.read_trace(espeak._checking.phonemes(plain))


@pytest.mark.espeak
def test_what_cannot_be_said_is_seen(espeak):
    """Between ER and a vowel the engine links with an r whether asked or not, so R makes no difference there."""
    assert espeak.spoken(request("P ER1 R IH0 T")) == ("P", "ER1", "IH0", "T")


@pytest.mark.espeak
def test_a_wrong_spelling_is_refused(espeak, monkeypatch, design_settings, cmudict):
    right = espeak_spelling._mnemonic

    def planted(symbol, stress, following):
        return "d" if symbol == "T" else right(symbol, stress, following)

    monkeypatch.setattr(espeak_spelling, "_mnemonic", planted)
    assert espeak.spoken(request("K AE1 T")) == ("K", "AE1", "D")
    assert espeak.say(request("K AE1 T")).phones == ("K", "AE1", "D")

    voices = {"seen_voices": ["en-us"], "unseen_voices": ["en-us+f3"]}
    design = draw_design(design_settings(**voices), cmudict, UniformSource(), espeak.spoken)
    assert not any("T" in item.realized for item in design.items)
    assert any("T" in refusal.requested for refusal in design.refused)


@pytest.mark.espeak
def test_speech_is_what_the_protocol_promises(espeak):
    speech = espeak.say(request("B AH1 T ER0", "en-us+f3"))
    assert (speech.phones, speech.sample_rate) == (("B", "AH1", "T", "ER0"), 22050)
    assert speech.samples.dtype == np.float32
    assert 0.1 < np.abs(speech.samples).max() <= 1
    assert 0.2 < speech.samples.size / speech.sample_rate < 0.8


@pytest.mark.espeak
def test_a_word_does_not_depend_on_the_words_before_it_or_beside_it(espeak):
    word, other = request("B AH1 T ER0", "en-us+m2", rate=150), request("S T AA1 P", "en-us+whisper")
    alone = espeak.say(word).samples
    espeak.say(other)
    assert np.array_equal(espeak.say(word).samples, alone)
    with ThreadPoolExecutor(3) as pool:
        said = list(pool.map(espeak.say, [word, other] * 6))
    assert all(np.array_equal(speech.samples, alone) for speech in said[::2])


@pytest.mark.espeak
def test_voice_rate_pitch_and_noise_are_heard(espeak):
    word = request("S T AA1 P", "en-us+whisper")
    plain = espeak.say(word).samples
    for changed in ({"voice": "en-us+f3"}, {"rate": 120}, {"pitch": 70}, {"noise_seed": 1}):
        assert not np.array_equal(espeak.say(replace(word, **changed)).samples, plain), changed
    assert espeak.say(replace(word, rate=100)).samples.size > 1.3 * plain.size


@pytest.mark.espeak
def test_the_end_of_a_word_is_not_lost_with_the_last_buffer(espeak, monkeypatch):
    """Without a pause after it, the engine drops what does not fill its buffer."""
    word = request("S T R EH1 N TH AH0 N IH0 NG", "en-us+f3")
    whole = espeak.say(word).samples
    monkeypatch.setattr(espeak_library, "_BUFFER_MS", 50)
    assert np.array_equal(espeak.say(word).samples, whole)
    monkeypatch.setattr(espeak_library, "_END_PAUSE", 0)
    assert espeak.say(word).samples.size < whole.size


@pytest.mark.espeak
def test_voices(espeak):
    assert espeak.voice_facts("en-us+f3") == {"gender": "female"}
    assert espeak.voice_facts("en-us+m8") == {"gender": "male"}
    assert espeak.voice_facts("en-us+Lee") == {"gender": "male"}  # its file says 'Male'
    assert espeak.voice_facts("en-us+zac") == {}  # its file says nothing
    assert espeak.voice_facts("en-us") == {}
    for unknown in ("en-us+f33", "en-gb+f3", "f3"):
        with pytest.raises(
            PedkitError, match="expected a voice 'en-us' or 'en-us\\+VARIANT' of espeak-ng, but got"
        ):
            espeak.say(request("K AE1 T", unknown))


@pytest.mark.espeak
def test_the_record_of_the_engine(espeak):
    assert espeak.version.startswith("espeak-ng 1.")
    assert espeak.licence == "GPL-3.0-or-later"


def test_without_the_wheel_the_extra_is_named(monkeypatch):
    from synthetic.engines.espeak import EspeakEngine

    monkeypatch.setitem(sys.modules, "espeakng_loader", None)
    with pytest.raises(PedkitError) as caught:
        EspeakEngine()
    assert str(caught.value) == "the speech engine espeak-ng is not installed (pip install pedkit[tts] brings it)"
