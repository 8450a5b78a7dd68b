"""Words into phrases: what is between two pauses. A request says where words begin, not where to breathe."""

from __future__ import annotations

import math
from collections.abc import Sequence

from synthetic.engines.protocol import SpeechRequest

MOST_WORDS = 8
"""Of a phrase. espeak-ng overruns a buffer of its own, and crashes, near 40 words or 300 phones."""
MOST_PHONES = 60
"""Of a phrase of more than one word."""


def phrases(request: SpeechRequest) -> list[list[tuple[str, ...]]]:
    """Return the words in phrases of about equal numbers of words, none longer than a breath.

    Returns:
        Phrases of words of phones; together they are ``request.phones``.
    """
    words = request.words()
    size = math.ceil(len(words) / math.ceil(len(words) / MOST_WORDS))
    return [part for at in range(0, len(words), size) for part in _short(words[at : at + size])]


def _short(words: Sequence[tuple[str, ...]]) -> list[list[tuple[str, ...]]]:
    out: list[list[tuple[str, ...]]] = [[]]
    phones = 0
    for word in words:
        if out[-1] and phones + len(word) > MOST_PHONES:
            out.append([])
            phones = 0
        out[-1].append(word)
        phones += len(word)
    return out
