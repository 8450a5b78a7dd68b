"""Written English to the words that somebody says, in the form in which a pronouncing dictionary has them.

The rules, in this order:

1. Typographic apostrophes become ``'``. White space, slashes, dashes and ``--`` part words.
2. Punctuation around a word is removed. Case never matters.
3. The dictionary decides about apostrophes, hyphens, dots and accents: a word is looked up as it stands
   (``'cause``, ``x-ray``), without apostrophes around it, with a dot behind it (``a.m.``), and without accents
   (``café``). Where a dot is written behind a word that has one inside, or letters but no vowel, it is first
   looked up with the dot: ``U.S.`` is not *us*, ``vs.`` not the letters; but ``in.`` is *in* at the end of a
   sentence.
4. A word with hyphens that the dictionary lacks is said in its parts (``well-behaved``).
5. Numerals and signs (``1984``, ``5th``, ``&``, ``%``) are never spelled out, because they can be read in several
   ways, and a word that breaks off (``beca-``) is no word: both are unknown to every dictionary and to any G2P.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from pedkit.phones import Lexicon

_APOSTROPHES = str.maketrans(dict.fromkeys("‘’ʼ`´", "'"))
_BETWEEN_WORDS = re.compile(r"\s+|/+|[—–―]+|--+|\.{2,}|…+")
_SPOKEN_SIGNS = frozenset("&%$€£¥@#+=<>°§©®^")
_VOWEL_LETTERS = frozenset("aeiouy")
_HYPHENS = str.maketrans(dict.fromkeys("‐‑−", "-"))


@dataclass(frozen=True, slots=True)
class SpokenWord:
    """One word of a text.

    Attributes:
        text: As written, without the punctuation around it; a dot that is part of ``form`` is there.
        form: As it is looked up, in lower case.
        letters: Whether ``form`` is made of Latin letters and apostrophes only, so that a G2P may pronounce it;
            False for numerals, signs and words that break off.
    """

    text: str
    form: str
    letters: bool


def spoken_words(text: str, lexicon: Lexicon) -> list[SpokenWord]:
    """Return the words of ``text`` (see the rules of this module).

    Args:
        text: One line of English.
        lexicon: The dictionary in which they will be looked up.
    """
    return [word for chunk in chunks(text) for word in words_of(chunk, lexicon)]


def chunks(text: str) -> list[str]:
    """Return what stands between white space, slashes and dashes, by rule 1."""
    plain = unicodedata.normalize("NFC", text).translate(_APOSTROPHES).translate(_HYPHENS)
    return [chunk for chunk in _BETWEEN_WORDS.split(plain) if chunk]


def words_of(chunk: str, lexicon: Lexicon) -> tuple[SpokenWord, ...]:
    """Return the words of one chunk, by rules 2 to 5."""
    return tuple(_words_of(chunk, lexicon))


def _words_of(chunk: str, lexicon: Lexicon) -> Iterator[SpokenWord]:
    word, has_dot = _without_punctuation(chunk)
    if not word:
        return
    if word.endswith("-"):
        yield SpokenWord(word, word.lower(), letters=False)
        return
    word = word.lstrip("-")
    form = next((form for form in _forms(word.lower(), has_dot) if form in lexicon), None)
    if form is None and "-" in word:
        for part in word.split("-"):
            yield from _words_of(part, lexicon)
    else:
        shown = word.strip("'") if form is None else word
        if form == f"{word.lower()}.":
            shown += "."
        form = form or shown.lower()
        yield SpokenWord(shown, form, letters=all(map(_is_letter, form)))


def _without_punctuation(chunk: str) -> tuple[str, bool]:
    """Return the word in a chunk, "" where there is none, and whether a dot stands right behind it."""
    start, end = 0, len(chunk)
    while start < end and _is_punctuation(chunk[start]):
        start += 1
    while start < end and _is_punctuation(chunk[end - 1]):
        end -= 1
    word = chunk[start:end]
    return word if word.strip("'-") else "", chunk[end : end + 1] == "."


def _is_punctuation(character: str) -> bool:
    return (
        character not in "'-"
        and character not in _SPOKEN_SIGNS
        and unicodedata.category(character)[0] not in "LMN"
    )


def _forms(word: str, has_dot: bool) -> Iterator[str]:
    """Yield the spellings under which a dictionary may have ``word``, the likeliest first."""
    if has_dot and ("." in word or (len(word) > 1 and _VOWEL_LETTERS.isdisjoint(word))):
        yield f"{word}."
    yield from (word, word.rstrip("'"), word.lstrip("'"), word.strip("'"), f"{word}.")
    bare = "".join(c for c in unicodedata.normalize("NFD", word) if not unicodedata.combining(c))
    if bare != word:
        yield bare


def _is_letter(character: str) -> bool:
    return character == "'" or (character.isalpha() and unicodedata.name(character, "").startswith("LATIN"))
