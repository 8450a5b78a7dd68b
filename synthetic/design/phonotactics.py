"""Which phone sequences could be a word: onsets and codas as the words of a lexicon have them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from pedkit.phones import Lexicon
from synthetic.arpabet import CMU39, base

Cluster = tuple[str, ...]


class Phonotactics:
    """Legal onsets and codas, learned from pronunciations.

    An onset is legal when at least ``min_words`` words begin with exactly these consonants before their first
    vowel, a coda when so many words end with them after their last vowel; both may be empty. A pronunciation is
    pronounceable when it has a vowel, begins with a legal onset, ends with a legal coda, and the consonants
    between any two vowels can be cut into a legal coda and a legal onset.

    Args:
        pronunciations: With or without stress.
        min_words: Words that make a cluster legal; more than one, because dictionaries hold foreign names.
    """

    def __init__(self, pronunciations: Iterable[Sequence[str]], min_words: int = 3) -> None:
        onsets: Counter[Cluster] = Counter()
        codas: Counter[Cluster] = Counter()
        for pronunciation in pronunciations:
            clusters = _clusters(pronunciation)
            if len(clusters) > 1:
                onsets[clusters[0]] += 1
                codas[clusters[-1]] += 1
        self.onsets = frozenset(cluster for cluster, words in onsets.items() if words >= min_words)
        self.codas = frozenset(cluster for cluster, words in codas.items() if words >= min_words)

    @classmethod
    def of(cls, lexicon: Lexicon, min_words: int = 3) -> Phonotactics:
        """Learn from the first pronunciation of every word of a lexicon that is spelled with letters alone."""
        words = (word for word in lexicon if word.isalpha())
        return cls((lexicon.pronunciations(word)[0] for word in words), min_words)

    def pronounceable(self, pronunciation: Sequence[str]) -> bool:
        """Return whether every cluster of a pronunciation is legal where it stands."""
        first, *between = _clusters(pronunciation)
        if not between:
            return False
        *middle, last = between
        return first in self.onsets and last in self.codas and all(map(self._parts, middle))

    def _parts(self, cluster: Cluster) -> bool:
        return any(cluster[:cut] in self.codas and cluster[cut:] in self.onsets for cut in range(len(cluster) + 1))


def _clusters(pronunciation: Sequence[str]) -> list[Cluster]:
    """Return the consonants before, between and after the vowels: one cluster more than there are vowels."""
    clusters: list[list[str]] = [[]]
    for phone in map(base, pronunciation):
        if phone in CMU39.vowels:
            clusters.append([])
        else:
            clusters[-1].append(phone)
    return [tuple(cluster) for cluster in clusters]
