"""Looking up one symbol: from a source symbol to the phones it becomes."""

from __future__ import annotations

from collections.abc import Callable

from pedkit.errors import PedkitError
from pedkit.phones.inventory import get_inventory, unknown_phone
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
from pedkit.phones.spelling import strip_stress
from pedkit.phones.timit import FOLDS

Lookup = Callable[[str], Entry]

_CMU_HINT = "strip_stress removes stress digits; the source 'arpabet' takes them"
_UNKNOWN_TOKENS = frozenset({"<unk>", "[UNK]"})
# Marks that change which phone it is; the first look-up keeps them.
_TELLING_MARKS = frozenset({CEDILLA, RHOTIC_HOOK}) | SYLLABIC_MARKS


def make_lookup(source: str, target: str, policy: ProjectionPolicy) -> Lookup:
    """Return the function from a symbol of ``source`` to its ``Entry`` in ``target``.

    Raises:
        PedkitError: There is no projection between the two.
    """
    if source == target == "ipa":
        return _ipa_identity(policy)
    if source == target:
        return _fold(source, {phone: phone for phone in get_inventory(source).phones})
    if (source, target) in FOLDS:
        return _fold(source, FOLDS[source, target])
    if target == "cmu39" and source == "ipa":
        return IpaLookup(policy)
    if target == "cmu39" and source in ("timit61", "arpabet"):
        return _arpabet(source, policy)
    raise PedkitError(
        f"there is no projection from '{source}' onto '{target}'",
        hint="known: ipa, arpabet and timit61 onto cmu39; timit61, timit48 and cmu39 onto timit39; "
        "timit61 and cmu39 onto timit48; each inventory onto itself",
    )


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
        entries = [self(part) for part in parts]
        return Entry(
            tuple(phone for entry in entries for phone in entry.phones),
            tuple(lost for entry in entries for lost in entry.dropped),
            f"read in parts: {' '.join(parts)}",
        )


def _blamed_on(symbol: str, entry: Entry) -> Entry:
    """Return the entry with what it drops named as it came."""
    return entry._replace(dropped=(symbol,)) if entry.dropped else entry


def _ipa_identity(policy: ProjectionPolicy) -> Lookup:
    table = load_table("ipa", policy)
    letters = {c for row in table for c in row if not (c.isascii() and c.isupper())}

    def look_up(symbol: str) -> Entry:
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


def _fold(source: str, mapping: dict[str, str]) -> Lookup:
    inventory = get_inventory(source)

    def look_up(symbol: str) -> Entry:
        if symbol in mapping:
            return Entry((mapping[symbol],), (), "named map between inventories")
        if symbol not in inventory:
            raise unknown_phone(symbol, inventory, _CMU_HINT if source == "cmu39" else None)
        return Entry((), (symbol,), "has no class in the folded inventory")

    return look_up


def _arpabet(source: str, policy: ProjectionPolicy) -> Lookup:
    table = load_table("arpabet", policy)
    inventory = get_inventory("timit61")

    def look_up(symbol: str) -> Entry:
        if source == "timit61" and symbol not in inventory:
            raise unknown_phone(symbol, inventory)
        key = symbol if source == "timit61" else strip_stress([symbol.lower()])[0]
        return table.get(key, Entry((), (symbol,), "unknown symbol"))

    return look_up
