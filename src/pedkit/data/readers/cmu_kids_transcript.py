"""What a child said, from a transcript of CMU Kids: words, phones between slashes, tags of noises.

``[begin_noise] the /W EH N T/ home, [end_nosie]``: words as the dictionary has them, phones as written, and
anything in brackets is no speech, however it is spelled.
"""

from __future__ import annotations

import re

from pedkit.data.readers.cmu_kids_tables import sphinx_phones
from pedkit.data.references import Referencer
from pedkit.errors import PedkitError

_TAG = re.compile(r"\[[^\[\]]*\]")
_NUMERALS = {"200": "two hundred"}
"""The one numeral of the transcripts, as it is read."""


def plain_words(text: str) -> str:
    """Return a prompt or transcript without tags and commas, and with its numeral in words.

    Raises:
        PedkitError: A bracket has no partner.
    """
    without = _TAG.sub(" ", text)
    if "[" in without or "]" in without:
        raise PedkitError(f"expected brackets in pairs, but got {text!r}")
    words = without.replace(",", " ").split()
    return " ".join(_NUMERALS.get(word, word) for word in words)


def said(text: str, words: Referencer) -> tuple[str, ...]:
    """Return the CMU-39 phones that a transcript stands for; none where it holds no speech.

    Args:
        text: The transcript.
        words: Pronounces the words (by its first pronunciation, because nobody wrote down which).

    Raises:
        PedkitError: A slash or bracket has no partner, a word has no pronunciation, or a symbol between slashes is
            no phone.
    """
    parts = plain_words(text).split("/")
    if len(parts) % 2 == 0:
        raise PedkitError(f"expected slashes in pairs, but got {text!r}")
    phones: list[str] = []
    for number, part in enumerate(parts):
        if number % 2:
            phones += sphinx_phones(part.replace("_", " ").split())
        elif part.strip():
            phones += words.of(part).canonical or ()
    return tuple(phones)
