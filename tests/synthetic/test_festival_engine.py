import stat

import numpy as np
import pytest
from engine_contexts import all_contexts, edited_words, passage, request
from installed_engines import installed

from pedkit.errors import PedkitError
from synthetic.engines import EngineNotInstalledError
from synthetic.engines.festival import FestivalEngine

VOICES = ("kal_diphone", "ked_diphone", "cmu_us_slt_arctic_hts")
REFUSED_CONTEXTS = {"kal_diphone": 11, "ked_diphone": 17, "cmu_us_slt_arctic_hts": 0}


@pytest.fixture(scope="module")
def festival():
    return installed("festival")


def voice_of(engine, voice):
    if voice not in engine.voices():
        pytest.skip(f"festival's voice {voice} is not installed")
    return voice


@pytest.mark.parametrize("voice", VOICES)
def test_each_phone_is_said_as_asked_in_context(festival, voice):
    """All 39 phones in initial, medial and final position, but where the voice lacks a diphone, which is named."""
    asked = [request(phones, voice_of(festival, voice)) for phones in all_contexts()]
    said = [festival.spoken(each) for each in asked]
    refused = [phones for phones, each in zip(said, asked, strict=True) if phones != each.phones]
    assert len(refused) == REFUSED_CONTEXTS[voice]
    assert all(any("-" in phone for phone in phones) for phones in refused)


@pytest.mark.parametrize("voice", VOICES[:2])
def test_what_is_said_is_what_was_promised(festival, voice):
    words = [request(phones, voice_of(festival, voice)) for phones in [*edited_words()[::4], "AH1 HH", "NG AH1"]]
    said = [festival.say(word).phones for word in words]
    assert said == [festival.spoken(word) for word in words]
    assert said[-2:] == [("AH1", "HH", "<hh-pau>"), ("<pau-ng>", "NG", "AH1")]


def test_a_missing_diphone_is_seen_without_the_table(festival, monkeypatch):
    monkeypatch.setattr("synthetic.engines.diphones.missing_diphones", lambda *_: frozenset())
    word = request("S IH1 HH K", voice_of(festival, "kal_diphone"))
    assert festival.say(word).phones == ("S", "IH1", "HH", "K", "<hh-k>")


@pytest.mark.parametrize("voice", VOICES)
def test_an_unstressed_ih_stays_one(festival, voice):
    """Festival's PostLex rules would make it a schwa."""
    asked = request("W IH1 T IH0 D", voice_of(festival, voice))
    assert festival.say(asked).phones == asked.phones


@pytest.mark.parametrize("voice", VOICES[:2])
def test_the_end_of_the_last_pause_is_silent(festival, voice):
    """Festival leaves memory there that it never wrote: mostly a whisper, now and then as loud as can be."""
    for phones in edited_words()[:40:4]:
        speech = festival.say(request(phones, voice_of(festival, voice)))
        loud = np.flatnonzero(np.abs(speech.samples) > 0.05)
        assert np.all(speech.samples[-1600:] == 0)  # 0.1 s, the half of a pause
        assert loud[-1] > 0.4 * speech.samples.size


def test_passages_are_said_whole(festival):
    asked = request(passage(40), voice_of(festival, "kal_diphone"))
    speech = festival.say(asked)
    assert speech.phones == festival.spoken(asked) == asked.phones
    assert speech.samples.size / speech.sample_rate > 40 * 0.2


@pytest.mark.parametrize("voice", VOICES)
def test_a_word_depends_on_its_request_alone_and_one_process_says_all(festival, voice):
    word = request("B AH1 T ER0", voice_of(festival, voice), rate=90)
    alone = festival.say(word)
    process = festival._conversation._process.pid
    festival.say(request("S T AA1 P", voice, rate=130))
    for other in festival.voices():
        festival.say(request("S T AA1 P", other))
    assert np.array_equal(festival.say(word).samples, alone.samples)
    assert festival._conversation._process.pid == process
    assert alone.samples.dtype == np.float32
    assert alone.sample_rate == (32000 if "hts" in voice else 16000)


@pytest.mark.parametrize("voice", VOICES)
def test_rate_is_percent_of_the_voice_s_own(festival, voice):
    word = "B AH1 T ER0 B AH1 T ER0"
    sizes = {
        rate: festival.say(request(word, voice_of(festival, voice), rate=rate)).samples.size
        for rate in (None, 100, 200)
    }
    assert sizes[None] == sizes[100]
    assert sizes[200] / sizes[100] == pytest.approx(0.5, abs=0.06)


def test_pitch_changes_the_sound_and_the_hts_voice_has_one(festival):
    word = request("M AA1 M AA1", voice_of(festival, "kal_diphone"))
    own, higher = (festival.say(request("M AA1 M AA1", word.voice, pitch=pitch)).samples for pitch in (100, 130))
    assert np.array_equal(own, festival.say(word).samples)
    assert not np.array_equal(own[: higher.size], higher[: own.size])
    with pytest.raises(PedkitError, match=r"this voice of festival .* has only its own pitch, but got 130"):
        festival.say(request("K AE1 T", voice_of(festival, "cmu_us_slt_arctic_hts"), pitch=130))


def test_voices_and_phones_that_are_not_there(festival):
    voice = festival.voices()[0]
    assert festival.voice_facts(voice)["accent"] == "american"
    assert festival.voice_licence(voice).startswith("MIT-Festival")
    with pytest.raises(PedkitError, match="festival has no voice 'rab_diphone'"):
        festival.spoken(request("K AE1 T", "rab_diphone"))
    with pytest.raises(PedkitError, match="expected phones of CMU-39, but got 'DX', which festival cannot say"):
        festival.say(request("K DX", voice))


@pytest.fixture
def pretender(tmp_path, monkeypatch):
    """Return a function that puts a program called festival, and a voice for it, on this machine."""

    def install(script):
        program = tmp_path / "festival"
        program.write_text(f"#!/bin/sh\n{script}\n")
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
        monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
        (tmp_path / "english" / "kal_diphone").mkdir(parents=True)
        return FestivalEngine(voices_folder=str(tmp_path), time_limit=0.5)

    return install


def test_an_engine_that_hangs_is_ended_and_started_again(pretender):
    engine = pretender("sleep 60")
    for _ in range(2):
        with pytest.raises(PedkitError, match=r"did not answer within 0\.5 seconds"):
            engine.spoken(request("K AE1 T", "kal_diphone"))
    assert engine._conversation is None


def test_an_engine_that_crashes_says_what_it_said(pretender):
    engine = pretender("echo 'no memory' >&2; exit 4")
    with pytest.raises(PedkitError, match="ended with status 4: no memory"):
        engine.spoken(request("K AE1 T", "kal_diphone"))


def test_an_error_of_the_engine_is_told(pretender):
    engine = pretender(
        "while read line; do case $line in *fflush*) echo 'SIOD ERROR: x' >&2; echo pedkit-end;; esac; done"
    )
    with pytest.raises(PedkitError, match="festival failed: SIOD ERROR: x"):
        engine.spoken(request("K AE1 T", "kal_diphone"))


def test_the_version_is_the_program_s_own(festival, pretender):
    assert festival.version.startswith("festival 2.")
    assert (
        pretender("echo 'festival: Festival Speech Synthesis System: 2.4.1:release'").version == "festival 2.4.1"
    )


def test_without_the_program_the_packages_are_named(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(EngineNotInstalledError, match="apt-get install festival festvox-kallpc16k"):
        FestivalEngine()
