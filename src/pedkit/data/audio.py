"""Audio files to samples: libsndfile (WAV, FLAC, NIST SPHERE, Ogg, MP3) and soxr; torchaudio is not needed."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import soundfile
import soxr

from pedkit.data.utterance import Audio
from pedkit.errors import PedkitError

SLACK_SECONDS = 0.01
"""How far a stated segment may reach past the end of its file: manifests round times."""

_WAV_DATA = re.compile(r"^data : (\d+) \(should be (\d+)\)", re.MULTILINE)
_SPHERE_COUNT = re.compile(rb"^sample_count -i (\d+)", re.MULTILINE)
_STREAM_BYTES = 0x7FFF0000  # programs that write WAV to a pipe announce about this much or more: it means nothing


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
        raise _unreadable(audio, error) from None


def load_audio(audio: Audio, sample_rate: int = 16000) -> npt.NDArray[np.float32]:
    """Read a recording, or the part of it that ``audio`` names, as one channel.

    Args:
        audio: Path, channel and times.
        sample_rate: Hz; other rates are resampled (soxr, HQ).

    Returns:
        Samples in [-1, 1], ``float32``, shape ``(samples,)``.

    Raises:
        PedkitError: The file cannot be read to its end, holds no samples or numbers that are not finite, is
            shorter than the stated part, or has several channels and ``audio.channel`` does not choose one.
    """
    try:
        with soundfile.SoundFile(audio.path) as file:
            part = _part(file, audio)
            channel = _channel(audio, part.channels)
            file.seek(part.start)
            samples = file.read(part.frames, dtype="float32", always_2d=True)[:, channel]
    except (soundfile.LibsndfileError, OSError) as error:
        raise _unreadable(audio, error) from None
    if len(samples) != part.frames:
        raise _broken_off(audio, part.frames, len(samples))
    if not np.isfinite(samples).all():
        raise PedkitError("holds samples that are not finite numbers", file=audio.path)
    if part.sample_rate != sample_rate:
        samples = soxr.resample(samples, part.sample_rate, sample_rate)
    return np.ascontiguousarray(samples, dtype=np.float32)


def _part(file: soundfile.SoundFile, audio: Audio) -> AudioInfo:
    rate, total = file.samplerate, file.frames
    announced = _announced_frames(file, audio.path)
    if announced is not None and announced > total:
        raise _broken_off(audio, announced, total)
    start = round(audio.start * rate)
    stop = total if audio.duration is None else round((audio.start + audio.duration) * rate)
    if stop > total + SLACK_SECONDS * rate or start >= total:
        until = "" if audio.duration is None else f" to {audio.start + audio.duration:g}"
        raise PedkitError(
            f"expected audio from {audio.start:g}{until} s, but the file is {total / rate:g} s long",
            file=audio.path,
        )
    return AudioInfo(rate, file.channels, start, min(stop, total) - start)


def _announced_frames(file: soundfile.SoundFile, path: str) -> int | None:
    """Return the length in frames that a WAV or SPHERE header states; libsndfile trusts the size of the file."""
    if file.format == "NIST":
        with Path(path).open("rb") as stream:
            count = _SPHERE_COUNT.search(stream.read(1024))
        return int(count[1]) if count else None
    match = _WAV_DATA.search(file.extra_info)
    if match is None or int(match[1]) >= _STREAM_BYTES or file.frames == 0:
        return None
    return int(match[1]) * int(file.frames) // int(match[2])


def _broken_off(audio: Audio, announced: int, there: int) -> PedkitError:
    return PedkitError(
        f"the file breaks off: {announced} samples are announced, {there} are there",
        file=audio.path,
        hint="copy it again",
    )


def _channel(audio: Audio, channels: int) -> int:
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


def _unreadable(audio: Audio, error: Exception) -> PedkitError:
    if not Path(audio.path).exists():
        return PedkitError("no such audio file", file=audio.path)
    if isinstance(error, OSError):
        return PedkitError(f"cannot be read: {error.strerror}", file=audio.path)
    reason = getattr(error, "error_string", str(error)).strip().rstrip(".")
    return PedkitError(
        f"cannot be read as audio: {reason}", file=audio.path, hint="WAV, FLAC, NIST SPHERE, Ogg and MP3 can"
    )
