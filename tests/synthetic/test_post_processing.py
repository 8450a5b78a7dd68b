import numpy as np
import pytest

from pedkit.errors import PedkitError
from synthetic.post_processing import PostProcessing


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


@pytest.mark.parametrize("setting", [{"sample_rate": 0}, {"silence": -0.1}, {"peak": 0}, {"peak": 1.1}])
def test_settings_that_cannot_be_used(setting):
    with pytest.raises(PedkitError, match="expected sample_rate > 0, silence >= 0 and 0 < peak <= 1"):
        PostProcessing(**setting)
