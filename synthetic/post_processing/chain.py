"""`PostProcessing`: the steps in their order. With all options off it resamples, trims and levels, no more."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pedkit.data.signal import Band, Codec, Noise, Room
from pedkit.errors import PedkitError
from synthetic.post_processing.seeding import generator

_ACTIVE = 0.01  # 40 dB below the peak: under every speech sound, over the noise floor of 16-bit engines


@dataclass(frozen=True, slots=True)
class PostProcessing:
    """Resample, room, trim, noise, band limits, codec, level; in that order.

    What is drawn depends on ``seed`` and the id of the item alone, and each step draws for itself.

    Attributes:
        sample_rate: Of the result, in Hz.
        silence: Seconds before the first and after the last sample within 40 dB of the peak.
        peak: Largest absolute value of the result, over 0 and at most 1; with ``rms`` the most it may be.
        rms: Root mean square between the silences, in dB below full scale (``-26``); ``None`` levels by the peak.
            Where ``peak`` would be passed, the result is softer instead: nothing is ever clipped.
        room: Reverberation.
        noise: Background noise.
        band: Limits of the frequency band.
        codec: A coding and decoding that loses something.
        seed: Of all that is drawn.

    Raises:
        PedkitError: A number cannot be used.
    """

    sample_rate: int = 16000
    silence: float = 0.08
    peak: float = 0.7
    rms: float | None = None
    room: Room | None = None
    noise: Noise | None = None
    band: Band | None = None
    codec: Codec | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        if self.sample_rate <= 0 or self.silence < 0 or not 0 < self.peak <= 1:
            raise PedkitError(
                "expected sample_rate > 0, silence >= 0 and 0 < peak <= 1, but got "
                f"{self.sample_rate}, {self.silence} and {self.peak}"
            )
        if self.rms is not None and not -90 <= self.rms <= 0:
            raise PedkitError(f"expected rms to be from -90 to 0 dB, but got {self.rms}")
        if self.codec is not None:
            self.codec.check_rate(self.sample_rate)
        if self.band is not None and self.band.high > self.sample_rate / 2:
            raise PedkitError(
                f"expected a band up to half the sample rate of {self.sample_rate} Hz, but got {self.band.high}"
            )

    def __call__(self, samples: NDArray[np.float32], sample_rate: int, item_id: str = "") -> NDArray[np.float32]:
        """Return the processed samples, float32 within [-1, 1], shape (samples,).

        Args:
            samples: float32, shape (samples,).
            sample_rate: In Hz.
            item_id: What the item is called; with the seed it decides all that is drawn.

        Raises:
            PedkitError: There is no sound, or a file of the room or the noise cannot be read.
        """
        import soxr

        if not np.any(samples):
            raise PedkitError("the engine made no sound")
        sound: NDArray[np.float32] = soxr.resample(samples, sample_rate, self.sample_rate)
        if self.room is not None:
            sound = self.room(sound, self.sample_rate, generator(self.seed, item_id, "room"))
        sound, active = self._trimmed(sound)
        if self.noise is not None:
            sound = self.noise(sound, active, self.sample_rate, generator(self.seed, item_id, "noise"))
        if self.band is not None:
            sound = self.band(sound, self.sample_rate)
        if self.codec is not None:
            sound = self.codec(self._levelled(sound, active), self.sample_rate)
        return self._levelled(sound, active)

    def _trimmed(self, sound: NDArray[np.float32]) -> tuple[NDArray[np.float32], slice]:
        """Return the sound between its silences, and where it begins and ends."""
        loudness = np.abs(sound)
        active = np.flatnonzero(loudness > _ACTIVE * loudness.max())
        margin = round(self.silence * self.sample_rate)
        # Some engines start at once: what is missing of the silence is filled up.
        padded = np.zeros(sound.size + 2 * margin, dtype=np.float32)
        padded[margin : margin + sound.size] = sound
        kept = padded[active[0] : active[-1] + 1 + 2 * margin]
        return kept, slice(margin, kept.size - margin)

    def _levelled(self, sound: NDArray[np.float32], active: slice) -> NDArray[np.float32]:
        largest = np.abs(sound).max()
        factor = self.peak / largest
        if self.rms is not None:
            power = np.sqrt(np.mean(np.square(sound[active], dtype=np.float64)))
            factor = np.float32(min(factor, 10 ** (self.rms / 20) / power))
        levelled: NDArray[np.float32] = (sound * factor).astype(np.float32)
        return levelled
