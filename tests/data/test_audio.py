import re
import subprocess
import sys

import numpy as np
import pytest
import soundfile

from pedkit.data.audio import audio_info, load_audio
from pedkit.data.utterance import Audio
from pedkit.errors import PedkitError
from tests.data.mini_timit import sphere

RAMP = np.arange(-8000, 8000, dtype=np.int16)  # one second at 16 kHz, every sample another


@pytest.fixture
def ramp(tmp_path):
    path = tmp_path / "ramp.flac"
    soundfile.write(path, RAMP, 16000, subtype="PCM_16")
    return str(path)


def test_samples_are_the_files_own(ramp):
    samples = load_audio(Audio(ramp))
    assert samples.dtype == np.float32
    np.testing.assert_array_equal(samples, RAMP.astype(np.float32) / 32768)


def test_a_part_is_read_from_its_first_to_its_last_sample(ramp):
    part = Audio(ramp, start=0.25, duration=0.5)
    np.testing.assert_array_equal(load_audio(part) * 32768, np.arange(-4000, 4000))
    info = audio_info(part)
    assert (info.start, info.frames, info.seconds, info.sample_rate, info.channels) == (4000, 8000, 0.5, 16000, 1)
    np.testing.assert_array_equal(load_audio(Audio(ramp, start=0.75)) * 32768, np.arange(4000, 8000))


def test_times_may_be_rounded_but_not_invented(ramp):
    assert audio_info(Audio(ramp, duration=1.004)).frames == 16000
    for audio in (Audio(ramp, duration=1.1), Audio(ramp, start=0.6, duration=0.5), Audio(ramp, start=1.0)):
        with pytest.raises(PedkitError, match=r"expected audio from .* s, but the file is 1 s long"):
            load_audio(audio)


def test_a_part_holds_samples(ramp):
    for audio in (Audio(ramp, start=0.99999), Audio(ramp, start=0.5, duration=1e-9)):
        with pytest.raises(PedkitError, match=r"but that is less than a sample"):
            load_audio(audio)
    with pytest.raises(PedkitError, match=r"from 1e\+308 to inf s, but the file is 1 s long"):
        load_audio(Audio(ramp, start=1e308, duration=1e308))


def test_what_is_no_file_is_no_such_audio_file(tmp_path):
    for path in (tmp_path, tmp_path / ("x" * 3000)):
        with pytest.raises(PedkitError, match="no such audio file"):
            load_audio(Audio(str(path)))


def test_channels_are_chosen_never_mixed(tmp_path):
    path = str(tmp_path / "two.wav")
    soundfile.write(path, np.stack([RAMP, -RAMP - 1], axis=1), 16000)
    with pytest.raises(PedkitError, match=r"expected one channel, but the file has 2 .*'channel'"):
        load_audio(Audio(path))
    np.testing.assert_array_equal(load_audio(Audio(path, channel=1)) * 32768, -RAMP.astype(np.float32) - 1)
    with pytest.raises(PedkitError, match=r"there is no channel 2: the file has 2"):
        load_audio(Audio(path, channel=2))


def test_other_rates_are_resampled_without_shift_or_gain(tmp_path):
    path = str(tmp_path / "tone.wav")
    soundfile.write(path, 0.5 * np.sin(2 * np.pi * 440 * np.arange(44100) / 44100), 44100, subtype="FLOAT")
    samples = load_audio(Audio(path))
    assert len(samples) == 16000
    inside = slice(800, -800)  # the filter's ends
    expected = 0.5 * np.sin(2 * np.pi * 440 * np.arange(16000) / 16000)
    np.testing.assert_allclose(samples[inside], expected[inside], atol=1e-3)
    assert load_audio(Audio(path), sample_rate=8000).shape == (8000,)


def test_a_suffix_does_not_matter(tmp_path):
    path = tmp_path / "a.wav"
    path.write_bytes(sphere(RAMP))
    np.testing.assert_array_equal(load_audio(Audio(str(path))) * 32768, RAMP)


def broken_files(folder):
    whole = folder / "whole.flac"
    soundfile.write(whole, np.random.default_rng(0).normal(0, 0.1, 48000), 16000)
    soundfile.write(folder / "whole.wav", RAMP, 16000)
    soundfile.write(folder / "nan.wav", np.array([0.0, np.nan]), 16000, subtype="FLOAT")
    soundfile.write(folder / "empty.wav", RAMP[:0], 16000)
    (folder / "cut.flac").write_bytes(whole.read_bytes()[:30000])
    (folder / "cut.wav").write_bytes((folder / "whole.wav").read_bytes()[: 44 + 2 * 1000])
    (folder / "cut.sph").write_bytes(sphere(RAMP[:1000], announced=16000))
    (folder / "text.wav").write_text("not found")
    (folder / "nothing.wav").write_bytes(b"")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("cut.flac", "the file breaks off or is damaged: flac decoder lost sync"),
        ("cut.wav", "the file breaks off: 16000 samples are announced, 1000 are there"),
        ("cut.sph", "the file breaks off: 16000 samples are announced, 1000 are there"),
        ("text.wav", "cannot be read as audio.*WAV, FLAC, NIST SPHERE"),
        ("nothing.wav", "cannot be read as audio"),
        ("missing.wav", "no such audio file"),
        ("nan.wav", "not finite"),
        ("empty.wav", "expected audio from 0 s, but the file is 0 s long"),
    ],
)
def test_a_file_that_cannot_be_used_is_named(tmp_path, name, message):
    broken_files(tmp_path)
    with pytest.raises(PedkitError, match=re.escape(f"{tmp_path / name}: ") + f".*{message}"):
        load_audio(Audio(str(tmp_path / name)))


def test_a_wav_written_to_a_pipe_is_read_although_its_length_is_false(tmp_path):
    soundfile.write(tmp_path / "a.wav", RAMP, 16000)
    data = bytearray((tmp_path / "a.wav").read_bytes())
    data[4:8] = data[40:44] = (0x7FFFF000).to_bytes(4, "little")
    (tmp_path / "a.wav").write_bytes(data)
    assert len(load_audio(Audio(str(tmp_path / "a.wav")))) == 16000


def test_loading_needs_no_torchaudio(ramp):
    """pytorch/audio issues 4123 and 4182: PCM that no longer loads after an upgrade."""
    code = (
        "import sys\nsys.modules['torchaudio'] = None\nsys.modules['torchcodec'] = None\n"
        "from pedkit.data.audio import load_audio\nfrom pedkit.data.utterance import Audio\n"
        f"print(len(load_audio(Audio({ramp!r}))), 'torch' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["16000", "False"]


def test_too_few_samples_to_be_any_at_the_wanted_rate(tmp_path):
    soundfile.write(tmp_path / "a.wav", [0.1], 44100)
    with pytest.raises(PedkitError, match=r"a\.wav: expected audio of at least a sample at 16000 Hz, but got 1"):
        load_audio(Audio(str(tmp_path / "a.wav")))
    assert load_audio(Audio(str(tmp_path / "a.wav")), 44100).shape == (1,)
