"""Texts in one form before their words are compared."""

from __future__ import annotations

import re
import unicodedata

_APOSTROPHES = str.maketrans({"’": "'", "‘": "'", "ʼ": "'", "＇": "'", "`": "'"})
_LOOSE_APOSTROPHE = re.compile(r"(?<!\w)'|'(?!\w)")


def normal_form(text: str, form: str = "basic") -> str:
    """Return the text with one blank between words.

    Args:
        text: What was said or heard.
        form: ``basic``: Unicode NFKC, lower case, everything but letters, marks, digits and apostrophes inside
            words becomes a blank. ``none``: words as they are, for texts that another normaliser went over.

    Example:
        >>> normal_form("Don’t stop -- it's 5 o'clock, 'now'!")
        "don't stop it's 5 o'clock now"
    """
    if form == "basic":
        text = unicodedata.normalize("NFKC", text.translate(_APOSTROPHES)).lower()
        text = "".join(char if char == "'" or unicodedata.category(char)[0] in "LMN" else " " for char in text)
        text = _LOOSE_APOSTROPHE.sub(" ", text)
    return " ".join(text.split())
