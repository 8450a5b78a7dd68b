"""IPA text: one normal form, and a tokenizer that never loses a symbol."""

from __future__ import annotations

import functools
import unicodedata

TIE = "\N{COMBINING DOUBLE INVERTED BREVE}"
SYLLABIC_MARKS = frozenset("\N{COMBINING VERTICAL LINE BELOW}\N{COMBINING VERTICAL LINE ABOVE}")
RHOTIC_HOOK = "\N{MODIFIER LETTER RHOTIC HOOK}"
#: Part of the letter ç once it is decomposed, so never a mark that can be stripped.
CEDILLA = "\N{COMBINING CEDILLA}"

#: English phones that IPA writes with two letters.
TWO_LETTER_PHONES = frozenset({"tʃ", "dʒ", "aɪ", "aʊ", "eɪ", "oʊ", "ɔɪ", "əʊ"})
# Joined in flat text where no boundary stands between; as separate tokens ɜ and ɹ are two phones (furry).
_FLAT_UNITS = TWO_LETTER_PHONES | {"ɜɹ"}

_AFFRICATES = frozenset({"tʃ", "dʒ", "ts", "dz", "tɕ", "dʑ", "ʈʂ", "ɖʐ", "pf"})
_BOUNDARIES = frozenset("ˈˌ'.|‖‿▁/[]()-")
# Categories of marks: combining, modifier letters, tone letters and the rhotic hook.
_MARK_CATEGORIES = frozenset({"Mn", "Lm", "Sk"})
_MARK_CHARACTERS = frozenset('0123456789¹²³:^"')

_LOOK_ALIKES = str.maketrans(
    {
        "g": "\N{LATIN SMALL LETTER SCRIPT G}",
        ":": "\N{MODIFIER LETTER TRIANGULAR COLON}",
        "\N{COMBINING DOUBLE BREVE BELOW}": TIE,
        "\N{RIGHT SINGLE QUOTATION MARK}": "\N{MODIFIER LETTER APOSTROPHE}",
        "\N{CYRILLIC SMALL LETTER SCHWA}": "ə",
        "\N{LATIN SMALL LETTER TURNED E}": "ə",
        "\N{GREEK SMALL LETTER EPSILON}": "ɛ",
        "\N{GREEK SMALL LETTER PHI}": "ɸ",
        "\N{LATIN SMALL LETTER BETA}": "β",
        "\N{LATIN SMALL LETTER CHI}": "χ",
        "\N{LATIN SMALL LETTER IOTA}": "ɪ",
        "\N{LATIN SMALL LETTER CLOSED OMEGA}": "ʊ",
        "ɚ": "ə" + RHOTIC_HOOK,
        "ɝ": "ɜ" + RHOTIC_HOOK,
        "ʧ": f"t{TIE}ʃ",
        "ʤ": f"d{TIE}ʒ",
        "ʦ": f"t{TIE}s",
        "ʣ": f"d{TIE}z",
        "ʨ": f"t{TIE}ɕ",
        "ʥ": f"d{TIE}ʑ",
    }
)


def normalize_ipa(text: str) -> str:
    """Return ``text`` in pedkit's one normal form: Unicode NFD, IPA letters for their look-alikes and ligatures.

    So ``g`` (U+0067) becomes ``ɡ`` (U+0261), ``ʤ`` becomes ``d͡ʒ``, ``ɚ`` becomes ``ə˞``, a colon the length mark.
    """
    return unicodedata.normalize("NFD", unicodedata.normalize("NFD", text).translate(_LOOK_ALIKES))


def is_boundary(character: str) -> bool:
    """Return True for white space, stress marks, syllable dots, brackets: what separates symbols and is none."""
    return character in _BOUNDARIES or character.isspace()


@functools.lru_cache(maxsize=4096)
def is_mark(character: str) -> bool:
    """Return True for a diacritic, modifier letter, tone letter or digit: they belong to the letter before."""
    if character in _BOUNDARIES:
        return False
    return character in _MARK_CHARACTERS or unicodedata.category(character) in _MARK_CATEGORIES


def strip_marks(symbol: str, keep: frozenset[str] = frozenset({CEDILLA})) -> str:
    """Return a normalised symbol without its marks, those in ``keep`` excepted."""
    return "".join(c for c in symbol if c in keep or not is_mark(c))


def tie_affricate(symbol: str) -> str:
    """Return a normalised symbol with a tie bar if its two letters are an affricate: ``tʃʰ`` becomes ``t͡ʃʰ``."""
    if TIE in symbol or strip_marks(symbol) not in _AFFRICATES:
        return symbol
    second = next(i for i, c in enumerate(symbol) if i and not is_mark(c))
    return symbol[:second] + TIE + symbol[second:]


def tokenize_ipa(text: str) -> tuple[str, ...]:
    """Split flat IPA text into symbols, in the normal form of ``normalize_ipa``.

    A symbol is a letter and the marks after it; letters under a tie bar are one symbol, and so are the two
    letters of the English affricates and diphthongs (``tʃ``, ``aɪ``) unless a boundary stands between them: "hæt
    ʃɑp" and "nʌtˈʃɛl" keep T and SH apart. Boundaries (white space, stress marks, dots, brackets) are not symbols.
    Nothing else is left out: joining the result gives the normalised text without its boundaries. Marks at the
    very start have no letter to belong to and form a symbol of their own.
    """
    symbols: list[str] = []
    base, adjacent, tied = "", False, False
    for character in normalize_ipa(text):
        if is_boundary(character):
            adjacent = tied = False
        elif is_mark(character) and symbols:
            symbols[-1] += character
            tied = tied or character == TIE
        elif symbols and adjacent and (tied or base + character in _FLAT_UNITS):
            symbols[-1] += character
            base, tied = base + character, False
        else:
            symbols.append(character)
            base, adjacent, tied = "" if is_mark(character) else character, True, False
    return tuple(symbols)
