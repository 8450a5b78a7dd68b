"""JSON that ends in the middle: what it says up to there."""

from __future__ import annotations

import json
import re
from typing import Any

#: Marks in a completed value the place where the text ended inside a string; a private-use character.
CUT = "\ue0ff"

_PARTIAL_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{0,3})?")
_PARTIAL_LITERAL = re.compile(r"t|tr|tru|f|fa|fal|fals|n|nu|nul|-?\d+(?:\.\d*)?(?:[eE][-+]?\d*)?|-")
_OF_LITERALS = "+-.0123456789Eaeflnrstu"
_CLOSERS = {"{": "}", "[": "]"}
# In turn: only brackets are missing; a value; a colon and a value; a member after a comma.
_ENDINGS = ("", "null", ":null", '"":null')


def complete(text: str) -> Any:
    """Return the value of JSON text that was cut off, or ``None`` where it is not the beginning of any.

    A string that was cut ends in `CUT`; a member whose value is missing has the value ``None``.
    """
    text = text.replace(CUT, "")
    body, closers = _closed(text)
    candidates = [body + ending for ending in _ENDINGS]
    before = body.rstrip(_OF_LITERALS)
    if _PARTIAL_LITERAL.fullmatch(body, len(before)):
        candidates.append(before + "null")
    for candidate in candidates:
        try:
            return json.loads(candidate + closers, parse_int=float)  # int() refuses long numbers
        except (ValueError, RecursionError):
            continue
    return None


def _closed(text: str) -> tuple[str, str]:
    """Return the text with an open string closed, and the brackets that are missing after it."""
    stack: list[str] = []
    in_string, escape = False, -1
    for index, character in enumerate(text):
        if in_string:
            if escape == index - 1 and escape >= 0:
                continue
            if character == "\\":
                escape = index
            elif character == '"':
                in_string = False
        elif character == '"':
            in_string, escape = True, -1
        elif character in _CLOSERS:
            stack.append(_CLOSERS[character])
        elif character in "]}" and stack:
            stack.pop()
    if in_string:
        if escape >= 0 and _PARTIAL_ESCAPE.fullmatch(text, escape):
            text = text[:escape]
        text += CUT + '"'
    return text, "".join(reversed(stack))
