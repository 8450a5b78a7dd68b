import numpy as np
import pytest
import soundfile
from scipy.special import digamma, erf, gamma, gammaln

from pedkit.data.noise_level import _STATISTIC, estimated_snr, utterance_snr
from pedkit.data.utterance import Audio, Utterance
from pedkit.errors import PedkitError

SHAPE = 0.4


def log_size(shift):
    """E ln|z + shift| of a standard normal z: half the mean log of a noncentral chi-squared."""
    half, k = np.minimum(shift**2 / 2, 201), np.arange(400.0)[:, None]
    weights = np.exp(k * np.log(half) - half - gammaln(k + 1))
    far = np.log(shift) - 1 / (2 * shift**2) - 3 / (4 * shift**4)
    return np.where(half > 200, far, (weights * (digamma(k + 0.5) + np.log(2))).sum(axis=0) / 2)


def statistic(decibels):
    """ln E|x| - E ln|x| of gamma speech plus Gaussian noise, integrated over the logarithm of the speech."""
    u = np.arange(-45, 5, 0.02)
    speech = np.exp(u)
    weights = np.exp(SHAPE * u - speech) / gamma(SHAPE) * 0.02
    noise = np.sqrt(SHAPE * (SHAPE + 1) / 10 ** (decibels / 10))
    shift = np.maximum(speech / noise, 1e-12)
    mean = weights @ (noise * np.sqrt(2 / np.pi) * np.exp(-(shift**2) / 2) + speech * erf(shift / np.sqrt(2)))
    return np.log(mean) - weights @ (np.log(noise) + log_size(shift))


@pytest.mark.parametrize("decibels", [-10, 0, 7, 20, 35, 50])
def test_the_table_is_the_integral(decibels):
    assert _STATISTIC[decibels + 10] == pytest.approx(statistic(decibels), abs=2e-5)


def test_the_table_rises_in_61_steps():
    assert len(_STATISTIC) == 61
    assert (np.diff(_STATISTIC) > 0).all()


def made_up(decibels, samples=200_000):
    draw = np.random.default_rng(int(decibels) + 100)
    speech = draw.gamma(SHAPE, 1.0, samples) * draw.choice([-1, 1], samples)
    noise = draw.normal(0, np.sqrt(SHAPE * (SHAPE + 1) / 10 ** (decibels / 10)), samples)
    mixed = speech + noise
    return (mixed / np.abs(mixed).max()).astype(np.float32)


@pytest.mark.parametrize("decibels", [0, 10, 20, 30])
def test_it_finds_the_noise_of_made_up_speech(decibels):
    samples = made_up(decibels)
    assert estimated_snr(samples) == pytest.approx(decibels, abs=0.6)
    half = estimated_snr(samples * 0.5)
    assert half == pytest.approx(estimated_snr(samples), abs=0.2)  # loudness is no noise
    assert estimated_snr(samples * 0.5 + 0.2) == pytest.approx(half, abs=0.01)  # nor is an offset


def test_what_has_no_estimate():
    assert estimated_snr(np.zeros(16000, np.float32)) is None
    assert estimated_snr(np.full(16000, 0.3, np.float32)) is None
    assert estimated_snr(made_up(10)[:1599]) is None


def test_noise_alone_and_no_noise_get_the_ends_of_the_range():
    draw = np.random.default_rng(0)
    assert estimated_snr(draw.normal(0, 0.1, 400_000)) < 0
    assert estimated_snr(made_up(90)) > 45


def test_a_stated_value_goes_before_the_estimate(tmp_path):
    soundfile.write(tmp_path / "a.wav", made_up(15), 16000, subtype="PCM_16")
    audio = Audio(path=str(tmp_path / "a.wav"))
    assert utterance_snr(Utterance(id="a", audio=audio)) == pytest.approx(15, abs=0.6)
    assert utterance_snr(Utterance(id="b", audio=audio, extra={"snr_db": 7})) == 7.0
    assert utterance_snr(Utterance(id="c")) is None


def test_a_value_that_is_no_number_and_audio_that_is_missing_are_named():
    with pytest.raises(
        PedkitError, match=r"utterance 'a': expected 'extra.snr_db' to be a number, but got 'high'"
    ):
        utterance_snr(Utterance(id="a", extra={"snr_db": "high"}))
    with pytest.raises(PedkitError, match="utterance 'b'"):
        utterance_snr(Utterance(id="b", audio=Audio(path="nowhere.wav")))
