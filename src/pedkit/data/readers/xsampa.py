"""X-SAMPA, the IPA in ASCII: one phone to one IPA symbol.

Letters and marks are those of J. C. Wells, "Computer-coding the IPA: a proposed extension of SAMPA" (1995),
without stress, boundaries and intonation, which are no phones (``tables/xsampa.tsv``).
"""

from __future__ import annotations

import functools
import unicodedata
from dataclasses import dataclass, field
from importlib.resources import files

from pedkit.errors import PedkitError
from pedkit.phones import is_vowel, normalize_ipa

_TIE = "\N{COMBINING DOUBLE INVERTED BREVE}"
_LENGTH = ("\N{MODIFIER LETTER TRIANGULAR COLON}", "\N{MODIFIER LETTER HALF TRIANGULAR COLON}")


@dataclass(slots=True)
class _Letter:
    code: str
    ipa: str
    marks: list[str] = field(default_factory=list)


def xsampa_to_ipa(phone: str) -> str:
    """Return the IPA symbol of one X-SAMPA phone, in the normal form of `pedkit.phones.normalize_ipa`.

    Several letters of one phone are tied (``tS`` is t͡ʃ, ``kp`` k͡p) unless one of them is a vowel (``ai``). Marks
    may come in any order; a mark that changes the letter does so from a distance (``t:``` is ʈː, ``d_j_<`` ɗʲ).

    Raises:
        PedkitError: It is empty or holds something that is no X-SAMPA.
    """
    letters: list[_Letter] = []
    rest = phone
    while rest:
        rest = _read_one(rest, letters, phone)
    if not letters:
        raise PedkitError(f"expected a phone in X-SAMPA, but got {phone!r}")
    if len(letters) == 1 or any(is_vowel(letter.ipa, "ipa") for letter in letters):
        return normalize_ipa("".join(letter.ipa + "".join(_ordered(letter.marks)) for letter in letters))
    lengths = [mark for letter in letters for mark in letter.marks if mark in _LENGTH]
    marked = (
        letter.ipa + "".join(mark for mark in _ordered(letter.marks) if mark not in _LENGTH) for letter in letters
    )
    return normalize_ipa(_TIE.join(marked) + "".join(lengths))


def _read_one(rest: str, letters: list[_Letter], phone: str) -> str:
    """Take the longest letter or mark from the front of ``rest`` and return what follows it."""
    known, marks = _table()
    fits = (rest[:size] for size in range(4, 0, -1))
    code = next((piece for piece in fits if piece in known or (piece in marks and letters)), "")
    changed = letters[-1].code + code if letters else code
    if code in known:
        letters.append(_Letter(code, known[code]))
    elif changed in known and code:
        letters[-1].code, letters[-1].ipa = changed, known[changed]
    elif code and marks[code]:  # the mark of implosives has no form of its own
        letters[-1].marks.append(marks[code])
    elif not code and rest[0] == "_" and letters:
        return rest[1:]  # a tie bar: k_p
    else:
        raise PedkitError(f"expected a phone in X-SAMPA, but got {phone!r}", hint=f"{rest!r} is none")
    return rest[len(code) :]


def _ordered(marks: list[str]) -> list[str]:
    """Put marks over and under the letter first, length last."""
    return sorted(marks, key=lambda mark: 2 * (mark in _LENGTH) + (not unicodedata.combining(mark)))


@functools.cache
def _table() -> tuple[dict[str, str], dict[str, str]]:
    text = files("pedkit.data.readers").joinpath("tables", "xsampa.tsv").read_text(encoding="utf-8")
    rows = [line.split("\t") for line in text.splitlines()[1:]]
    letters = {code: ipa for code, ipa, kind in rows if kind == "letter"}
    return letters, {code: ipa for code, ipa, kind in rows if kind == "mark"}
