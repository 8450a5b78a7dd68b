"""Joining neighbours before projection: marks to their letter, forced-apart pairs, closures to their release."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from pedkit.phones.ipa import TWO_LETTER_PHONES, is_mark, normalize_ipa, strip_marks
from pedkit.phones.timit import RELEASES


class Joined(NamedTuple):
    """Tokens after joining.

    Attributes:
        tokens: The tokens that are left.
        owners: For each token before joining the index of the one that stands for it now.
    """

    tokens: list[str]
    owners: list[int]


class IpaJoiner:
    """Attaches lone marks to the letter before them and merges the pairs a vocabulary forces apart.

    Args:
        pairs: Pairs of symbols that the recognizer can only write as two tokens; see ``merge_pairs_for``.
    """

    def __init__(self, pairs: Iterable[tuple[str, str]]) -> None:
        normalized = {(_base(first), _base(second)) for first, second in pairs}
        self._pairs = {pair for pair in normalized if all(pair)}
        self._second = {second for _, second in self._pairs}

    def concerns(self, token: str) -> bool:
        """Return True if the token may be joined to the one before it."""
        return _base(token) in self._second or _is_lone_mark(token)

    def join(self, tokens: Sequence[str], ignored: frozenset[str] | set[str]) -> Joined:
        """Join tokens; nothing is merged across an ignored token such as a word boundary."""
        out: list[str] = []
        owners: list[int] = []
        last = -1  # place of the last token that is a sound
        for token in tokens:
            mark = last >= 0 and _is_lone_mark(token)
            if mark or (0 <= last == len(out) - 1 and (_base(out[last]), _base(token)) in self._pairs):
                out[last] += token
                owners.append(last)
                continue
            owners.append(len(out))
            out.append(token)
            if token not in ignored:
                last = len(out) - 1
        return Joined(out, owners)


def merge_closures(tokens: Sequence[str]) -> Joined:
    """Leave TIMIT closures out whose release comes next; the release stands for both."""
    out: list[str] = []
    owners: list[int] = []
    for token, after in zip(tokens, [*tokens[1:], ""], strict=True):
        owners.append(len(out))
        if after.lower() not in _releases(token):
            out.append(token)
    return Joined(out, owners)


def merge_pairs_for(vocabulary: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """Return the pairs of letters that a recognizer with this vocabulary is forced to write as two tokens.

    Those are the English affricates and diphthongs for which it has both letters and no token of their own.
    """
    bases = {_base(token) for token in vocabulary}
    return tuple(sorted((unit[0], unit[1]) for unit in TWO_LETTER_PHONES - bases if set(unit) <= bases))


@functools.lru_cache(maxsize=65536)
def _base(token: str) -> str:
    return strip_marks(normalize_ipa(token))


def _releases(token: str) -> frozenset[str]:
    return RELEASES.get(token.lower(), frozenset())


def _is_lone_mark(token: str) -> bool:
    return all(is_mark(c) for c in token)
