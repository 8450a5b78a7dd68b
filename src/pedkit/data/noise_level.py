"""An estimate of how noisy a recording is, from the distribution of its samples alone (WADA-SNR)."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from pedkit.data.audio import load_audio
from pedkit.data.utterance import Utterance
from pedkit.errors import PedkitError

SNR_KEY = "snr_db"
"""Key of ``extra``, and name of the covariate, that holds the estimate."""

LOWEST, HIGHEST = -10, 50
"""Range of the estimate in dB; whatever lies beyond gets the end of the range."""

_HALF_STEP = 2.0**-16
"""Half a step of 16-bit samples: a sample of 0 says no more than that it is below."""

_SHORTEST = 1600
"""Samples, 0.1 s at 16 kHz; fewer say nothing about a distribution."""

# ln E|x| - E ln|x| for -10, -9, ..., 50 dB where x is speech (gamma distribution of shape 0.4, either sign) plus
# Gaussian noise, by numerical integration; the test integrates anew.
_STATISTIC = (
    0.41215,
    0.41334,
    0.41497,
    0.41716,
    0.42007,
    0.42384,
    0.42865,
    0.43469,
    0.44213,
    0.45113,
    0.46184,
    0.47437,
    0.48880,
    0.50515,
    0.52342,
    0.54355,
    0.56543,
    0.58893,
    0.61388,
    0.64009,
    0.66735,
    0.69545,
    0.72419,
    0.75337,
    0.78278,
    0.81227,
    0.84167,
    0.87084,
    0.89965,
    0.92801,
    0.95582,
    0.98302,
    1.00954,
    1.03534,
    1.06039,
    1.08466,
    1.10814,
    1.13081,
    1.15269,
    1.17377,
    1.19406,
    1.21358,
    1.23234,
    1.25035,
    1.26763,
    1.28421,
    1.30010,
    1.31533,
    1.32992,
    1.34389,
    1.35727,
    1.37006,
    1.38231,
    1.39403,
    1.40523,
    1.41595,
    1.42619,
    1.43598,
    1.44534,
    1.45429,
    1.46284,
)


def estimated_snr(samples: npt.NDArray[np.floating]) -> float | None:
    """Estimate the ratio of speech to noise of a recording (Kim and Stern 2008, WADA-SNR, Interspeech).

    Speech is taken to follow a gamma distribution and noise a Gaussian one. The recording needs neither pauses nor
    a clean copy. White noise added to clean read speech is found within some 2 dB from 0 to 20 dB; above 30 dB the
    estimate says little more than "clean". Long pauses without sound count as clean.

    Args:
        samples: Mono, in [-1, 1], shape ``(samples,)``.

    Returns:
        Decibels in [-10, 50]; ``None`` for fewer than 1,600 samples or a recording without sound.
    """
    if len(samples) < _SHORTEST:
        return None
    size = np.abs(np.asarray(samples, dtype=np.float64) - float(np.mean(samples, dtype=np.float64)))
    if size.max() <= _HALF_STEP:
        return None
    size = np.maximum(size, _HALF_STEP)
    found = np.log(size.mean()) - np.log(size).mean()
    return float(np.interp(found, _STATISTIC, range(LOWEST, HIGHEST + 1)))


def utterance_snr(utterance: Utterance) -> float | None:
    """Return what the manifest states under ``extra.snr_db``, else the estimate from its audio at 16 kHz.

    Returns:
        Decibels; ``None`` where the utterance has no audio or the estimate none.

    Raises:
        PedkitError: The audio cannot be read, or the manifest's value is not a number.
    """
    stated = utterance.extra.get(SNR_KEY)
    if stated is not None:
        if isinstance(stated, bool) or not isinstance(stated, int | float):
            raise PedkitError(
                f"expected 'extra.{SNR_KEY}' to be a number, but got {stated!r}", utterance=utterance.id
            )
        return float(stated)
    if utterance.audio is None:
        return None
    try:
        return estimated_snr(load_audio(utterance.audio))
    except PedkitError as error:
        raise error.at(utterance=utterance.id) from None
