"""`Codec`: coded and decoded again, with the losses of a telephone or of a small file."""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from pedkit.errors import PedkitError

_MU = 255.0  # ITU-T G.711
_STEPS = 127  # on each side of silence, which stays silence
_FILES = {"mp3": ("MP3", "MPEG_LAYER_III"), "vorbis": ("OGG", "VORBIS"), "opus": ("OGG", "OPUS")}
"""Name -> format and subtype of libsndfile."""
_RATES = {
    "mp3": (8000, 11025, 12000, 16000, 22050, 24000, 32000, 44100, 48000),  # ISO 11172-3, 13818-3 and MPEG-2.5
    "opus": (8000, 12000, 16000, 24000, 48000),  # RFC 6716
}
_HIGHEST_VORBIS = 200_000  # Hz, libvorbis's own limit; libsndfile ends the process above it


@dataclass(frozen=True, slots=True)
class Codec:
    """A round trip through a lossy coding. The result has as many samples as before and is not delayed.

    Attributes:
        kind: ``mu_law`` (8 bits a sample by the companding law of ITU-T G.711), ``mp3``, ``vorbis`` or ``opus``.
        compression: For all but ``mu_law``: 0 (least) to 0.99 (most), as libsndfile understands it.
        sample_rate: At which it is coded, in Hz; ``None`` for the rate that comes in.

    Raises:
        PedkitError: A number cannot be used, the coding does not know ``sample_rate``, or the libsndfile of this
            machine does not offer it.
    """

    kind: Literal["mu_law", "mp3", "vorbis", "opus"]
    compression: float = 0.9
    sample_rate: int | None = None

    def __post_init__(self) -> None:
        if not 0 <= self.compression <= 0.99 or (self.sample_rate is not None and self.sample_rate <= 0):
            raise PedkitError(
                "expected compression from 0 to 0.99 and a sample rate over 0, but got "
                f"{self.compression} and {self.sample_rate}"
            )
        if self.sample_rate is not None:
            self.check_rate(self.sample_rate)
        if self.kind != "mu_law":
            import soundfile

            container, subtype = _FILES[self.kind]
            if container not in soundfile.available_formats() or subtype not in soundfile.available_subtypes(
                container
            ):
                raise PedkitError(
                    f"libsndfile {soundfile.__libsndfile_version__} does not offer {self.kind}",
                    hint="pip install --upgrade soundfile",
                )

    def check_rate(self, sample_rate: int) -> None:
        """Check the rate in Hz of what comes in, before anything does.

        Raises:
            PedkitError: It would have to be coded at this rate, which the coding does not know.
        """
        rate = self.sample_rate or sample_rate
        known = _RATES.get(self.kind, ())
        if known and rate not in known:
            there = ", ".join(map(str, known))
            raise PedkitError(
                f"{self.kind} knows the sample rates {there}, but got {rate}", hint="sample_rate=16000 for example"
            )
        if self.kind == "vorbis" and rate > _HIGHEST_VORBIS:
            raise PedkitError(f"vorbis knows sample rates up to {_HIGHEST_VORBIS}, but got {rate}")

    def __call__(self, samples: NDArray[np.float32], sample_rate: int) -> NDArray[np.float32]:
        """Return what is left of the samples, at the same rate.

        Raises:
            PedkitError: As `check_rate`.
        """
        import soxr

        self.check_rate(sample_rate)
        rate = self.sample_rate or sample_rate
        scale = max(1.0, float(np.abs(samples).max()))
        coded = np.clip(soxr.resample(samples / scale, sample_rate, rate), -1, 1)
        decoded = mu_law(coded) if self.kind == "mu_law" else self._through_file(coded, rate)
        back = soxr.resample(decoded, rate, sample_rate)[: samples.size]
        kept = np.zeros(samples.size, dtype=np.float32)
        kept[: back.size] = back * scale
        return kept

    def _through_file(self, samples: NDArray[np.float32], sample_rate: int) -> NDArray[np.float32]:
        import soundfile

        container, subtype = _FILES[self.kind]
        stream = io.BytesIO()
        soundfile.write(
            stream, samples, sample_rate, format=container, subtype=subtype, compression_level=self.compression
        )
        stream.seek(0)
        decoded, rate = soundfile.read(stream, dtype="float32")
        if rate != sample_rate:
            raise PedkitError(f"{self.kind} came back at {rate} Hz instead of {sample_rate} Hz")
        whole: NDArray[np.float32] = decoded
        return whole


def mu_law(samples: NDArray[np.floating]) -> NDArray[np.float32]:
    """Return samples in [-1, 1] rounded to 8 bits on the mu-law scale (ITU-T G.711, continuous form)."""
    compressed = np.sign(samples) * np.log1p(_MU * np.abs(samples)) / np.log1p(_MU)
    rounded = np.rint(compressed * _STEPS) / _STEPS
    expanded: NDArray[np.float32] = (np.sign(rounded) * (np.power(1 + _MU, np.abs(rounded)) - 1) / _MU).astype(
        np.float32
    )
    return expanded
