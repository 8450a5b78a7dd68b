"""What samples alone say about a recording: nothing is heard, or more than the format could hold."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

SILENT_BELOW = 0.001
"""-60 dB of full scale: half the distance between the highest and the lowest sample of a silent recording."""
FULL_SCALE = 0.999
"""From here on a sample stands at the end of the scale (16-bit PCM ends at 0.99997)."""
_RUN = 3  # samples in a row: a peak that only just reaches full scale stays there for one or two


def is_silent(samples: npt.NDArray[np.float32]) -> bool:
    """Return whether nothing is to be heard; a constant offset is nothing.

    Args:
        samples: Shape ``(samples,)``, full scale 1.
    """
    return float(samples.max() - samples.min()) / 2 < SILENT_BELOW


def clipped_share(samples: npt.NDArray[np.float32]) -> float:
    """Return the share of samples that stand at full scale three or more in a row, from 0 to 1.

    Args:
        samples: Shape ``(samples,)``, full scale 1.
    """
    full = np.abs(samples) >= FULL_SCALE
    edges = np.flatnonzero(np.diff(full, prepend=False, append=False))
    lengths = edges[1::2] - edges[::2]
    return float(lengths[lengths >= _RUN].sum()) / len(samples)
