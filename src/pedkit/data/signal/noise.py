"""`Noise`: white, pink, or recorded background at a signal-to-noise ratio."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from pedkit.data.signal.files import recording, sound_files
from pedkit.errors import PedkitError


@dataclass(frozen=True, slots=True)
class Noise:
    """Adds noise over the whole recording, silences included.

    The signal-to-noise ratio is the mean power of the speech between its silences over the mean power of the noise
    there.

    Attributes:
        snr: Lowest and highest signal-to-noise ratio, in dB, from which each item's is drawn.
        kind: ``white``; ``pink`` (power falls by 3 dB an octave above 20 Hz); ``files``.
        files: For ``files``: recordings, or folders of them.
        voices: For ``files``: how many excerpts, of equal power, are added up; several of speech make babble.

    Raises:
        PedkitError: A setting cannot be used, or a file does not exist or cannot be read.
    """

    snr: tuple[float, float]
    kind: Literal["white", "pink", "files"] = "white"
    files: Sequence[str] = ()
    voices: int = 1
    _found: tuple[str, ...] = field(init=False, repr=False, default=())

    def __post_init__(self) -> None:
        if self.snr[0] > self.snr[1]:
            raise PedkitError(f"expected snr to be [lowest, highest] dB, but got {list(self.snr)}")
        if bool(self.files) != (self.kind == "files"):
            raise PedkitError(f"expected files with kind=files and only there, but got kind={self.kind}")
        if self.voices < 1:
            raise PedkitError(f"expected one voice or more in the noise, but got {self.voices}")
        object.__setattr__(self, "_found", sound_files(self.files) if self.files else ())

    def __call__(
        self, samples: NDArray[np.float32], active: slice, sample_rate: int, rng: np.random.Generator
    ) -> NDArray[np.float32]:
        """Return the samples with noise.

        Args:
            samples: Shape (samples,).
            active: Where the speech begins and ends.
            sample_rate: In Hz.
            rng: Draws the noise and its level.
        """
        snr = rng.uniform(*self.snr)
        noise = self._sound(samples.size, sample_rate, rng)
        wanted = _power(samples[active]) / 10 ** (snr / 10)
        there = _power(noise[active]) or _power(noise)
        noisy: NDArray[np.float32] = (samples + noise * np.sqrt(wanted / there)).astype(np.float32)
        return noisy

    def _sound(self, size: int, sample_rate: int, rng: np.random.Generator) -> NDArray[np.float64]:
        if self.kind == "white":
            white: NDArray[np.float64] = rng.standard_normal(size)
            return white
        if self.kind == "pink":
            return pink(size, sample_rate, rng)
        babble: NDArray[np.float64] = sum(
            (self._excerpt(size, sample_rate, rng) for _ in range(self.voices)), np.zeros(size)
        )
        return babble

    def _excerpt(self, size: int, sample_rate: int, rng: np.random.Generator) -> NDArray[np.float64]:
        """Return a piece of a recording with a mean power of 1, repeated where the recording is too short."""
        whole = recording(self._found[rng.integers(len(self._found))], sample_rate)
        piece = _piece(whole, int(rng.integers(whole.size)), size)
        if not np.any(piece):  # recordings may have stretches of digital silence
            piece = _piece(whole, int(rng.choice(np.flatnonzero(whole))), size)
        even: NDArray[np.float64] = piece / np.sqrt(_power(piece))
        return even


def _piece(whole: NDArray[np.float32], start: int, size: int) -> NDArray[np.float64]:
    return np.resize(np.roll(whole, -start), size).astype(np.float64)


def pink(size: int, sample_rate: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """Return Gaussian noise whose power density falls as 1/f above 20 Hz, and which has nothing below."""
    spectrum = np.fft.rfft(rng.standard_normal(size))
    frequencies = np.fft.rfftfreq(size, 1 / sample_rate)
    audible = frequencies >= 20
    spectrum[audible] /= np.sqrt(frequencies[audible])
    spectrum[~audible] = 0
    return np.fft.irfft(spectrum, size)


def _power(samples: NDArray[np.floating]) -> float:
    return float(np.mean(np.square(samples, dtype=np.float64))) if samples.size else 0.0
