"""A clip as a service takes it: base64 of a mono WAV file with 16 bits a sample."""

from __future__ import annotations

import base64
import hashlib
import io
import wave
from dataclasses import dataclass

import numpy as np

from pedkit.errors import PedkitError
from pedkit.recognizers.protocol import Clip

SAMPLE_RATE = 16000
_FULL_SCALE = 32768
"""A 16-bit recording read as float is its integers divided by this: multiplied by it, they come back unchanged."""


@dataclass(frozen=True, slots=True)
class Sound:
    """A WAV file in memory."""

    wav: bytes

    @classmethod
    def of(cls, clip: Clip) -> Sound:
        """Encode a clip.

        Raises:
            PedkitError: It is not at 16 kHz, empty, or holds samples that are not finite.
        """
        name = clip.utterance.id
        if clip.sample_rate != SAMPLE_RATE:
            raise PedkitError(
                f"expected a clip at {SAMPLE_RATE} Hz, but got {clip.sample_rate} Hz",
                utterance=name,
                hint="load_audio resamples",
            )
        samples = np.asarray(clip.samples)
        if samples.ndim != 1 or not samples.size:
            raise PedkitError(
                f"expected samples of one channel, but got the shape {samples.shape}", utterance=name
            )
        if not np.isfinite(samples).all():
            raise PedkitError("the clip holds samples that are not finite", utterance=name)
        scaled = np.clip(np.rint(samples.astype(np.float64) * _FULL_SCALE), -_FULL_SCALE, _FULL_SCALE - 1)
        buffer = io.BytesIO()
        with wave.open(buffer, "wb") as file:
            file.setnchannels(1)
            file.setsampwidth(2)
            file.setframerate(SAMPLE_RATE)
            file.writeframes(scaled.astype("<i2").tobytes())
        return cls(buffer.getvalue())

    @property
    def sha256(self) -> str:
        """Hash of the file, which stands for it in the key of the cache."""
        return hashlib.sha256(self.wav).hexdigest()

    @property
    def part(self) -> dict[str, object]:
        """The part of a message that carries it."""
        data = base64.b64encode(self.wav).decode("ascii")
        return {"type": "input_audio", "input_audio": {"data": data, "format": "wav"}}

    @property
    def mark(self) -> dict[str, object]:
        """The same part with the hash in the place of the audio."""
        return {"type": "input_audio", "sha256": self.sha256}
