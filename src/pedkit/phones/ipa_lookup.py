"""Looking up one IPA symbol."""

from __future__ import annotations

from collections.abc import Callable

from pedkit.phones.inventory import get_inventory
from pedkit.phones.ipa import (
    CEDILLA,
    RHOTIC_HOOK,
    SYLLABIC_MARKS,
    TIE,
    is_boundary,
    is_mark,
    normalize_ipa,
    strip_marks,
    tie_affricate,
    tokenize_ipa,
)
from pedkit.phones.policy import ProjectionPolicy
from pedkit.phones.projection_table import Entry, load_table

_UNKNOWN_TOKENS = frozenset({"<unk>", "[UNK]"})
# Marks that change which phone it is; the first look-up keeps them.
_TELLING_MARKS = frozenset({CEDILLA, RHOTIC_HOOK}) | SYLLABIC_MARKS


class IpaLookup:
    """IPA symbol to CMU-39: as it came, in normal form, without minor marks, without any mark, in parts.

    Args:
        policy: The choices for ambiguous classes.
    """

    def __init__(self, policy: ProjectionPolicy) -> None:
        self._table = load_table("ipa", policy)
        self._syllabic = policy.syllabic

    def __call__(self, symbol: str) -> Entry:
        """Return what ``symbol`` becomes; what no rule knows is dropped with that reason."""
        form = normalize_ipa(symbol)
        for candidate in (symbol, form, strip_marks(form, _TELLING_MARKS)):
            if candidate in self._table:
                return _blamed_on(symbol, self._table[candidate])
        if all(is_mark(c) for c in form):
            return Entry((), (symbol,), "mark without a letter before it")
        bare = self._table.get(strip_marks(form))
        if bare is not None:
            return self._with_marks(_blamed_on(symbol, bare), form)
        return self._in_parts(symbol, form.replace(TIE, ""))

    def _with_marks(self, bare: Entry, form: str) -> Entry:
        """Apply a syllabic mark on a consonant (policy) and an r-colour on a vowel."""
        if len(bare.phones) != 1:
            return bare
        phone = bare.phones[0]
        if get_inventory("cmu39").is_vowel(phone):
            if RHOTIC_HOOK in form and phone != "ER":
                return Entry((phone, "R"), (), f"{bare.reason}; with r-colour")
        elif self._syllabic == "schwa" and not SYLLABIC_MARKS.isdisjoint(form):
            return Entry(("AH", phone), (), f"{bare.reason}; syllabic [syllabic=schwa]")
        return bare

    def _in_parts(self, symbol: str, form: str) -> Entry:
        parts = tokenize_ipa(form)
        if not parts:
            return Entry((), (), "boundary or stress mark", ignored=True)
        if parts == (form,):
            return Entry((), (symbol,), "unknown symbol")
        return _combine([self(part) for part in parts], f"read in parts: {' '.join(parts)}")


def _combine(entries: list[Entry], reason: str) -> Entry:
    phones = tuple(phone for entry in entries for phone in entry.phones)
    dropped = tuple(lost for entry in entries for lost in entry.dropped)
    return Entry(phones, dropped, reason, unknown=any(entry.unknown for entry in entries))


def _blamed_on(symbol: str, entry: Entry) -> Entry:
    """Return the entry with what it drops named as it came."""
    return entry._replace(dropped=(symbol,)) if entry.dropped else entry


def ipa_identity(policy: ProjectionPolicy) -> Callable[[str], Entry]:
    """Return the look-up that brings IPA symbols into normal form and leaves them IPA."""
    table = load_table("ipa", policy)
    letters = {c for row in table for c in row if not (c.isascii() and c.isupper())}

    def look_up(symbol: str) -> Entry:
        if len(symbol.split()) > 1:
            return _combine([look_up(piece) for piece in symbol.split()], "separated by white space")
        row = table.get(symbol)
        if row is not None and row.ignored:
            return row
        form = "".join(c for c in normalize_ipa(symbol) if not is_boundary(c))
        if not form:
            return Entry((), (), "boundary or stress mark", ignored=True)
        if strip_marks(symbol) in _UNKNOWN_TOKENS or all(is_mark(c) for c in form):
            return Entry((), (symbol,), "no letter of the IPA")
        known = all(c in letters for c in strip_marks(form))
        return Entry((tie_affricate(form),), (), "in normal form", unknown=not known)

    return look_up
