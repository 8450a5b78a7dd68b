"""Recordings that changes of a signal use: impulse responses and background noise."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pedkit.data.audio import audio_info, load_audio
from pedkit.data.utterance import Audio
from pedkit.errors import PedkitError

_SOUNDS = (".wav", ".flac", ".ogg", ".mp3")


def sound_files(places: Sequence[str]) -> tuple[str, ...]:
    """Return files, and the sound files in folders, in an order that does not depend on the file system.

    Hidden files (``._a.wav``) are left out. Headers are read, so that what cannot be used is found at once.

    Raises:
        PedkitError: A place does not exist, there is no sound file, or one cannot be read or has several channels.
    """
    found: list[str] = []
    for place in places:
        path = Path(place)
        if path.is_dir():
            found += sorted(str(inside) for inside in path.rglob("*") if _is_sound(inside, path))
        elif path.is_file():
            found.append(place)
        else:
            raise PedkitError("expected a sound file or a folder of them, but there is nothing", file=place)
    if not found:
        raise PedkitError(f"expected sound files ({', '.join(_SOUNDS)}), but found none in {list(places)}")
    for name in found:
        if (channels := audio_info(Audio(path=name)).channels) > 1:
            raise PedkitError(
                f"expected a recording of one channel, but it has {channels}",
                file=name,
                hint="make a file of one of them, as with sox IN.wav OUT.wav remix 1",
            )
    return tuple(found)


def _is_sound(path: Path, folder: Path) -> bool:
    hidden = any(part.startswith(".") for part in path.relative_to(folder).parts)
    return path.suffix.lower() in _SOUNDS and not hidden and path.is_file()


@functools.lru_cache(maxsize=64)
def recording(path: str, sample_rate: int) -> NDArray[np.float32]:
    """Return a recording, mono, at a rate.

    Raises:
        PedkitError: It cannot be read, or is silent.
    """
    sound: NDArray[np.float32] = load_audio(Audio(path=path), sample_rate)
    if not np.any(sound):
        raise PedkitError("expected a recording with sound in it, but it is silent", file=path)
    return sound
