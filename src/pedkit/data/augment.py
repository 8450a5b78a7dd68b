"""Changes of a training clip that keep its phones. The same seed gives the same change."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import soxr
from scipy.fft import irfft, next_fast_len, rfft

from pedkit.data.signal import Codec, Room
from pedkit.errors import PedkitError

Samples = npt.NDArray[np.float32]


class Augment:
    """Random speed, room, noise, codec and gain, in this order.

    All draws follow from the seed, the epoch, the utterance and its copy alone, so a run that is resumed, or split
    over more workers or machines, hears the same clips. Nothing is clipped: what would be too loud is softer.

    Args:
        speed: Largest relative change of speed (0.1: 0.9 to 1.1 times in steps of 0.01, by resampling, so pitch
            moves with it; Ko et al., Interspeech 2015); 0 = off.
        snr_db: Range of the signal-to-noise ratio in dB of added noise, whose spectrum falls between white
            (0 dB an octave) and brown (6 dB an octave); ``None`` = off.
        gain_db: Largest change of level in dB, up or down; 0 = off.
        room: Reverberation, which neither lengthens a clip nor changes its power; ``None`` = off.
        room_share: Share of the clips that are in a room.
        codecs: Lossy codings, of which a clip goes through one; none = off.
        codec_share: Share of the clips that are coded.
        sample_rate: Hz.
        seed: Seed of all draws.

    Raises:
        PedkitError: A value is out of range, or a codec does not know ``sample_rate``.
    """

    def __init__(
        self,
        *,
        speed: float = 0.1,
        snr_db: tuple[float, float] | None = (15.0, 40.0),
        gain_db: float = 6.0,
        room: Room | None = None,
        room_share: float = 0.5,
        codecs: Sequence[Codec] = (),
        codec_share: float = 0.5,
        sample_rate: int = 16000,
        seed: int = 0,
    ) -> None:
        if not 0 <= speed < 1:
            raise PedkitError(f"expected 'speed' to be 0 or more and less than 1, but got {speed!r}")
        if gain_db < 0:
            raise PedkitError(f"expected 'gain_db' to be 0 or more, but got {gain_db!r}")
        if snr_db is not None and (len(snr_db) != 2 or not snr_db[0] <= snr_db[1]):
            raise PedkitError(f"expected 'snr_db' to be [lowest, highest], but got {snr_db!r}")
        for name, share in (("room_share", room_share), ("codec_share", codec_share)):
            if not 0 <= share <= 1:
                raise PedkitError(f"expected {name!r} to be from 0 to 1, but got {share!r}")
        for codec in codecs:
            codec.check_rate(sample_rate)
        self.speed, self.gain_db, self.seed = speed, gain_db, seed
        self.room, self.room_share = room, room_share
        self.codecs, self.codec_share, self.sample_rate = tuple(codecs), codec_share, sample_rate
        self.snr_db = None if snr_db is None else (float(snr_db[0]), float(snr_db[1]))

    @property
    def stretch(self) -> tuple[float, float]:
        """By how much it may shorten and lengthen clips, as factors of their lengths."""
        return 100 / round(100 * (1 + self.speed)), 100 / max(1, round(100 * (1 - self.speed)))

    def __call__(self, samples: Samples, *, utterance: str, epoch: int, copy: int = 0) -> Samples:
        """Return a changed copy of a clip.

        Args:
            samples: Mono samples in [-1, 1], shape ``(samples,)``.
            utterance: Id of the utterance.
            epoch: Epoch, from 0.
            copy: Which copy of the utterance within the epoch.

        Returns:
            Samples in [-1, 1], ``float32``; the number of samples changes with the speed.
        """
        place = [self.seed, epoch, copy, _number(utterance)]
        draw = np.random.default_rng(place)
        # Every draw is made, used or not: switching one change off leaves the others as they were.
        speed = 1 + self.speed * draw.uniform(-1, 1)
        snr_place, colour, gain = draw.uniform(), draw.uniform(0, 1), self.gain_db * draw.uniform(-1, 1)
        if self.speed:
            samples = soxr.resample(samples, round(100 * speed), 100)  # whole percents: twice as fast
        if self.room is not None:
            samples = self._in_room(samples, np.random.default_rng([*place, 1]))
        if self.snr_db is not None:
            low, high = self.snr_db
            samples = samples + _noise(samples, low + snr_place * (high - low), colour, draw)
        if self.codecs:
            samples = self._coded(samples, np.random.default_rng([*place, 2]))
        samples = samples * 10 ** (gain / 20)
        peak = float(np.abs(samples).max(initial=0.0))
        return np.asarray(samples / max(1.0, peak), dtype=np.float32)

    def _in_room(self, samples: Samples, draw: np.random.Generator) -> Samples:
        """Return as many samples, of the same power, in a room; each step has draws of its own."""
        assert self.room is not None
        if draw.uniform() >= self.room_share:
            return samples
        heard = self.room(samples, self.sample_rate, draw)[: len(samples)]
        power = _power(heard)
        return heard if power == 0.0 else np.asarray(heard * np.sqrt(_power(samples) / power), dtype=np.float32)

    def _coded(self, samples: Samples, draw: np.random.Generator) -> Samples:
        if draw.uniform() >= self.codec_share:
            return samples
        return self.codecs[draw.integers(len(self.codecs))](np.asarray(samples, np.float32), self.sample_rate)


def _power(samples: Samples) -> float:
    return float(np.mean(np.square(samples, dtype=np.float64)))


def _number(text: str) -> int:
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest())


def _noise(samples: Samples, snr_db: float, colour: float, draw: np.random.Generator) -> Samples:
    """Return Gaussian noise with a power spectrum of 1/f^(2 colour), ``snr_db`` below the power of ``samples``."""
    length = next_fast_len(len(samples), real=True)  # a prime length would take ten times as long
    spectrum = rfft(draw.standard_normal(length, dtype=np.float32))
    spectrum *= np.maximum(np.arange(len(spectrum), dtype=np.float32), 1.0) ** np.float32(-colour)
    noise = irfft(spectrum, n=length)[: len(samples)]
    power = _power(noise)
    if power == 0.0:
        return np.zeros_like(samples)
    wanted = _power(samples) / 10 ** (snr_db / 10)
    return np.asarray(noise * np.sqrt(wanted / power), dtype=np.float32)
