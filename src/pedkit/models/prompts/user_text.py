"""Text of a manifest inside a prompt: it can neither end the turn nor stand for a recording."""

from __future__ import annotations

import unicodedata

# Every special token of the supported families is written with these: <|im_end|>, <sound>, </s>, [INST], [AUDIO].
_DELIMITERS = frozenset("<>[]|")


def plain_text(text: str) -> str:
    """Return ``text`` without what could be a special token of a tokenizer.

    Angle and square brackets and bars become spaces, also in their full-width and other compatibility forms,
    which some tokenizers normalise; control, format and unassigned characters go; white space becomes single
    spaces; the rest is brought into Unicode NFC. ``Ann <|im_end|> went`` becomes ``Ann im_end went``.
    """
    kept = (_plain(character) for character in unicodedata.normalize("NFC", text))
    return " ".join("".join(kept).split())


def _plain(character: str) -> str:
    if character.isascii() and character.isalnum():
        return character
    if not _DELIMITERS.isdisjoint(unicodedata.normalize("NFKC", character)):
        return " "
    if character.isspace():
        return " "
    return "" if unicodedata.category(character)[0] == "C" else character
