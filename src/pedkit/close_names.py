"""What a mistyped name may have meant."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


def did_you_mean(name: object, known: Iterable[str]) -> str:
    """Return ``did you mean 'x'?`` for the known name closest to this one, nothing where none is close."""
    close = difflib.get_close_matches(str(name), list(known), n=1)
    return f"did you mean {close[0]!r}?" if close else ""


def guess(name: object, known: Iterable[str]) -> str:
    """Return the same as the end of a sentence: ``; did you mean 'x'?``."""
    question = did_you_mean(name, known)
    return f"; {question}" if question else ""
