"""What is wrong with an audio file, in one sentence; libsndfile is silent about files that break off."""

from __future__ import annotations

import os
import re
from pathlib import Path

import soundfile

from pedkit.data.sphere import sphere_header, why_unreadable
from pedkit.errors import PedkitError

_WAV_DATA = re.compile(r"^data : (\d+) \(should be (\d+)\)", re.MULTILINE)
_STREAM_BYTES = 0x7FFF0000  # programs that write WAV to a pipe announce about this much or more: it means nothing

_OGG_PAGE, _OGG_LAST_PAGE, _LARGEST_OGG_PAGE = b"OggS", 0x04, 65307


def check_announced_length(file: soundfile.SoundFile, path: str) -> None:
    """Compare the length that a header states with what is there; libsndfile trusts the size of the file.

    Raises:
        PedkitError: A WAV file is shorter, or a SPHERE file shorter or longer, than its header says.
    """
    there = int(file.frames)
    if file.format == "NIST":
        count = (sphere_header(path) or {}).get("sample_count", "")
        if count.isdecimal() and int(count) != there:
            raise broken_off(path, int(count), there)
        return
    match = _WAV_DATA.search(file.extra_info)
    if match is None or int(match[1]) >= _STREAM_BYTES or there == 0:
        return
    announced = int(match[1]) * there // int(match[2])
    if announced > there:
        raise broken_off(path, announced, there)


def broken_off(path: str, announced: int, there: int) -> PedkitError:
    """Return the error for a file that holds another number of samples than it announces."""
    what = "the file breaks off" if there < announced else "the header contradicts the file"
    return PedkitError(
        f"{what}: {announced} samples are announced, {there} are there", file=path, hint="copy it again"
    )


def unreadable(path: str, error: Exception) -> PedkitError:
    """Return the error for a file that libsndfile refused with ``error``."""
    if not os.path.isfile(path):  # noqa: PTH113 (unlike Path's, it never raises)
        return PedkitError("no such audio file", file=path)
    if isinstance(error, OSError):
        return PedkitError(f"cannot be read: {error.strerror}", file=path)
    header = sphere_header(path)
    fault = None if header is None else why_unreadable(header)
    if fault is not None:
        return PedkitError(f"cannot be read as audio: {fault[0]}", file=path, hint=fault[1])
    reason = getattr(error, "error_string", str(error)).strip().rstrip(".").removeprefix("Error : ")
    if "lost sync" in reason:
        return PedkitError(f"the file breaks off or is damaged: {reason}", file=path, hint="copy it again")
    return PedkitError(
        f"cannot be read as audio: {reason}", file=path, hint="WAV, FLAC, NIST SPHERE, Ogg and MP3 can"
    )


def ogg_breaks_off(path: str) -> bool:
    """Return whether an Ogg file lacks the mark of its last page (RFC 3533); other files never do.

    libsndfile reads such a file up to where it breaks off, and says nothing.
    """
    if not os.path.isfile(path):  # noqa: PTH113
        return False
    with Path(path).open("rb") as stream:
        if stream.read(4) != _OGG_PAGE:
            return False
        stream.seek(0, os.SEEK_END)
        stream.seek(max(0, stream.tell() - _LARGEST_OGG_PAGE))
        end = stream.read()
    page = end.rfind(_OGG_PAGE)
    return page < 0 or page + 5 >= len(end) or not end[page + 5] & _OGG_LAST_PAGE
