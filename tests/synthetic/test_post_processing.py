from dataclasses import replace

import numpy as np
import pytest
import soxr

from pedkit.errors import PedkitError
from synthetic.post_processing import Band, Codec, Noise, PostProcessing, Room


def tone(seconds, rate=22050, hertz=440.0):
    return np.sin(2 * np.pi * hertz * np.arange(round(seconds * rate)) / rate).astype(np.float32)


def silence(seconds, rate=22050):
    return np.zeros(round(seconds * rate), dtype=np.float32)


def test_silence_is_cut_to_80_ms_and_the_peak_set():
    samples = np.concatenate([silence(0.5), 0.2 * tone(0.3), silence(0.7)])
    out = PostProcessing()(samples, 22050)
    assert out.dtype == np.float32
    assert out.size / 16000 == pytest.approx(0.08 + 0.3 + 0.08, abs=0.003)  # the filter rings for a millisecond
    assert np.abs(out).max() == pytest.approx(0.7, abs=1e-6)
    assert np.abs(out[: int(0.078 * 16000)]).max() < 0.01 * 0.7
    assert np.abs(out[-int(0.078 * 16000) :]).max() < 0.01 * 0.7


def test_resampling_keeps_the_pitch():
    out = PostProcessing(silence=0)(tone(1.0), 22050)
    spectrum = np.abs(np.fft.rfft(out, n=16000))
    assert int(spectrum.argmax()) == 440


def test_missing_silence_is_filled_up():
    out = PostProcessing(silence=0.1)(tone(0.2, rate=16000), 16000)
    assert out.size == pytest.approx(1600 + 3200 + 1600, abs=2)
    assert not out[:1599].any()
    assert not out[-1599:].any()


def test_a_quiet_ending_within_40_db_is_kept():
    samples = np.concatenate([tone(0.2, 16000), 0.02 * tone(0.2, 16000), 0.005 * tone(0.2, 16000)])
    out = PostProcessing(silence=0)(samples, 16000)
    assert out.size / 16000 == pytest.approx(0.4, abs=0.001)


@pytest.mark.parametrize("samples", [silence(0.5), silence(0)])
def test_no_sound_is_an_error(samples):
    with pytest.raises(PedkitError, match="the engine made no sound"):
        PostProcessing()(samples, 22050)


def test_the_level_may_be_that_of_the_whole_word():
    samples = np.concatenate([0.1 * tone(0.3, 16000), 0.02 * tone(0.3, 16000)])
    out = PostProcessing(silence=0.05, rms=-26.0)(samples, 16000)
    active = out[800:-800].astype(np.float64)
    assert 20 * np.log10(np.sqrt(np.mean(active**2))) == pytest.approx(-26, abs=1e-4)


def test_a_level_that_would_pass_the_peak_is_softer_and_nothing_is_clipped():
    samples = np.zeros(16000, dtype=np.float32)
    samples[4000:12000:800] = 1  # clicks: their peak is 29 dB above their mean power
    out = PostProcessing(rms=-10.0, peak=0.9)(samples, 16000)
    assert np.abs(out).max() == pytest.approx(0.9, abs=1e-6)
    assert np.count_nonzero(np.abs(out) > 0.89) == 10


def test_all_options_off_leave_the_samples_as_they_were():
    """What soxr, a cut and one factor make of it, to the bit: older sets stay the same."""
    rng = np.random.default_rng(0)
    samples = (0.3 * rng.standard_normal(22050) * np.hanning(22050)).astype(np.float32)
    resampled = soxr.resample(samples, 22050, 16000)
    loudness = np.abs(resampled)
    active = np.flatnonzero(loudness > 0.01 * loudness.max())
    padded = np.pad(resampled, 1280)[active[0] : active[-1] + 1 + 2560]
    expected = (padded * (0.7 / loudness.max())).astype(np.float32)
    assert np.array_equal(PostProcessing()(samples, 22050, "any"), expected)
    assert np.array_equal(PostProcessing(seed=9)(samples, 22050, "other"), expected)


EVERYTHING = PostProcessing(
    rms=-20.0, room=Room(), noise=Noise(snr=(5, 15)), band=Band(300, 3400), codec=Codec("mu_law"), seed=4
)


def test_what_is_drawn_depends_on_seed_and_item_alone():
    word, other = tone(0.3), tone(0.2, hertz=300.0)
    first = EVERYTHING(word, 22050, "a")
    EVERYTHING(other, 22050, "b")
    assert np.array_equal(EVERYTHING(word, 22050, "a"), first)
    assert not np.array_equal(EVERYTHING(word, 22050, "b")[:5000], first[:5000])
    assert not np.array_equal(replace(EVERYTHING, seed=5)(word, 22050, "a")[:5000], first[:5000])
    assert np.abs(first).max() <= 0.7


def test_a_step_draws_the_same_whether_another_draws_or_not():
    word = tone(0.3)
    bare = PostProcessing(noise=Noise(snr=(0, 30)), silence=0, seed=3)
    noisy = bare(word, 22050, "a").astype(np.float64)
    limited = replace(bare, band=Band(0, 8000))(word, 22050, "a")
    assert np.array_equal(noisy.astype(np.float32), limited)


def test_a_codec_hears_the_sound_at_its_final_level():
    chain = PostProcessing(codec=Codec("mu_law"))
    loud, soft = (chain(factor * tone(0.2), 22050) for factor in (1.0, 1e-5))
    assert np.abs(loud - soft).max() < 0.01


@pytest.mark.parametrize("setting", [{"sample_rate": 0}, {"silence": -0.1}, {"peak": 0}, {"peak": 1.1}])
def test_settings_that_cannot_be_used(setting):
    with pytest.raises(PedkitError, match="expected sample_rate > 0, silence >= 0 and 0 < peak <= 1"):
        PostProcessing(**setting)


def test_a_level_and_a_band_that_cannot_be():
    with pytest.raises(PedkitError, match="expected rms to be from -90 to 0 dB, but got 3"):
        PostProcessing(rms=3)
    with pytest.raises(PedkitError, match="a band up to half the sample rate of 8000 Hz, but got 5000"):
        PostProcessing(sample_rate=8000, band=Band(0, 5000))


def test_a_codec_that_does_not_know_the_rate_is_refused_before_anything_is_said():
    with pytest.raises(PedkitError, match="opus knows the sample rates 8000, 12000, 16000, 24000, 48000, but got"):
        PostProcessing(sample_rate=22050, codec=Codec("opus"))
