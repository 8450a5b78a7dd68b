"""File names for texts that may hold anything and be of any length, such as ids."""

from __future__ import annotations

from hashlib import blake2b
from urllib.parse import quote

LONGEST = 200
"""Characters; file systems take 255."""


def file_name(text: str, ending: str = "") -> str:
    """Return a file name: readable where it can be, another one for every text.

    Args:
        text: Any text; signs that file systems or shells do not like are written as ``%XX``.
        ending: What the name ends in.

    >>> file_name("a/b", ".TextGrid")
    'a%2Fb.TextGrid'
    """
    name = quote(text, safe=" ")
    if name.startswith("."):  # a hidden file, or the folder above
        name = f"%2E{name[1:]}"
    if len(name) + len(ending) > LONGEST:
        digest = blake2b(text.encode(), digest_size=8).hexdigest()
        name = f"{name[: LONGEST - len(ending) - len(digest) - 1]}-{digest}"
    return name + ending
