"""Pairs of phones that diphone voices have no recording of: ``tables/missing_diphones.tsv``.

Flite and festival put something else there and MBROLA stops, so such a pair cannot be said. The table was made by
asking each voice for all pairs of its phones and pauses (flite 2.2, festival 2.5, mbrola 3.3); a test asks again.
"""

from __future__ import annotations

import csv
import functools
import itertools
from collections.abc import Mapping, Sequence

from synthetic.engines.phone_map import TABLES


@functools.cache
def _table() -> Mapping[tuple[str, str], frozenset[str]]:
    with (TABLES / "missing_diphones.tsv").open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        return {(row["engine"], row["voice"]): frozenset(row["missing"].split()) for row in rows}


def missing_diphones(engine: str, voice: str) -> frozenset[str]:
    """Return the pairs, as ``hh-k``, that a voice lacks."""
    return _table().get((engine, voice), frozenset())


def with_gaps(
    phones: Sequence[str], symbols: Sequence[Sequence[str]], *, engine: str, voice: str, pause: str
) -> tuple[str, ...]:
    """Return phones with a mark, such as ``<hh-k>``, wherever the voice cannot join two of them.

    Args:
        phones: What is to be said.
        symbols: The same phones as the engine writes them, in phrases; pauses are between and around these.
        engine: Name of the engine.
        voice: Name of the voice.
        pause: How the engine writes a pause.
    """
    missing = missing_diphones(engine, voice)
    if not missing:
        return tuple(phones)
    out: list[str] = []
    said = iter(phones)
    for phrase in symbols:
        for number, (before, after) in enumerate(itertools.pairwise([pause, *phrase, pause])):
            if f"{before}-{after}" in missing:
                out.append(f"<{before}-{after}>")
            if number < len(phrase):
                out.append(next(said))
    return tuple(out)
