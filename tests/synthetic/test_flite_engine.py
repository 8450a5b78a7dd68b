import ctypes
import shutil
import subprocess

import numpy as np
import pytest
import soundfile
from engine_contexts import all_contexts, edited_words, passage, request
from installed_engines import installed

from pedkit.errors import PedkitError
from synthetic.engines import EngineNotInstalledError, flite_library
from synthetic.engines.diphones import missing_diphones
from synthetic.engines.flite import FliteEngine
from synthetic.engines.phone_map import symbols

EXACT = ("awb", "rms", "slt")


@pytest.fixture(scope="module")
def flite():
    return installed("flite")


def voice_of(engine, voice):
    if voice not in engine.voices():
        pytest.skip(f"flite's voice {voice} is not installed")
    return voice


@pytest.mark.parametrize("voice", ["kal16", *EXACT])
def test_each_phone_is_said_as_asked_in_context(flite, voice):
    """All 39 phones in initial, medial and final position; kal16 but for the diphones that it lacks."""
    asked = [request(phones, voice_of(flite, voice)) for phones in all_contexts()]
    promised = [flite.spoken(each) for each in asked]
    refused = {
        " ".join(each.phones) for each, phones in zip(asked, promised, strict=True) if phones != each.phones
    }
    assert len(refused) == (11 if voice == "kal16" else 0)
    every = 1 if voice == "kal16" else 4  # the statistical voices take their time
    assert [flite.say(each).phones for each in asked[::every]] == promised[::every]


@pytest.mark.parametrize("voice", ["kal16", *EXACT])
def test_the_library_says_what_the_program_says(flite, voice, tmp_path):
    """The program never seeds its noise, which is what the C library does with a seed of 1."""
    program = shutil.which("flite")
    if program is None:
        pytest.skip("the program flite is not installed")
    file = tmp_path / "speech.wav"
    phones = "pau b ax n ae n ax pau"
    subprocess.run([program, "-voice", voice_of(flite, voice), "-p", phones, "-o", file], check=True)
    expected, sample_rate = soundfile.read(file, dtype="float32")
    speech = flite.say(request("B AH0 N AE1 N AH0", voice, noise_seed=1))
    assert speech.sample_rate == sample_rate
    assert np.array_equal(speech.samples, expected)


def test_words_with_errors_are_said_as_asked(flite):
    words = [request(phones, voice_of(flite, "kal16")) for phones in edited_words()]
    said = [flite.say(word).phones for word in words]
    assert said == [flite.spoken(word) for word in words]
    assert sum(phones == word.phones for phones, word in zip(said, words, strict=True)) == 238


def test_the_table_of_missing_diphones_is_what_the_engine_complains_of(flite, capfd):
    voice = voice_of(flite, "kal16")
    names = sorted(set(symbols("flite").values()))
    for name in names:
        pairs = " ".join(f"{name} {other}" for other in names)
        for phones in (f"pau {pairs} pau", f"pau {name} pau"):
            flite._library.synthesize(phones, voice, slowness=1, pitch=1, seed=0)
    ctypes.CDLL(None).fflush(None)
    complaints = {line.split()[-1] for line in capfd.readouterr().err.splitlines() if "failed to find" in line}
    assert complaints == missing_diphones("flite", "kal16")


def test_passages_are_said_whole(flite):
    asked = request(passage(60), voice_of(flite, "kal16"))
    speech = flite.say(asked)
    assert speech.phones == asked.phones
    assert speech.samples.size / speech.sample_rate > 60 * 0.2


@pytest.mark.parametrize("voice", ["kal16", "slt"])
def test_a_word_depends_on_its_request_alone(flite, voice):
    word = request("B AH1 T ER0", voice_of(flite, voice), rate=90, noise_seed=2**31 - 1)
    alone = flite.say(word)
    flite.say(request("S T AA1 P", voice, rate=130, pitch=120, noise_seed=3))
    assert np.array_equal(flite.say(word).samples, alone.samples)
    assert (alone.sample_rate, alone.samples.dtype) == (16000, np.float32)
    assert 0.05 < np.abs(alone.samples).max() <= 1


def test_rate_is_percent_of_the_voice_s_own(flite):
    lengths = {
        rate: flite.say(request("B AH1 T ER0", voice_of(flite, "kal16"), rate=rate)).samples.size
        for rate in (None, 50, 100, 200)
    }
    assert lengths[None] == lengths[100]
    assert lengths[50] / lengths[100] == pytest.approx(2, abs=0.05)
    assert lengths[200] / lengths[100] == pytest.approx(0.5, abs=0.05)


def pitch_of(samples, sample_rate):
    """The strongest lag of the autocorrelation of the middle, 60 to 400 Hz."""
    middle = samples[samples.size // 2 - 1024 : samples.size // 2 + 1024]
    lags = np.correlate(middle, middle, "full")[middle.size - 1 :]
    low, high = sample_rate // 400, sample_rate // 60
    return sample_rate / (low + int(lags[low:high].argmax()))


def test_pitch_is_percent_of_the_voice_s_own(flite):
    own, higher = (
        pitch_of(flite.say(request("M AA1 M AA1", voice_of(flite, "kal16"), pitch=pitch)).samples, 16000)
        for pitch in (100, 150)
    )
    assert higher / own == pytest.approx(1.5, abs=0.1)


def test_a_voice_with_one_pitch_says_so(flite):
    word = request("K AE1 T", voice_of(flite, "rms"), pitch=120)
    with pytest.raises(PedkitError, match=r"this voice of flite .* has only its own pitch, but got 120"):
        flite.say(word)


def test_voices(flite):
    assert flite.voice_facts(voice_of(flite, "slt")) == {"gender": "female", "accent": "american"}
    assert flite.voice_licence("slt") == "MIT-Festival"
    with pytest.raises(PedkitError, match="flite has no voice 'stl' \\(did you mean 'slt'"):
        flite.spoken(request("K AE1 T", "stl"))


@pytest.mark.parametrize("changes", [{"rate": 10}, {"rate": 500}, {"pitch": 0}])
def test_rate_and_pitch_out_of_range(flite, changes):
    with pytest.raises(PedkitError, match=r"expected a (rate|pitch) from 25 to 400 percent for flite, but got"):
        flite.say(request("K AE1 T", flite.voices()[0], **changes))


def test_a_phone_that_cannot_be_said_is_named(flite):
    with pytest.raises(PedkitError, match="expected phones of CMU-39, but got 'DX', which flite cannot say"):
        flite.spoken(request("B AH1 DX ER0", flite.voices()[0]))


def test_without_the_library_the_package_is_named(monkeypatch):
    monkeypatch.setattr(flite_library, "_load", lambda _: None)
    with pytest.raises(EngineNotInstalledError) as caught:
        FliteEngine()
    assert str(caught.value) == "the speech engine flite is not installed (apt-get install flite)"
