import numpy as np
import pytest
import soundfile

from pedkit.data.signal import Band, Codec, Noise, Room
from pedkit.data.signal.codec import mu_law
from pedkit.data.signal.noise import pink
from pedkit.errors import PedkitError

RATE = 16000


@pytest.fixture
def rng():
    return np.random.default_rng(0)


@pytest.fixture
def speech(rng):
    """A second of noise between two silences of a tenth of a second."""
    return np.pad(0.1 * rng.standard_normal(RATE), RATE // 10).astype(np.float32)


ACTIVE = slice(RATE // 10, RATE // 10 + RATE)


def decibels(power):
    return 10 * np.log10(power)


@pytest.fixture
def recordings(tmp_path, rng):
    for name in "abc":
        soundfile.write(tmp_path / f"{name}.wav", 0.1 * rng.standard_normal(RATE // 2), RATE)
    (tmp_path / "notes.txt").write_text("not sound")
    return tmp_path


@pytest.mark.parametrize("snr", [-5.0, 0.0, 20.0])
@pytest.mark.parametrize(("kind", "voices"), [("white", 1), ("pink", 1), ("files", 1), ("files", 3)])
def test_the_signal_to_noise_ratio_is_the_one_asked_for(speech, recordings, kind, voices, snr):
    files = [str(recordings)] if kind == "files" else ()
    noise = Noise(snr=(snr, snr), kind=kind, files=files, voices=voices)
    noisy = noise(speech, ACTIVE, RATE, np.random.default_rng(1))
    noise = noisy.astype(np.float64) - speech
    measured = decibels(np.mean(speech[ACTIVE].astype(np.float64) ** 2) / np.mean(noise[ACTIVE] ** 2))
    assert measured == pytest.approx(snr, abs=0.1)
    assert np.any(noise[: RATE // 10])  # in the silences too


def test_the_ratio_is_drawn_from_its_range(speech):
    ratios = []
    for seed in range(200):
        noisy = Noise(snr=(5, 15))(speech, ACTIVE, RATE, np.random.default_rng(seed))
        noise = noisy.astype(np.float64) - speech
        ratios.append(decibels(np.mean(speech[ACTIVE].astype(np.float64) ** 2) / np.mean(noise[ACTIVE] ** 2)))
    assert 5 <= min(ratios) < 5.5
    assert 14.5 < max(ratios) <= 15
    assert np.mean(ratios) == pytest.approx(10, abs=0.8)  # 3 standard errors: 3 * 10 / sqrt(12 * 200) = 0.6


def test_white_noise_is_flat_and_pink_noise_falls_by_3_db_an_octave(rng):
    for sound, fall in ((rng.standard_normal(20 * RATE), 0.0), (pink(20 * RATE, RATE, rng), 10 * np.log10(2))):
        power = np.abs(np.fft.rfft(sound)) ** 2
        frequencies = np.fft.rfftfreq(sound.size, 1 / RATE)
        octaves = [
            decibels(power[(frequencies >= low) & (frequencies < 2 * low)].mean())
            for low in (125, 250, 500, 1000, 2000)
        ]
        assert -np.diff(octaves) == pytest.approx([fall] * 4, abs=0.3)
    assert np.abs(np.fft.rfft(pink(RATE, RATE, rng))[:20]).max() < 1e-9


def test_limits_keep_what_is_inside_and_take_what_is_outside(rng):
    sound = (rng.standard_normal(8 * RATE) * np.hanning(8 * RATE)).astype(np.float32)
    within = Band(300, 3400)(sound, RATE)
    assert within.size == sound.size
    before, after = (np.abs(np.fft.rfft(one.astype(np.float64))) ** 2 for one in (sound, within))
    frequencies = np.fft.rfftfreq(sound.size, 1 / RATE)
    outside = (frequencies < 300) | (frequencies > 3400)
    inside = (frequencies > 400) & (frequencies < 3300)
    assert decibels(after[outside].sum() / after.sum()) < -30
    assert decibels(after[outside].sum() / before[outside].sum()) < -55
    assert decibels(after[inside].sum() / before[inside].sum()) == pytest.approx(0, abs=0.05)


def test_the_band_delays_nothing():
    click = np.zeros(4000, dtype=np.float32)
    click[1500] = 1
    assert int(np.abs(Band(0, 4000)(click, RATE)).argmax()) == 1500
    assert np.array_equal(Band(0, 8000)(click, RATE), click)


def test_a_made_up_room_decays_as_fast_as_it_says_and_is_as_loud_as_it_says(rng):
    response = Room(rt60=(0.5, 0.5), direct_to_reverberant=(6, 6)).response(RATE, rng)
    assert response[0] == 1
    assert not response[1:40].any()  # 2.5 ms
    assert decibels(1 / np.sum(response[1:] ** 2)) == pytest.approx(6, abs=1e-9)
    # Schroeder's backward integration: the energy that is still to come falls by 60 dB in rt60 seconds.
    left = decibels(np.cumsum(response[:0:-1] ** 2)[::-1])
    start, end = (int(np.argmax(left < left[0] - fall)) for fall in (5, 35))
    assert (end - start) / RATE * 2 == pytest.approx(0.5, rel=0.05)


def test_the_direct_sound_stays_where_it_was(speech, rng):
    heard = Room(direct_to_reverberant=(60, 60))(speech, RATE, rng)
    assert np.abs(heard[: speech.size] - speech).max() < 0.01 * np.abs(speech).max()
    assert heard.dtype == np.float32


def test_a_measured_room_is_used_from_its_direct_sound_on(tmp_path, rng):
    response = np.zeros(900)
    response[[200, 500]] = [0.5, -0.25]
    soundfile.write(tmp_path / "hall.wav", response, RATE, subtype="FLOAT")
    click = np.zeros(1000, dtype=np.float32)
    click[100] = 0.4
    heard = Room(files=[str(tmp_path / "hall.wav")])(click, RATE, rng)
    assert np.flatnonzero(np.abs(heard) > 1e-6).tolist() == [100, 400]
    assert heard[[100, 400]] == pytest.approx([0.4, -0.2])


def test_mu_law_is_what_g711_says():
    """Expected by hand: F(x) = ln(1 + 255 |x|) / ln 256, rounded to a 127th, and back."""
    values = np.array([0.0, 1.0, -1.0, 0.5, -0.01])
    compressed = [0.0, 1.0, -1.0, np.log(128.5) / np.log(256), -np.log(3.55) / np.log(256)]
    rounded = np.array([0, 127, -127, round(compressed[3] * 127), round(compressed[4] * 127)]) / 127
    assert rounded[3:] * 127 == pytest.approx([111, -29])
    assert mu_law(values) == pytest.approx(np.sign(rounded) * (256 ** np.abs(rounded) - 1) / 255, abs=1e-7)
    assert np.unique(mu_law(np.linspace(-1, 1, 100_001))).size == 255


@pytest.mark.parametrize(
    ("codec", "loss"),
    [
        (Codec("mu_law"), -36),
        (Codec("mp3", compression=0.5), -18),
        (Codec("vorbis", compression=0.5), -18),
        (Codec("opus", compression=0.5), -18),
        (Codec("mu_law", sample_rate=8000), -20),
    ],
)
def test_a_codec_delays_nothing_and_loses_something(codec, loss):
    time = np.arange(7003) / RATE
    sound = (0.3 * np.sin(2 * np.pi * (300 + 600 * time) * time)).astype(np.float32)
    coded = codec(sound, RATE)
    assert coded.shape == sound.shape
    error = decibels(np.sum((coded - sound) ** 2) / np.sum(sound**2))
    assert -70 < error < loss


def test_what_is_louder_than_full_scale_is_not_clipped_by_a_codec():
    sound = (3 * np.sin(np.arange(4000) / 10)).astype(np.float32)
    assert np.abs(Codec("mu_law")(sound, RATE) - sound).max() < 0.1


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Noise(snr=(3, 1)), r"expected snr to be \[lowest, highest\] dB, but got \[3, 1\]"),
        (lambda: Noise(snr=(1, 3), kind="files"), "expected files with kind=files and only there"),
        (lambda: Noise(snr=(1, 3), voices=0), "expected one voice or more in the noise, but got 0"),
        (
            lambda: Noise(snr=(1, 3), kind="files", files=["/no/where"]),
            "/no/where: expected a sound file or a folder",
        ),
        (lambda: Room(rt60=(0, 1)), r"expected rt60 to be \[shortest, longest\] seconds"),
        (
            lambda: Room(direct_to_reverberant=(2, 1)),
            r"expected direct_to_reverberant to be \[lowest, highest\] dB",
        ),
        (lambda: Band(300, 400), "expected 0 <= low < high, at least 300 Hz apart, but got 300 and 400"),
        (lambda: Codec("mp3", compression=1), "expected compression from 0 to 0.99"),
        (lambda: Codec("mp3", sample_rate=15000), "mp3 knows the sample rates 8000, 11025, .* but got 15000"),
        (lambda: Codec("vorbis", sample_rate=400_000), "vorbis knows sample rates up to 200000, but got 400000"),
    ],
)
def test_settings_that_cannot_be_used(make, message):
    with pytest.raises(PedkitError, match=message):
        make()


def test_a_folder_without_sound_is_named(tmp_path):
    with pytest.raises(PedkitError, match=r"expected sound files \(.wav, .flac, .ogg, .mp3\), but found none in"):
        Room(files=[str(tmp_path)])


def test_a_silent_recording_is_no_noise(tmp_path, speech, rng):
    soundfile.write(tmp_path / "silent.wav", np.zeros(100), RATE)
    with pytest.raises(PedkitError, match=r"silent\.wav: expected a recording with sound in it"):
        Noise(snr=(1, 1), kind="files", files=[str(tmp_path / "silent.wav")])(speech, ACTIVE, RATE, rng)


def test_noise_comes_from_where_a_recording_has_sound(tmp_path, speech, rng):
    sound = np.zeros(20 * RATE)
    sound[5 * RATE : 5 * RATE + 400] = 0.1 * rng.standard_normal(400)
    soundfile.write(tmp_path / "mostly_silent.wav", sound, RATE)
    noise = Noise(snr=(5, 25), kind="files", files=[str(tmp_path)])
    for seed in range(10):
        noisy = noise(speech, ACTIVE, RATE, np.random.default_rng(seed))
        assert np.isfinite(noisy).all()
        assert not np.array_equal(noisy, speech)


def test_hidden_files_are_no_recordings(recordings, speech, rng):
    (recordings / "._a.wav").write_bytes(b"resource fork")
    (recordings / ".trash").mkdir()
    (recordings / ".trash" / "b.wav").write_bytes(b"no sound")
    for _ in range(20):
        Noise(snr=(5, 5), kind="files", files=[str(recordings)])(speech, ACTIVE, RATE, rng)


@pytest.mark.parametrize("make", [lambda files: Room(files=files), lambda files: Noise((5, 5), "files", files)])
def test_recordings_that_cannot_be_used_are_found_before_they_are_drawn(tmp_path, make):
    soundfile.write(tmp_path / "two.wav", np.full((10, 2), 0.1), RATE)
    with pytest.raises(PedkitError, match=r"two\.wav: expected a recording of one channel, but it has 2 \(make a"):
        make([str(tmp_path)])
    (tmp_path / "broken.wav").write_bytes(b"no sound")
    with pytest.raises(PedkitError, match=r"broken\.wav: cannot be read as audio"):
        make([str(tmp_path)])
