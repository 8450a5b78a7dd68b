"""`WordSettings`: which words, sentences or passages are said, and where their pronunciations come from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from pedkit.data.manifest import iter_manifest
from pedkit.data.spoken_words import spoken_words
from pedkit.errors import PedkitError
from pedkit.phones import Lexicon


@dataclass(frozen=True, slots=True, kw_only=True)
class WordSettings:
    """What there is to say.

    Attributes:
        lexicon: A dictionary in the format of the CMU Pronouncing Dictionary; ``None`` for that one.
        texts: A list, one word or sentence a line, or a manifest (``.jsonl``), whose texts are said; ``None``
            draws words of the lexicon.
        level: Of listed texts; ``None`` is ``word`` for one word and ``sentence`` for more.
        min_phones: Shortest pronunciation of words drawn from the lexicon, in phones.
        max_phones: Longest.
        not_in: Manifests whose words, and whatever sounds like them, are kept for testing.

    Raises:
        PedkitError: The lengths are no range.
    """

    lexicon: str | None = None
    texts: str | None = None
    level: Literal["word", "sentence", "passage"] | None = None
    min_phones: int = 3
    max_phones: int = 8
    not_in: Sequence[str] = ()

    def __post_init__(self) -> None:
        if not 1 <= self.min_phones <= self.max_phones:
            raise PedkitError(
                f"expected 1 <= min_phones <= max_phones, but got {self.min_phones}, {self.max_phones}"
            )

    def excluded(self, lexicon: Lexicon) -> frozenset[str]:
        """Return the words of the manifests in ``not_in`` as the lexicon has them, in lower case.

        Raises:
            PedkitError: A manifest cannot be read.
        """
        texts = (utterance.text or "" for manifest in self.not_in for utterance in iter_manifest(manifest))
        return frozenset(word.form for text in texts for word in spoken_words(text, lexicon))
