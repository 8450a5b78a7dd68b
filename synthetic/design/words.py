"""The words a design may use: short, alphabetic, and no two that sound alike."""

from __future__ import annotations

import random
from collections.abc import Iterator

from pedkit.phones import Lexicon, strip_stress
from synthetic.design.operations import Pronunciation


def shuffled_words(
    lexicon: Lexicon, rng: random.Random, *, min_phones: int, max_phones: int
) -> Iterator[tuple[str, Pronunciation]]:
    """Yield ``(word, first pronunciation)`` in random order, each word and each pronunciation at most once.

    Left out are words with signs other than the letters a to z, of other lengths, and without a primary stress.
    Of homophones only the first drawn is used, so that no two splits share a pronunciation either.
    """
    words = sorted(lexicon)
    seen: set[tuple[str, ...]] = set()
    for last in range(len(words) - 1, -1, -1):
        # One step of a Fisher-Yates shuffle a word: few words of a large lexicon are ever drawn.
        drawn = rng.randrange(last + 1)
        word, words[drawn] = words[drawn], words[last]
        if not (word.isascii() and word.isalpha()):
            continue
        pronunciation = lexicon.pronunciations(word)[0]
        phones = strip_stress(pronunciation)
        stressed = any(phone.endswith("1") for phone in pronunciation)
        if min_phones <= len(phones) <= max_phones and stressed and phones not in seen:
            seen.add(phones)
            yield word, pronunciation
