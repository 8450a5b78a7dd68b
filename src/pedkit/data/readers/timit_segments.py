"""TIMIT's label files: PHN and WRD hold ``start end label`` a line, TXT one line ``start end prompt``."""

from __future__ import annotations

import re
from pathlib import Path

from pedkit.data.readers.files import read_lines
from pedkit.errors import PedkitError

Segment = tuple[int, int, str]
"""First sample, sample after the last, label."""


_SAMPLE = re.compile(r"[0-9]{1,12}")


def read_segments(path: Path) -> list[Segment]:
    """Return the segments of a PHN or WRD file; labels in lower case.

    Raises:
        PedkitError: A line is not two sample numbers, the second larger, and a label; or there is no line.
    """
    segments = []
    for number, line in read_lines(path):
        fields = line.split()
        if len(fields) != 3 or not _SAMPLE.fullmatch(fields[0]) or not _SAMPLE.fullmatch(fields[1]):
            raise PedkitError(f"expected 'start end label', but got {line!r}", file=path, line=number)
        if int(fields[0]) >= int(fields[1]):
            raise PedkitError(
                f"expected a segment to end after it starts, but got {line!r}", file=path, line=number
            )
        segments.append((int(fields[0]), int(fields[1]), fields[2].lower()))
    if not segments:
        raise PedkitError("expected labels, but the file is empty", file=path)
    return segments


def read_prompt(path: Path) -> str:
    """Return the prompt of a TXT file.

    Raises:
        PedkitError: The file is not one line with two sample numbers and a text.
    """
    lines = read_lines(path)
    fields = lines[0][1].split(None, 2) if len(lines) == 1 else []
    if len(fields) != 3:
        raise PedkitError("expected one line with two sample numbers and the prompt", file=path)
    return fields[2]
