"""The header of NIST SPHERE files: libsndfile reads the samples, but not what the header promises about them.

Form: ``NIST_1A``, the header's size in bytes, lines ``name -type value``, ``end_head`` (NIST SPHERE 2.6).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

_MAGIC = b"NIST_1A"
_LARGEST = 1 << 20  # a header says how large it is; a broken one must not make us read a whole disc
_FIELD = re.compile(rb"^(\w+) +-(?:i|r|s\d+) +(.*?) *$", re.MULTILINE)


def sphere_header(path: str | Path) -> Mapping[str, str] | None:
    """Return the fields of the header, or ``None`` where the file is no SPHERE file, whatever its name.

    Raises:
        OSError: The file cannot be read.
    """
    with Path(path).open("rb") as stream:
        start = stream.read(16)
        if not start.startswith(_MAGIC):
            return None
        size = start[8:16].strip()
        text = start + stream.read(min(int(size), _LARGEST) - 16 if size.isdigit() else 1008)
    fields = _FIELD.findall(text.partition(b"\nend_head")[0])
    return {name.decode("ascii"): value.decode("ascii", "replace") for name, value in fields}


def why_unreadable(header: Mapping[str, str]) -> tuple[str, str] | None:
    """Return what in a header keeps libsndfile from reading, and what to do about it; ``None`` if nothing does."""
    coding = header.get("sample_coding", "pcm")
    if "," in coding:
        return f"is compressed inside ({coding})", "unpack it with NIST's or the LDC's tools, such as sph2pipe"
    for name in ("sample_rate", "channel_count"):
        if not header.get(name, "").isdecimal():
            return f"the SPHERE header lacks {name}", "copy it again"
    return None
