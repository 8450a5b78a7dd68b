"""The words a design may use: short, alphabetic, and no two that sound alike."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator

from pedkit.phones import Lexicon, strip_stress
from synthetic.design.operations import Pronunciation


def shuffled_words(
    lexicon: Lexicon, rng: random.Random, *, min_phones: int, max_phones: int, excluded: Collection[str] = ()
) -> Iterator[tuple[str, Pronunciation]]:
    """Yield ``(word, first pronunciation)`` in random order, each word and each pronunciation at most once.

    Left out are words with signs other than the letters a to z, of other lengths, and without a primary stress.
    Of homophones only the first drawn is used, so that no two splits share a pronunciation either; nor is
    anything used that sounds like one of the ``excluded`` words.
    """
    words = sorted(lexicon)
    seen = {strip_stress(variant) for word in excluded for variant in lexicon.pronunciations(word)}
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
