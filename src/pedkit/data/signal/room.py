"""`Room`: reverberation, made up or measured."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from pedkit.data.signal.files import recording, sound_files
from pedkit.errors import PedkitError

_DECAY = np.log(1000.0)  # the reverberation time is the time to fall by 60 dB, a factor of 1000 in amplitude
_GAP = 0.0025  # seconds between the direct sound and the first reflection: walls are not at the mouth


@dataclass(frozen=True, slots=True)
class Room:
    """Convolution with a room impulse response whose direct sound comes without delay.

    Without ``files`` the response is the direct sound and, 2.5 ms later, Gaussian noise that decays exponentially
    (Moorer 1979, "About this reverberation business", section on room responses).

    Attributes:
        rt60: Shortest and longest reverberation time, in seconds, from which each item's is drawn.
        direct_to_reverberant: Lowest and highest ratio of direct to reverberant energy, in dB.
        files: Measured impulse responses instead, or folders of them; each item draws one.

    Raises:
        PedkitError: A range is not one, or a file does not exist or cannot be used.
    """

    rt60: tuple[float, float] = (0.2, 0.6)
    direct_to_reverberant: tuple[float, float] = (0.0, 12.0)
    files: Sequence[str] = ()
    _found: tuple[str, ...] = field(init=False, repr=False, default=())

    def __post_init__(self) -> None:
        low, high = self.rt60
        if not 0 < low <= high <= 10:
            raise PedkitError(
                f"expected rt60 to be [shortest, longest] seconds up to 10, but got {list(self.rt60)}"
            )
        if self.direct_to_reverberant[0] > self.direct_to_reverberant[1]:
            raise PedkitError(
                "expected direct_to_reverberant to be [lowest, highest] dB, but got "
                f"{list(self.direct_to_reverberant)}"
            )
        object.__setattr__(self, "_found", sound_files(self.files) if self.files else ())

    def __call__(
        self, samples: NDArray[np.float32], sample_rate: int, rng: np.random.Generator
    ) -> NDArray[np.float32]:
        """Return the sound in the room, longer by the response."""
        from scipy.signal import oaconvolve

        heard: NDArray[np.float32] = oaconvolve(samples, self.response(sample_rate, rng)).astype(np.float32)
        return heard

    def response(self, sample_rate: int, rng: np.random.Generator) -> NDArray[np.float64]:
        """Return an impulse response, shape (samples,), whose first value, the direct sound, is 1 or -1."""
        if self._found:
            measured = recording(self._found[rng.integers(len(self._found))], sample_rate).astype(np.float64)
            direct = int(np.abs(measured).argmax())
            heard: NDArray[np.float64] = measured[direct:] / np.abs(measured[direct])
            return heard
        rt60 = rng.uniform(*self.rt60)
        ratio = rng.uniform(*self.direct_to_reverberant)
        time = np.arange(1, max(2, round(rt60 * sample_rate))) / sample_rate
        tail = rng.standard_normal(time.size) * np.exp(-_DECAY * time / rt60) * (time >= _GAP)
        energy = np.sum(np.square(tail))
        scaled = tail * np.sqrt(10 ** (-ratio / 10) / energy) if energy > 0 else tail
        return np.concatenate([[1.0], scaled])
