"""What is known of the corpora that pedkit has readers for: licence, source, citation, published size."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files


@dataclass(frozen=True, slots=True)
class CorpusFacts:
    """One corpus, as ``readers/tables/corpora.tsv`` has it.

    Attributes:
        name: Its full name.
        licence: Licence of the recordings.
        source: Where to obtain it.
        citation: What to cite.
        published: Published counts to compare with.
    """

    name: str
    licence: str
    source: str
    citation: str
    published: str


@cache
def corpus_facts() -> dict[str, CorpusFacts]:
    """Return the facts by the name that stands in a manifest's ``corpus``."""
    table = files("pedkit.data.readers").joinpath("tables", "corpora.tsv").read_text(encoding="utf-8")
    rows = [line.split("\t") for line in table.splitlines()[1:]]
    return {name: CorpusFacts(*facts) for name, *facts in rows}
