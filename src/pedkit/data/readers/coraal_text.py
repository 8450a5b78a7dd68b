"""The marks in CORAAL's transcripts, and the words that are left without them."""

from __future__ import annotations

import re
from dataclasses import dataclass

_NOTE = re.compile(r"\([^()]*\)")  # (pause 0.42), (laughing)
_SOUND = re.compile(r"<[^<>]*>")  # <laugh>
_UNCLEAR = re.compile(r"/[^/]*/")  # /RD-NAME-2/, /inaudible/, /?/, a best guess
_MARK = re.compile(f"{_NOTE.pattern}|{_SOUND.pattern}|{_UNCLEAR.pattern}")
_LEFT_OVER = re.compile(r"[()<>/]")


@dataclass(frozen=True, slots=True)
class Line:
    """One transcript line.

    Attributes:
        text: The words; empty where there are none.
        marks: What was taken out, in order: notes, sounds, unclear or redacted stretches.
        overlap: Whether somebody else speaks at the same time: the line has a square bracket.
        unclear: Whether something was said that ``text`` lacks or only guesses: a stretch in slashes, or a mark
            that is not closed.
    """

    text: str
    marks: tuple[str, ...]
    overlap: bool
    unclear: bool


def read_line(content: str) -> Line:
    """Take the marks out of a transcript line."""
    rest = _MARK.sub(" ", content)
    unclear = bool(_LEFT_OVER.search(rest)) or any(_UNCLEAR.fullmatch(mark) for mark in _MARK.findall(content))
    words = _LEFT_OVER.sub(" ", rest).replace("[", " ").replace("]", " ")
    return Line(
        text=" ".join(words.split()) if any(map(str.isalnum, words)) else "",
        marks=tuple(_MARK.findall(content)),
        overlap="[" in content or "]" in content,
        unclear=unclear,
    )
