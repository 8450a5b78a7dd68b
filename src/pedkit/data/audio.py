"""Audio files to samples: libsndfile (WAV, FLAC, NIST SPHERE, Ogg, MP3) and soxr; torchaudio is not needed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import soundfile
import soxr

from pedkit.data.audio_faults import broken_off, check_announced_length, unreadable
from pedkit.data.utterance import Audio
from pedkit.errors import PedkitError

SLACK_SECONDS = 0.01
"""How far a stated segment may reach past the end of its file: manifests round times."""

_MP3_FROM_THE_START = 60  # seconds; further on, decoding all that comes before takes too long
_MP3_RUN_UP = (
    2  # seconds; frames lean on at most 511 bytes before them (ISO 11172-3), 1.5 s at the lowest bit rate
)


@dataclass(frozen=True, slots=True)
class AudioInfo:
    """What the header says of a recording or of the part of it that an `Audio` names.

    Attributes:
        sample_rate: Hz, of the file.
        channels: Number of channels of the file.
        start: First sample of the part.
        frames: Number of samples (a channel) of the part.
    """

    sample_rate: int
    channels: int
    start: int
    frames: int

    @property
    def seconds(self) -> float:
        """Length of the part in seconds."""
        return self.frames / self.sample_rate


def audio_info(audio: Audio) -> AudioInfo:
    """Read the header of a recording.

    Raises:
        PedkitError: The file is missing, no audio that libsndfile reads, or shorter than the stated part.
    """
    try:
        with soundfile.SoundFile(audio.path) as file:
            return _part(file, audio)
    except (soundfile.LibsndfileError, OSError) as error:
        raise unreadable(audio.path, error) from None


def load_audio(audio: Audio, sample_rate: int = 16000) -> npt.NDArray[np.float32]:
    """Read a recording, or the part of it that ``audio`` names, as one channel at one rate.

    Args:
        audio: Path, channel and times.
        sample_rate: Hz; other rates are resampled (soxr, HQ).

    Returns:
        Samples in [-1, 1], ``float32``, shape ``(samples,)``.

    Raises:
        PedkitError: As `read_audio`, or not a sample is left at ``sample_rate``.
    """
    samples, rate = read_audio(audio)
    if rate != sample_rate:
        there = len(samples)
        samples = soxr.resample(samples, rate, sample_rate)
        if not len(samples):
            raise PedkitError(
                f"expected audio of at least a sample at {sample_rate} Hz, but got {there} at {rate} Hz",
                file=audio.path,
            )
    return np.ascontiguousarray(samples, dtype=np.float32)


def read_audio(audio: Audio) -> tuple[npt.NDArray[np.float32], int]:
    """Read a recording, or the part of it that ``audio`` names; of the file nothing else is decoded or held.

    Channels are chosen, never mixed: ``audio.channel`` (0 is the first) must say which of several is meant.

    Returns:
        Samples in [-1, 1], ``float32``, shape ``(samples,)``, and their rate in Hz.

    Raises:
        PedkitError: The file cannot be read to its end, holds no samples or numbers that are not finite, is
            shorter than the stated part, or has several channels and ``audio.channel`` does not choose one.
    """
    try:
        with soundfile.SoundFile(audio.path) as file:
            part = _part(file, audio)
            channel = chosen_channel(audio, part.channels)
            samples = _read(file, part.start, part.frames)[:, channel]
    except (soundfile.LibsndfileError, OSError) as error:
        raise unreadable(audio.path, error) from None
    if len(samples) != part.frames:
        raise broken_off(audio.path, part.frames, len(samples))
    if not np.isfinite(samples).all():
        raise PedkitError("holds samples that are not finite numbers", file=audio.path)
    return samples, part.sample_rate


def _part(file: soundfile.SoundFile, audio: Audio) -> AudioInfo:
    rate, total = file.samplerate, file.frames
    check_announced_length(file, audio.path)
    seconds = total / rate
    end = seconds if audio.duration is None else audio.start + audio.duration
    if end > seconds + SLACK_SECONDS or audio.start >= seconds:
        until = "" if audio.duration is None else f" to {end:g}"
        raise PedkitError(
            f"expected audio from {audio.start:g}{until} s, but the file is {seconds:g} s long", file=audio.path
        )
    start, stop = round(audio.start * rate), min(round(end * rate), total)
    if start >= stop:
        raise PedkitError(
            f"expected audio from {audio.start:g} to {end:g} s, but that is less than a sample", file=audio.path
        )
    return AudioInfo(rate, file.channels, start, stop - start)


def _read(file: soundfile.SoundFile, start: int, frames: int) -> npt.NDArray[np.float32]:
    """Return samples ``[start, start + frames)``, shape ``(samples, channels)``.

    MP3 frames lean on those before them: right after a seek, even one to where it stands, libsndfile returns up to
    0.5 s of silence. So what comes before is decoded too, in the same call (soundfile seeks after each).
    """
    run_up = 0
    if file.format == "MP3":
        run_up = start if start < _MP3_FROM_THE_START * file.samplerate else _MP3_RUN_UP * file.samplerate
    if start > run_up:
        file.seek(start - run_up)
    samples: npt.NDArray[np.float32] = file.read(run_up + frames, dtype="float32", always_2d=True)
    return samples[run_up:]


def chosen_channel(audio: Audio, channels: int) -> int:
    """Return the channel that ``audio`` names in a file with so many.

    Raises:
        PedkitError: The file has several and none is named, or it has no such channel.
    """
    if audio.channel is None and channels > 1:
        raise PedkitError(
            f"expected one channel, but the file has {channels}",
            file=audio.path,
            hint="choose one by 'channel' (0 is the first) in the manifest's 'audio'",
        )
    channel = audio.channel or 0
    if not 0 <= channel < channels:
        raise PedkitError(f"there is no channel {channel}: the file has {channels}", file=audio.path)
    return channel
