"""From what an engine puts out to what models read: one rate, one level, the same silence at both ends."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pedkit.errors import PedkitError

_ACTIVE = 0.01  # 40 dB below the peak: under every speech sound, over the noise floor of 16-bit engines


@dataclass(frozen=True, slots=True)
class PostProcessing:
    """Resample, trim, level; in that order.

    Attributes:
        sample_rate: Of the result, in Hz.
        silence: Seconds before the first and after the last sample within 40 dB of the peak.
        peak: Largest absolute value of the result, over 0 and at most 1.
    """

    sample_rate: int = 16000
    silence: float = 0.08
    peak: float = 0.7

    def __post_init__(self) -> None:
        if self.sample_rate <= 0 or self.silence < 0 or not 0 < self.peak <= 1:
            raise PedkitError(f"expected sample_rate > 0, silence >= 0 and 0 < peak <= 1, but got {self}")

    def __call__(self, samples: NDArray[np.float32], sample_rate: int) -> NDArray[np.float32]:
        """Return the processed samples, float32, shape (samples,).

        Raises:
            PedkitError: There is no sound.
        """
        import soxr

        if not np.any(samples):
            raise PedkitError("the engine made no sound")
        resampled = soxr.resample(samples, sample_rate, self.sample_rate)
        loudness = np.abs(resampled)
        active = np.flatnonzero(loudness > _ACTIVE * loudness.max())
        margin = round(self.silence * self.sample_rate)
        # Some engines start at once: what is missing of the silence is filled up.
        padded = np.zeros(resampled.size + 2 * margin, dtype=np.float32)
        padded[margin : margin + resampled.size] = resampled
        kept = padded[active[0] : active[-1] + 1 + 2 * margin]
        levelled: NDArray[np.float32] = (kept * (self.peak / loudness.max())).astype(np.float32)
        return levelled
