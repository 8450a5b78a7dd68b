import random
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace

import numpy as np
import pytest
from engine_contexts import CMU39, all_contexts, contexts, edited_words, passage, request

from pedkit.errors import PedkitError
from synthetic.engines import EngineNotInstalledError, espeak_library, espeak_spelling
from synthetic.engines.espeak_accents import ACCENTS, REFUSED
from synthetic.engines.espeak_spelling import spell


@pytest.mark.espeak
@pytest.mark.parametrize("phone", CMU39.phones)
def test_each_phone_is_said_as_asked_in_context(espeak, phone):
    for phones in contexts(phone):
        assert " ".join(espeak.spoken(request(phones, "en-us"))) == phones


@pytest.mark.espeak
@pytest.mark.parametrize("accent", ACCENTS)
def test_every_accent_says_each_phone_as_asked_in_context(espeak, accent):
    said = [" ".join(espeak.spoken(request(phones, accent))) for phones in all_contexts()]
    assert said == all_contexts()


def loaded(espeak, name):
    return espeak_library.EspeakLibrary(espeak._files.library(name), espeak._files.data)


def sounds(espeak, accent):
    """Return the IPA that the library's phone table has for each phone, vowels with and without stress."""
    with closing(loaded(espeak, "sounds")) as library:
        library.set_voice(accent)
        library.speak("[[a]]", rate=175, pitch=50, seed=0)
        library._call["espeak_SetPhonemeTrace"](0x2 | ord(" ") << 8, None)  # IPA instead of mnemonics
        words = {phone: ["AE1", phone, "AH1"] for phone in CMU39.phones if phone not in CMU39.vowels}
        words |= {vowel + stress: ["T", vowel + stress, "T"] for vowel in CMU39.vowels for stress in "01"}
        return {
            phone: library.speak(spell([word], accent), rate=175, pitch=50, seed=0)[1].split()[1].lstrip("ˈ")
            for phone, word in words.items()
        }


@pytest.mark.espeak
@pytest.mark.parametrize("accent", ACCENTS)
def test_every_accent_has_another_sound_for_each_phone(espeak, accent):
    phones_of = {}
    for phone, sound in sounds(espeak, accent).items():
        phones_of.setdefault(sound, set()).add(phone.rstrip("01"))
    assert [phones for phones in phones_of.values() if len(phones) > 1] == []


@pytest.mark.espeak
@pytest.mark.parametrize("accent", REFUSED)
def test_accents_that_would_change_phones_are_refused_with_the_reason(espeak, accent):
    with pytest.raises(PedkitError) as caught:
        espeak.spoken(request("K AE1 T", f"{accent}+f3"))
    assert REFUSED[accent] in str(caught.value)
    assert not any(voice.startswith(accent) for voice in espeak.voices())


@pytest.mark.espeak
@pytest.mark.parametrize("accent", ACCENTS)
@pytest.mark.parametrize("words", [8, 30, 300])
def test_sentences_and_passages_are_said_whole(espeak, accent, words):
    asked = request(passage(words), accent)
    speech = espeak.say(asked)
    assert speech.phones == espeak.spoken(asked) == asked.phones
    seconds = speech.samples.size / speech.sample_rate
    one = espeak.say(request(passage(8), accent))
    assert seconds > 0.9 * words / 8 * one.samples.size / one.sample_rate


@pytest.mark.espeak
def test_what_stands_at_the_border_of_two_words_is_kept_apart(espeak):
    for phones in (
        "HH ER1|R EH1 D",
        "HH ER1|EH1 D",
        "DH AH0|R EH1 D",
        "DH AH0|EH1 D",
        "S IH1 N|K AE1 T",
        "T AE1 T|T AE1 T",
    ):
        asked = request(phones, "en-us")
        assert espeak.say(asked).phones == espeak.spoken(asked) == asked.phones
    red, ed = (espeak.say(request(phones, "en-us")).samples for phones in ("HH ER1|R EH1 D", "HH ER1|EH1 D"))
    assert red.size != ed.size


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
    assert espeak.spoken(request("P ER1 R IH0 T", "en-us")) == ("P", "ER1", "IH0", "T")


@pytest.mark.espeak
def test_a_wrong_spelling_is_seen(espeak, monkeypatch):
    right = espeak_spelling._mnemonic

    def planted(symbol, *context):
        return "d" if symbol == "T" else right(symbol, *context)

    monkeypatch.setattr(espeak_spelling, "_mnemonic", planted)
    assert espeak.spoken(request("K AE1 T", "en-us")) == ("K", "AE1", "D")
    assert espeak.say(request("K AE1 T", "en-us")).phones == ("K", "AE1", "D")


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
def test_a_library_that_forgets_is_as_a_library_that_is_loaded_anew(espeak):
    voices = espeak.voices()
    texts = [spell([phones.split()], "en-us") for phones in ("B AH1 T ER0", "S T AA1 P")]

    def said(library, seed):
        library.forget()
        library.set_voice(voices[seed % len(voices)])
        return library.speak(texts[seed % 2], rate=80 + seed % 371, pitch=seed % 100, seed=seed)

    with closing(loaded(espeak, "forgets")) as forgets, closing(loaded(espeak, "anew")) as anew:
        assert (forgets._as_loaded is not None) == (sys.platform == "linux")
        for seed in random.Random(0).sample(range(10_000), 100):
            anew._as_loaded = None
            samples, trace = said(forgets, seed)
            same, same_trace = said(anew, seed)
            assert np.array_equal(samples, same), voices[seed % len(voices)]
            assert trace == same_trace


@pytest.mark.espeak
def test_no_voice_draws_its_noise_from_elsewhere_than_the_seed(espeak):
    """Klatt voices with breath take theirs from the C library's generator, which others use too."""
    word = request("S T R AY1 P S", "en-us+caleb")
    said = espeak.say(word).samples
    assert np.array_equal(espeak.say(word).samples, said)
    assert not np.array_equal(espeak.say(replace(word, noise_seed=2)).samples, said)


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
    assert espeak.voice_facts("en-us+f3") == {"accent": "american", "gender": "female"}
    assert espeak.voice_facts("en-gb+m8") == {"accent": "british", "gender": "male"}
    assert espeak.voice_facts("en-us+Lee")["gender"] == "male"  # its file says 'Male'
    assert espeak.voice_facts("en-us+zac") == {"accent": "american"}  # its file says nothing of a gender
    assert espeak.voice_facts("en-029") == {"accent": "caribbean"}
    assert espeak.voice_licence("en-us+f3") == "GPL-3.0-or-later"
    voices = espeak.voices()
    assert {"en-us", "en-gb+f3", "en-029+Hugo"} <= set(voices)
    assert len(voices) == len(set(voices)) == 4 * 105


@pytest.mark.espeak
@pytest.mark.parametrize("voice", ["de+f3", "f3", "", "+f3", "en-us-nyc2"])
def test_another_language_is_no_voice(espeak, voice):
    with pytest.raises(PedkitError, match=r"expected a voice 'ACCENT' or 'ACCENT\+VARIANT' of espeak-ng, but got"):
        espeak.say(request("K AE1 T", voice))


@pytest.mark.espeak
@pytest.mark.parametrize("voice", ["en-us+f33", "en-us+", "en-gb+nobody"])
def test_an_unknown_variant_is_named_with_close_ones(espeak, voice):
    with pytest.raises(PedkitError, match=r"espeak-ng has no voice .* \(variants: "):
        espeak.spoken(request("K AE1 T", voice))


@pytest.mark.espeak
@pytest.mark.parametrize("changes", [{"rate": 79}, {"rate": 451}, {"pitch": -1}, {"pitch": 100}])
def test_rate_and_pitch_out_of_range(espeak, changes):
    with pytest.raises(
        PedkitError, match=r"expected a (rate from 80 to 450|pitch from 0 to 99) for espeak-ng, but got"
    ):
        espeak.say(request("K AE1 T", "en-us", **changes))


@pytest.mark.espeak
def test_no_rate_and_no_pitch_are_the_voice_s_own(espeak):
    own, same = request("K AE1 T", "en-us+f3"), request("K AE1 T", "en-us+f3", rate=175, pitch=50)
    assert np.array_equal(espeak.say(own).samples, espeak.say(same).samples)


@pytest.mark.espeak
def test_the_record_of_the_engine(espeak):
    assert espeak.version.startswith("espeak-ng 1.")
    assert espeak.licence == "GPL-3.0-or-later"


def test_without_the_wheel_the_extra_is_named(monkeypatch):
    from synthetic.engines.espeak import EspeakEngine

    monkeypatch.setitem(sys.modules, "espeakng_loader", None)
    with pytest.raises(EngineNotInstalledError) as caught:
        EspeakEngine()
    assert str(caught.value) == "the speech engine espeak-ng is not installed (pip install pedkit[tts] brings it)"
