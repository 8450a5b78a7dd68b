"""The lists of a Kaldi data folder: ``key value`` lines, ``wav.scp``, ``segments``.

Source of their form: kaldi-asr.org/doc/data_prep.html.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple, TypeVar

from pedkit.data.readers.files import read_lines
from pedkit.errors import PedkitError

T = TypeVar("T")

_ARCHIVE = re.compile(r"\.ark(:\d+)?(\[.*\])?$")
_FLAC_FLAGS = re.compile(r"-[cds]+|--(decode|stdout|silent)")


class Recording(NamedTuple):
    """A recording of ``wav.scp``: its file, and the channel where the line names one (counted from 0)."""

    path: str
    channel: int | None


class Segment(NamedTuple):
    """A line of ``segments``: recording, first and last second; ``end`` is ``None`` for the recording's end."""

    recording: str
    start: float
    end: float | None


def read_list(path: Path) -> dict[str, str]:
    """Read ``key value`` lines; the value may hold blanks or be empty.

    Raises:
        PedkitError: The file is missing or not UTF-8, or a key stands twice.
    """
    return _read(path, lambda rest: rest)


def read_recordings(path: Path) -> dict[str, Recording]:
    """Read ``wav.scp``.

    Raises:
        PedkitError: A line has no path, names an archive of Kaldi, or a command that is not just a decoder.
    """
    return _read(path, recording)


def read_segments(path: Path) -> dict[str, Segment]:
    """Read ``segments``; an end of -1 is the end of the recording.

    Raises:
        PedkitError: A line is not a recording and two times in seconds, the second after the first.
    """
    return _read(path, _segment)


def recording(text: str) -> Recording:
    """Return what the right side of a line of ``wav.scp`` names: a file, or a decoder of a file and a pipe.

    ``sph2pipe -f wav -p -c 1 FILE |`` and ``flac -c -d -s FILE |`` are read as their file, because SPHERE and
    FLAC are read here anyway. No command is ever run.

    Raises:
        PedkitError: The line names something else.
    """
    if not text:
        raise PedkitError("expected the path of a recording, but there is none")
    if text.endswith("|"):
        return _decoded(text)
    if text.startswith("|"):
        raise _foreign_command(text)
    if _ARCHIVE.search(text):
        raise PedkitError(
            f"expected an audio file, but {text!r} is an archive of Kaldi", hint="copy its recordings out as files"
        )
    return Recording(text, None)


def _decoded(text: str) -> Recording:
    try:
        program, *arguments = shlex.split(text[:-1])
    except ValueError:
        raise _foreign_command(text) from None
    name, channel, files = Path(program).name, None, []
    while arguments:
        argument = arguments.pop(0)
        if name == "sph2pipe" and argument in ("-f", "-c") and arguments:
            value = arguments.pop(0)
            if argument == "-c" and value not in ("1", "2"):
                raise _foreign_command(text)
            channel = int(value) - 1 if argument == "-c" else channel
        elif not argument.startswith("-"):
            files.append(argument)
        elif not (name == "sph2pipe" and argument == "-p") and not (
            name == "flac" and _FLAC_FLAGS.fullmatch(argument)
        ):
            raise _foreign_command(text)
    if name not in ("sph2pipe", "flac") or len(files) != 1:
        raise _foreign_command(text)
    return Recording(files[0], channel)


def _foreign_command(text: str) -> PedkitError:
    return PedkitError(
        f"the recording is made by the command {text!r}, and pedkit runs no commands",
        hint="write what it makes to files and name those; only sph2pipe and flac without changes can be read",
    )


def _segment(text: str) -> Segment:
    fields = text.split()
    try:
        start, end = float(fields[1]), float(fields[2])
    except (IndexError, ValueError):
        start = end = -1.0
    if len(fields) != 3 or not 0 <= start < float("inf") or not (end == -1 or start < end < float("inf")):
        raise PedkitError(f"expected a recording and two times in seconds, but got {text!r}")
    return Segment(fields[0], start, None if end == -1 else end)


def _read(path: Path, convert: Callable[[str], T]) -> dict[str, T]:
    found: dict[str, T] = {}
    for number, line in read_lines(path):
        key, *rest = line.split(None, 1)
        try:
            if key in found:
                raise PedkitError(f"{key!r} stands twice")
            found[key] = convert(rest[0].strip() if rest else "")
        except PedkitError as error:
            raise error.at(file=path, line=number) from None
    if not found:
        raise PedkitError("expected lines of 'key value', but the file is empty", file=path)
    return found
