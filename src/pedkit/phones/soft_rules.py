"""The rules that make the soft-equivalence tables from AlloVera and a table of segment features.

A reconstruction of the Soft PER of arXiv 2606.11639, whose own tables are not public. With the default rules and
the feature table of PHOIBLE's development repository they give the published 62 classes, 254 phones and 90 pairs.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pedkit.errors import PedkitError
from pedkit.phones.allovera import Allophone
from pedkit.phones.soft_table import SoftTable, soft_spelling


@dataclass(frozen=True, slots=True, kw_only=True)
class SoftRules:
    """How a table is made.

    Attributes:
        pool: Which symbols may merge by features: ``all``, ``canonical`` (winning phonemes only, the paper's
            wording) or ``none``.
        protected: Features that must agree for a merge; of all others exactly one may differ.
        priority: Language whose row wins a phone over every other's.
        row: Whether the ``first`` or the ``last`` row of a phone wins, within a language and over languages.
        respell: Whether symbols are looked up among the features in the spelling of ``soft_spelling``, or as they
            are written.
        cross_language: Whether Tier 2 pairs the winning phoneme only with those of other languages, or with those
            of its own language too.
        both_known: Whether a Tier 2 pair needs both phonemes in the feature table.
        tags: The languages of a Tier 2 pair: the two whose mappings make it (``pair``), or all that have either
            of the two mappings (``all``).
    """

    pool: Literal["all", "canonical", "none"] = "all"
    protected: tuple[str, ...] = ("tone", "stress", "periodicGlottalSource")
    priority: str = "eng"
    row: Literal["first", "last"] = "last"
    respell: bool = True
    cross_language: bool = True
    both_known: bool = True
    tags: Literal["pair", "all"] = "pair"


def read_features(path: str | Path) -> dict[str, dict[str, str]]:
    """Read a tab-separated feature table: a column ``segment``, the other columns features.

    Raises:
        PedkitError: There is no column ``segment``.
    """
    lines = Path(path).read_text(encoding="utf-8").splitlines()
    header = lines[0].split("\t")
    if "segment" not in header:
        raise PedkitError(f"expected a column 'segment', but got {', '.join(header)}", file=path, line=1)
    rows = [dict(zip(header, line.split("\t"), strict=True)) for line in lines[1:]]
    return {row["segment"]: {k: v for k, v in row.items() if k not in ("segment", "class")} for row in rows}


def derive(
    name: str,
    allophones: Sequence[Allophone],
    features: Mapping[str, Mapping[str, str]],
    rules: SoftRules = SoftRules(),
    sources: Mapping[str, str] | None = None,
) -> SoftTable:
    """Make a table with two tiers.

    Tier 1: every phone is united with the phoneme that wins it, then symbols that differ in exactly one
    unprotected feature are united, and classes close transitively. Tier 2: the winning phoneme of a phone pairs
    with every phoneme that another language gives the same phone, if both are in ``features``; the pair holds in
    those two languages. ``rules`` can loosen each of these.

    Args:
        name: Name of the table.
        allophones: Rows of AlloVera in the order of languages (`pedkit.phones.allovera.read_allovera`).
        features: Segment -> feature -> value (``read_features``).
        rules: The choices.
        sources: What the table is made from, kept in it.
    """
    winners = _winners(allophones, rules)
    phonemes = {phoneme for _, phoneme in winners.values()}
    symbols = set(winners) | phonemes
    # Only the symbol is respelled: a segment that the table writes otherwise counts as not in it.
    spell = soft_spelling if rules.respell else str
    known = {s: features[spell(s)] for s in symbols if spell(s) in features}
    pool: set[str] = {"all": symbols, "canonical": phonemes, "none": set()}[rules.pool]
    edges = [(phone, phoneme) for phone, (_, phoneme) in winners.items()]
    edges += _neighbours({s: known[s] for s in sorted(pool & known.keys())}, rules.protected)
    counted = {a.phoneme for a in allophones if spell(a.phoneme) in features} if rules.both_known else None
    tier2 = _pairs(allophones, winners, counted, rules)
    return SoftTable(name, _classes(symbols, edges), tier2, winners, sources or {})


def _pairs(
    allophones: Sequence[Allophone],
    winners: Mapping[str, tuple[str, str]],
    known: set[str] | None,
    rules: SoftRules,
) -> dict[frozenset[str], frozenset[str]]:
    """Return the pairs of Tier 2 with their languages; ``known`` limits the phonemes that may pair."""
    owners: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
    for language, phone, phoneme in allophones:
        owners[phone, phoneme].add(language)
    tier2: dict[frozenset[str], frozenset[str]] = {}
    for language, phone, phoneme in allophones:
        winner, winning = winners[phone]
        pair = frozenset({phoneme, winning})
        if len(pair) == 1 or (rules.cross_language and language == winner):
            continue
        if known is not None and not pair <= known:
            continue
        tags = {language, winner} if rules.tags == "pair" else owners[phone, phoneme] | owners[phone, winning]
        tier2[pair] = tier2.get(pair, frozenset()) | tags
    return tier2


def derive_allophonic(allophones: Sequence[Allophone], sources: Mapping[str, str] | None = None) -> SoftTable:
    """Make the table ``allophonic``: in each language a phoneme and its phones are equal to each other.

    Phones that are themselves phonemes of the language are left out, nothing is borrowed between languages and
    nothing closes transitively. Symbols are in the spelling of ``soft_spelling``.
    """
    rows = [Allophone(a.language, soft_spelling(a.phone), soft_spelling(a.phoneme)) for a in allophones]
    tier2: dict[frozenset[str], frozenset[str]] = {}
    for language in dict.fromkeys(row.language for row in rows):
        own = [row for row in rows if row.language == language]
        phonemes = {row.phoneme for row in own}
        for phoneme in phonemes:
            group = {row.phone for row in own if row.phoneme == phoneme} - phonemes | {phoneme}
            for pair in map(frozenset, itertools.combinations(group, 2)):
                tier2[pair] = tier2.get(pair, frozenset()) | {language}
    symbols = {row.phone for row in rows} | {row.phoneme for row in rows}
    return SoftTable("allophonic", tuple(frozenset({s}) for s in sorted(symbols)), tier2, {}, sources or {})


def _winners(allophones: Iterable[Allophone], rules: SoftRules) -> dict[str, tuple[str, str]]:
    winners: dict[str, tuple[str, str]] = {}
    for language, phone, phoneme in allophones:
        current = winners.get(phone)
        if current is not None:
            promoted = language == rules.priority and current[0] != rules.priority
            demoted = language != rules.priority and current[0] == rules.priority
            if demoted or (rules.row == "first" and not promoted):
                continue
        winners[phone] = (language, phoneme)
    return winners


def _neighbours(vectors: Mapping[str, Mapping[str, str]], protected: Sequence[str]) -> list[tuple[str, str]]:
    """Return the pairs of symbols that differ in exactly one feature, which is not a protected one."""
    edges = []
    for (first, a), (second, b) in itertools.combinations(vectors.items(), 2):
        different = [feature for feature in a if a[feature] != b[feature]]
        if len(different) == 1 and different[0] not in protected:
            edges.append((first, second))
    return edges


def _classes(symbols: Iterable[str], edges: Iterable[tuple[str, str]]) -> tuple[frozenset[str], ...]:
    groups = {symbol: {symbol} for symbol in symbols}
    for first, second in edges:
        joined, absorbed = groups[first], groups[second]
        if joined is not absorbed:
            joined |= absorbed
            for symbol in absorbed:
                groups[symbol] = joined
    distinct = {id(group): frozenset(group) for group in groups.values()}
    return tuple(sorted(distinct.values(), key=sorted))
