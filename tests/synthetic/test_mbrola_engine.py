import random
import re
import stat
import statistics
import subprocess

import numpy as np
import pytest
from engine_contexts import CMU39, all_contexts, edited_words, passage, request
from installed_engines import installed

from pedkit.errors import PedkitError
from synthetic.engines import EngineNotInstalledError
from synthetic.engines.diphones import missing_diphones
from synthetic.engines.mbrola import MbrolaEngine
from synthetic.engines.mbrola_prosody import durations, prosody
from synthetic.engines.phone_map import symbols

NOTATIONS = {"us1": "mbrola_us", "us2": "mbrola_us", "us3": "mbrola_us", "en1": "mbrola_en1"}


@pytest.fixture(scope="module")
def mbrola():
    return installed("mbrola")


def voice_of(engine, voice):
    if voice not in engine.voices():
        pytest.skip(f"mbrola-{voice} is not installed")
    return voice


@pytest.mark.parametrize("voice", NOTATIONS)
def test_each_phone_is_said_as_asked_in_context(mbrola, voice):
    """All 39 phones in initial, medial and final position; us3 but for five contexts."""
    asked = [request(phones, voice_of(mbrola, voice)) for phones in all_contexts()]
    refused = [mbrola.spoken(each) for each in asked if mbrola.spoken(each) != each.phones]
    assert len(refused) == (5 if voice == "us3" else 0)
    sayable = [each for each in asked if mbrola.spoken(each) == each.phones]
    for each in sayable[::3]:  # the program itself stops at a diphone that it does not have
        assert mbrola.say(each).phones == each.phones


@pytest.mark.parametrize("voice", NOTATIONS)
def test_the_table_of_missing_diphones_is_what_the_engine_complains_of(mbrola, voice):
    database = mbrola._databases[voice_of(mbrola, voice)]
    names = sorted(set(symbols(NOTATIONS[voice]).values()))
    names += ["p_h", "t_h", "k_h"] if voice in ("us1", "us2") else []
    rows = ["_ 50"]
    for name in names:
        rows += [f"{each} 40 50 120" for other in names for each in (name, other)] + ["_ 50", f"{name} 40", "_ 50"]
    done = subprocess.run(
        ["mbrola", "-e", database, "-", "-.raw"],
        input="\n".join(rows).encode() + b"\n",
        capture_output=True,
        check=True,
    )
    complaints = set(re.findall(r"Warning: (\S+) unknown", done.stderr.decode()))
    assert complaints == missing_diphones("mbrola", voice)


def test_a_missing_diphone_is_refused_and_named(mbrola):
    word = request("AE1 N NG IY0", voice_of(mbrola, "us3"))
    assert mbrola.spoken(word) == ("AE1", "N", "<n-N>", "NG", "IY0")
    with pytest.raises(PedkitError, match="the voice us3 of mbrola cannot join n to N"):
        mbrola.say(word)


def test_a_missing_diphone_is_refused_without_the_table(mbrola, monkeypatch):
    monkeypatch.setattr("synthetic.engines.diphones.missing_diphones", lambda *_: frozenset())
    with pytest.raises(PedkitError, match=r"mbrola failed with status .*: Fatal error: Unknown recovery for n-N"):
        mbrola.say(request("AE1 N NG IY0", voice_of(mbrola, "us3")))


def test_words_with_errors_and_passages_are_said_whole(mbrola):
    for phones in [*edited_words()[::6], passage(60)]:
        asked = request(phones, voice_of(mbrola, "us1"))
        speech = mbrola.say(asked)
        assert speech.phones == asked.phones
        assert speech.samples.size / speech.sample_rate > 0.04 * len(asked.phones)


def test_a_word_depends_on_its_request_alone(mbrola):
    word = request("B AH1 T ER0", mbrola.voices()[0], noise_seed=5)
    alone = mbrola.say(word)
    mbrola.say(request("S T AA1 P", word.voice))
    assert np.array_equal(mbrola.say(word).samples, alone.samples)
    assert (alone.sample_rate, alone.samples.dtype) == (16000, np.float32)
    other = mbrola.say(request("B AH1 T ER0", word.voice, noise_seed=6))
    assert not np.array_equal(other.samples[:8000], alone.samples[:8000])


def test_input_of_the_program(mbrola):
    """Plosives before a stressed vowel are aspirated, not after S; phrases have a pause between them."""
    lines = mbrola._pho(request("S P AA1 T|K AE1 T ER0", voice_of(mbrola, "us1"))).splitlines()
    assert [line.split()[0] for line in lines] == ["_", "s", "p", "A", "t", "k_h", "{", "t", "r=", "_"]
    assert [line.split()[0] for line in mbrola._pho(request("P AA1", "us1")).splitlines()] == [
        "_",
        "p_h",
        "A",
        "_",
    ]
    phrases = mbrola._pho(request("|".join(["AA1 T"] * 9), "us1", rate=50)).splitlines()
    assert [line for line in phrases if line.startswith("_")] == ["_ 120", "_ 500", "_ 120"]


def test_the_length_of_the_speech_is_the_sum_of_the_durations(mbrola):
    word = request("B AH1 T ER0", mbrola.voices()[0])
    milliseconds = sum(int(line.split()[1]) for line in mbrola._pho(word).splitlines())
    speech = mbrola.say(word)
    assert 1000 * speech.samples.size / speech.sample_rate == pytest.approx(milliseconds, abs=25)


def test_every_phone_has_a_duration():
    assert set(durations()) == set(CMU39.phones)
    assert all(50 <= milliseconds <= 200 for milliseconds in durations().values())


def test_prosody_by_hand():
    class Middle(random.Random):
        """Draws the middle of every range."""

        def uniform(self, low, high):
            return (low + high) / 2

        def lognormvariate(self, _mean, _sigma):
            return 1.0

    timed = prosody(["B", "AH1", "T", "ER0"], rate=1, f0=100, rng=Middle())
    # B 70; AH 95 x 1.15 (stressed); T 90; ER 130 x 0.75 (unstressed) x 1.35 (last)
    assert [each.duration for each in timed] == [70, 109, 90, 132]
    # From 1.125 down to 0.825 in three steps; the stressed vowel 1.06 times as high
    assert [each.f0 for each in timed] == [112, 109, 92, 82]
    closed = prosody(["K", "AE1", "T"], rate=2, f0=100, rng=Middle())
    assert [each.duration for each in closed] == [48, 86, 45]  # AE 130 x 1.15 x 1.15 (last vowel), all halved


def test_prosody_varies_around_its_means():
    drawn = [prosody(["S"], rate=1, f0=100, rng=random.Random(seed))[0].duration for seed in range(2000)]
    assert statistics.median(drawn) == pytest.approx(115, rel=0.02)
    assert statistics.stdev(drawn) / statistics.mean(drawn) == pytest.approx(0.12, abs=0.01)


@pytest.fixture
def pretender(tmp_path, monkeypatch):
    """Return a function that puts a program called mbrola, and a voice for it, on this machine."""

    def install(script):
        program = tmp_path / "mbrola"
        program.write_text(f"#!/bin/sh\n{script}\n")
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
        monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
        (tmp_path / "us1").mkdir()
        (tmp_path / "us1" / "us1").write_bytes(b"MBROLA")
        return MbrolaEngine(folder=str(tmp_path), time_limit=0.5)

    return install


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ("exec sleep 60", r"mbrola did not answer within 0\.5 seconds"),
        ("echo 'Fatal error: no' >&2; exit 193", "mbrola failed with status 193: Fatal error: no"),
        ("cat > /dev/null; echo 'Warning: h-j unknown' >&2; printf 1234", "mbrola failed .* Warning: h-j"),
        ("cat > /dev/null", "mbrola failed with status 0: no samples"),
        ("kill -9 $$", "mbrola failed with status -9"),
    ],
)  # fmt: skip
def test_an_engine_in_trouble(pretender, script, message):
    engine = pretender(script)
    with pytest.raises(PedkitError, match=message):
        engine.say(request("K AE1 T", "us1"))


def test_voices(pretender):
    engine = pretender("exit 0")
    assert engine.voices() == ["us1"]
    assert engine.voice_facts("us1") == {"gender": "female", "accent": "american"}
    assert engine.voice_licence("us1") == "LicenseRef-MBROLA-voice"
    with pytest.raises(PedkitError, match="mbrola has no voice 'us2'"):
        engine.say(request("K AE1 T", "us2"))
    with pytest.raises(PedkitError, match="expected phones of CMU-39, but got 'DX', which mbrola cannot say"):
        engine.spoken(request("K DX", "us1"))


def test_without_voices_the_packages_are_named(tmp_path):
    with pytest.raises(EngineNotInstalledError, match="apt-get install mbrola mbrola-us1"):
        MbrolaEngine(folder=str(tmp_path))
