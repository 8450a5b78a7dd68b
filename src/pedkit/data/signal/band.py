"""`Band`: nothing below, nothing above."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pedkit.errors import PedkitError

_STOP = 60.0  # dB by which what lies outside is weakened
_SLOPE = 100.0  # Hz inside each limit over which the filter rises


@dataclass(frozen=True, slots=True)
class Band:
    """A linear-phase filter that lets ``low`` to ``high`` through; 300 and 3400 is a telephone (ITU-T G.712).

    What lies outside is at least 60 dB weaker; the filter rises within the first 100 Hz inside each limit.
    Nothing is delayed.

    Attributes:
        low: In Hz; 0 for no lower limit.
        high: In Hz.

    Raises:
        PedkitError: The band is empty or too narrow.
    """

    low: float
    high: float

    def __post_init__(self) -> None:
        if not (self.low >= 0 and self.high - self.low > 3 * _SLOPE):
            raise PedkitError(
                f"expected 0 <= low < high, at least {3 * _SLOPE:g} Hz apart, but got {self.low} and {self.high}"
            )

    def __call__(self, samples: NDArray[np.float32], sample_rate: int) -> NDArray[np.float32]:
        """Return the samples within the band, as many as before."""
        from scipy.signal import firwin, kaiserord, oaconvolve

        edges = [self.low + _SLOPE / 2] if self.low > 0 else []
        if self.high < sample_rate / 2:
            edges.append(self.high - _SLOPE / 2)
        if not edges:
            return samples
        taps, beta = kaiserord(_STOP, _SLOPE / (sample_rate / 2))
        kernel = firwin(taps | 1, edges, window=("kaiser", beta), pass_zero=self.low <= 0, fs=sample_rate)
        delay = kernel.size // 2
        filtered = oaconvolve(samples.astype(np.float64), kernel)[delay : delay + samples.size]
        within: NDArray[np.float32] = filtered.astype(np.float32)
        return within
