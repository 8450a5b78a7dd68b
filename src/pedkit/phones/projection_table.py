"""The hand-made tables behind the projection onto CMU-39: one row a symbol and policy, each with its reason."""

from __future__ import annotations

import functools
from typing import NamedTuple

from pedkit.phones._tables import read_tsv
from pedkit.phones.policy import ProjectionPolicy


class Entry(NamedTuple):
    """What a symbol becomes.

    Attributes:
        phones: The CMU-39 phones, 0 to 3 of them (more only for unlisted symbols that are read in parts).
        dropped: The symbol, or the parts of it, that stood for a sound and became no phone.
        reason: Why, in words.
        ignored: True for what is no sound at all: boundaries, silence, special tokens of a model.
        unknown: True for a symbol that is kept although no table knows it (open inventory only).
    """

    phones: tuple[str, ...]
    dropped: tuple[str, ...]
    reason: str
    ignored: bool = False
    unknown: bool = False


@functools.lru_cache(maxsize=64)
def load_table(name: str, policy: ProjectionPolicy) -> dict[str, Entry]:
    """Return the rows of ``projection_<name>.tsv`` that hold under a policy."""
    chosen = policy.to_dict()
    table = {}
    for row in read_tsv(f"projection_{name}.tsv"):
        key, _, value = row["policy"].partition("=")
        if key and chosen[key] != value:
            continue
        symbol = row["symbol"]
        dropped = (symbol,) if row["action"] == "drop" else ()
        reason = f"{row['reason']} [{row['policy']}]" if key else row["reason"]
        table[symbol] = Entry(tuple(row["phones"].split()), dropped, reason, ignored=row["action"] == "ignore")
    return table
