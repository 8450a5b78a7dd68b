"""Soft equivalence: which phones count as the same in Soft PER, language by language."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Literal

import numpy as np

from pedkit.errors import PedkitError
from pedkit.phones.inventory import get_inventory
from pedkit.phones.soft_table import ALLOVERA_LANGUAGES, SoftTable, soft_spelling
from pedkit.phones.spelling import ARPABET_TO_IPA, TIMIT_TO_IPA

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: Names of the shipped tables, the default first, and ``none`` (equal only to itself).
SOFT_PRESETS = ("paper", "canonical", "allovera_only", "allophonic", "none")

# AlloVera writes the vowels of FACE, GOAT and NURSE so; the other diphthongs are in no table.
_ALLOVERA_SPELLING = {"eɪ": "e", "oʊ": "o", "ə˞": "ɹ̩", "ɚ": "ɹ̩"}
_TWO_LETTER_CODES = {
    "am": "amh", "zh": "cmn", "de": "deu", "en": "eng", "fr": "fra", "it": "ita", "jv": "jav", "ja": "jpn",
    "kk": "kaz", "ru": "rus", "es": "spa", "tl": "tgl", "fil": "tgl", "tr": "tur", "vi": "vie",
}  # fmt: skip


class SoftPhones:
    """Decides whether two phones are soft-equal in a language.

    Tier 0: the same phone. Tier 1: the same class, in every language. Tier 2: a pair of symbols that holds in this
    language; symbol to symbol, never through classes, so it is not transitive. The presets:

    - ``paper``: reconstruction of arXiv 2606.11639 that has its 62 classes, 254 phones and 90 pairs.
    - ``canonical``: merges by features over winning phonemes only (79 classes), the wording of that paper.
    - ``allovera_only``: no merges by features (130 classes).
    - ``allophonic``: a phoneme and its own allophones in this language, nothing else.
    - ``none``: equal only to itself.

    Args:
        preset: Name of a shipped table, or a ``SoftTable``.
        language: ISO 639-3 code, or a two-letter code or tag of a listed language (``en``, ``en-GB``). A language
            outside AlloVera's 14 has no Tier 2; a warning says so.
        inventory: Inventory of the phones. Its phones are looked up by their IPA spelling, anything else as IPA
            (eɪ and oʊ as AlloVera's e and o, ə˞ as its syllabic r).
        extra_pairs: Further pairs that are equal in this language, for example ``("t", "ɾ")``, the English flap. A
            third entry, ``("t", "ɾ", "eng")``, is the one language in which the pair holds. They count as Tier 2
            and hold whatever ``tiers`` says.
        tier1_scope: ``universal``: Tier 1 holds in every language; ``listed``: in AlloVera's languages only.
        tiers: The tiers of the table that hold: 1, 2 or both.

    Attributes:
        coverage: Number of pairs of Tier 2 that the table has for this language, in use or not.

    Raises:
        PedkitError: The preset, the inventory, the scope or a tier is unknown, or no language is given.
    """

    def __init__(
        self,
        preset: str | SoftTable = "paper",
        language: str = "eng",
        *,
        inventory: str = "cmu39",
        extra_pairs: Iterable[tuple[str, ...]] = (),
        tier1_scope: Literal["universal", "listed"] = "universal",
        tiers: Iterable[int] = (1, 2),
    ) -> None:
        self.table = _table(preset)
        self.preset = preset if isinstance(preset, str) else preset.name
        self.language = language_code(language)
        self.is_listed = self.language in ALLOVERA_LANGUAGES
        if tier1_scope not in ("universal", "listed"):
            raise PedkitError(f"expected the scope of Tier 1 to be universal or listed, but got {tier1_scope!r}")
        kept = tuple(tiers)
        if not kept or any(tier not in (1, 2) for tier in kept):
            raise PedkitError(f"expected tiers out of 1 and 2, but got {kept!r}", hint="preset none has no tier")
        if self.table is not None and not self.is_listed:
            warnings.warn(f"AlloVera does not list the language '{self.language}': no Tier 2 there", stacklevel=2)
        self._spelling = _spelling(inventory)
        self._classes: dict[str, int] = {}
        self._by_spelling: dict[str, str] = {}
        self._pairs: set[frozenset[str]] = set()
        self.coverage = 0 if self.table is None else self.table.coverage(self.language)
        if self.table is not None:
            with_tier1 = 1 in kept and (tier1_scope == "universal" or self.is_listed)
            self._index(self.table, with_tier1=with_tier1, with_tier2=2 in kept)
        for first, second, *languages in extra_pairs:
            if not languages or language_code(languages[0]) == self.language:
                self._pairs.add(frozenset({self._key(first), self._key(second)}))

    def _index(self, table: SoftTable, *, with_tier1: bool, with_tier2: bool) -> None:
        for number, group in enumerate(table.tier1):
            for symbol in group:
                self._classes[symbol] = number if with_tier1 else -1
                spelled = soft_spelling(symbol)
                if spelled not in self._by_spelling or symbol == spelled:
                    self._by_spelling[spelled] = symbol
        for pair, languages in table.tier2.items():
            if with_tier2 and self.language in languages:
                self._pairs.add(frozenset(soft_spelling(symbol) for symbol in pair))

    def tier(self, first: str, second: str) -> int | None:
        """Return 0 for the same phone, 1 or 2 for the tier that makes them equal, ``None`` if none does."""
        if first == second:
            return 0
        class1, class2 = self._class(first), self._class(second)
        if class1 is not None and class1 == class2 and class1 >= 0:
            return 1
        if frozenset({self._key(first), self._key(second)}) in self._pairs:
            return 2
        return None

    def equal(self, first: str, second: str) -> bool:
        """Return whether two phones count as the same."""
        return self.tier(first, second) is not None

    def known(self, phone: str) -> bool:
        """Return whether the table has the phone; one that it lacks equals only itself.

        With ``none`` there is no table to be missing from, so every phone counts as known.
        """
        return self.table is None or self._class(phone) is not None

    def matrix(self, phones: Sequence[str]) -> NDArray[np.bool_]:
        """Return for every two of ``phones`` whether they are equal: symmetric bool array (phones, phones)."""
        return np.array([[self.equal(a, b) for b in phones] for a in phones], dtype=bool).reshape(
            len(phones), len(phones)
        )

    def _ipa(self, phone: str) -> str:
        ipa = self._spelling.get(phone, phone)
        return _ALLOVERA_SPELLING.get(ipa, ipa)

    def _key(self, phone: str) -> str:
        return soft_spelling(self._ipa(phone))

    def _class(self, phone: str) -> int | None:
        ipa = self._ipa(phone)
        if ipa in self._classes:
            return self._classes[ipa]
        symbol = self._by_spelling.get(soft_spelling(ipa))
        return None if symbol is None else self._classes[symbol]


@functools.cache
def _load_preset(name: str) -> SoftTable:
    return SoftTable.preset(name)


def _table(preset: str | SoftTable) -> SoftTable | None:
    if isinstance(preset, SoftTable):
        return preset
    if preset not in SOFT_PRESETS:
        raise PedkitError(f"expected a soft preset out of {', '.join(SOFT_PRESETS)}, but got {preset!r}")
    return None if preset == "none" else _load_preset(preset)


def primary_subtag(language: str) -> str:
    """Return what a tag begins with, in lower case: ``en`` of ``en-GB`` (BCP 47) or ``en_GB``."""
    return language.lower().replace("_", "-").split("-")[0]


def language_code(language: str) -> str:
    """Return the ISO 639-3 code that a code or tag (``eng``, ``en``, ``en-GB``) of a listed language stands for.

    Raises:
        PedkitError: It is no such code.
    """
    if not isinstance(language, str) or not language:
        raise PedkitError(f"expected a language code such as 'eng', but got {language!r}")
    code = primary_subtag(language)
    code = _TWO_LETTER_CODES.get(code, code)
    if not (len(code) == 3 and code.isascii() and code.isalpha()):
        raise PedkitError(f"expected an ISO 639-3 code of three letters such as 'eng', but got {language!r}")
    return code


def _spelling(inventory: str) -> dict[str, str]:
    get_inventory(inventory)
    if inventory == "ipa":
        return {}
    return ARPABET_TO_IPA if inventory == "cmu39" else TIMIT_TO_IPA
