"""Canonical phones from text, for corpora that come without: a pronouncing dictionary and, behind it, a G2P."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any, Protocol

from msgspec.structs import replace

from pedkit.data.parts import Word
from pedkit.data.spoken_words import SpokenWord, chunks, words_of
from pedkit.data.utterance import Utterance
from pedkit.data.variants import best_variants
from pedkit.errors import PedkitError
from pedkit.phones import Lexicon, strip_stress

VARIANTS = ("best", "first")
OOV_POLICIES = ("stop", "skip")


class WordG2P(Protocol):
    """Pronounces single English words.

    Attributes:
        name: Engine and version, as it is recorded with each reference.
    """

    @property
    def name(self) -> str:
        """Engine and version."""

    def pronounce(self, word: str) -> tuple[str, ...]:
        """Return the CMU-39 phones of a word; empty where the engine has none."""


@dataclass(frozen=True, slots=True)
class Reference:
    """What should have been said, and how that is known.

    Attributes:
        canonical: Phones; ``None`` where the text has no words or one of them could not be pronounced.
        words: Words over the canonical phones.
        variant: ``best`` or ``first``, and after a colon the chosen entry of each word that has several, as
            cmudict writes them: ``best: either(2) the``. For `Utterance.canonical_variant`.
        oov: Words that the dictionary lacks.
        record: Where the phones come from, for `Utterance.extra` under the key ``reference``.
    """

    canonical: tuple[str, ...] | None
    words: tuple[Word, ...]
    variant: str | None
    oov: tuple[str, ...]
    record: Mapping[str, Any]

    def fields(self, inventory: str = "cmu39") -> dict[str, Any]:
        """Return the fields of an `Utterance` that follow from the reference, ``extra`` excepted."""
        if self.canonical is None:
            return {}
        return {
            "inventory": inventory,
            "canonical": self.canonical,
            "canonical_variant": self.variant,
            "words": self.words,
        }


class Referencer:
    """Turns English text into canonical CMU-39 phones.

    Text becomes words by the rules of `pedkit.data.spoken_words`; numerals are refused.

    Args:
        lexicon: The dictionary; by default cmudict.
        variant: ``best`` takes, together for the whole utterance, the pronunciations nearest to what was said
            (`best_variants`); ``first`` the dictionary's first. Where nobody wrote down what was said, ``best``
            can only be ``first``, and `Reference.variant` says so.
        g2p: Pronounces the words that the dictionary lacks.
        oov: For words that neither knows: ``stop``, or ``skip`` = that text has no canonical phones.
        name: Name of the dictionary, as it is recorded.

    Raises:
        PedkitError: ``variant`` or ``oov`` is none of those named.
    """

    def __init__(
        self,
        lexicon: Lexicon | None = None,
        variant: str = "best",
        g2p: WordG2P | None = None,
        *,
        oov: str = "stop",
        name: str = "cmudict",
    ) -> None:
        _expect("variant", variant, VARIANTS)
        _expect("oov", oov, OOV_POLICIES)
        self.lexicon = Lexicon.cmudict() if lexicon is None else lexicon
        self.variant, self.oov, self.name = variant, oov, name
        self._g2p = g2p
        # Text repeats its words: each is looked at once.
        self._words: dict[str, tuple[SpokenWord, ...]] = {}
        self._found: dict[str, dict[tuple[str, ...], int]] = {}

    def of(self, text: str, realized: Sequence[str] | None = None) -> Reference:
        """Return the reference of one line.

        Args:
            text: English text.
            realized: CMU-39 phones that were said; without any the first pronunciations are taken.

        Raises:
            PedkitError: A word has no pronunciation and ``oov`` is ``stop``.
        """
        words = [word for chunk in chunks(text) for word in self._words_of(chunk)]
        oov = tuple(word.text for word in words if word.form not in self.lexicon)
        choices = [self._known(word) for word in words]
        record = self._record(oov)
        if not words or not all(choices):
            missing = [word.text for word, found in zip(words, choices, strict=True) if not found]
            if missing and self.oov == "stop":
                raise _unpronounceable(missing[0], text)
            return Reference(None, (), None, oov, record | ({"unpronounced": missing} if missing else {}))
        best = self.variant == "best" and bool(realized)
        listed = [list(found) for found in choices]
        chosen = best_variants(listed, realized or ()) if best else (0,) * len(words)
        spoken = [found[index] for found, index in zip(listed, chosen, strict=True)]
        ends = list(accumulate(map(len, spoken)))
        return Reference(
            canonical=tuple(phone for phones in spoken for phone in phones),
            words=tuple(
                Word(word.text, end - len(phones), end)
                for word, phones, end in zip(words, spoken, ends, strict=True)
            ),
            variant=_variant("best" if best else "first", words, choices, spoken),
            oov=oov,
            record=record,
        )

    def _words_of(self, chunk: str) -> tuple[SpokenWord, ...]:
        if chunk not in self._words:
            self._words[chunk] = words_of(chunk, self.lexicon)
        return self._words[chunk]

    def _known(self, word: SpokenWord) -> dict[tuple[str, ...], int]:
        if word.form not in self._found:
            self._found[word.form] = self._pronunciations(word)
        return self._found[word.form]

    def _pronunciations(self, word: SpokenWord) -> dict[tuple[str, ...], int]:
        """Return the distinct pronunciations without stress, each with the number of its first entry."""
        found: dict[tuple[str, ...], int] = {}
        for number, phones in enumerate(self.lexicon.pronunciations(word.form), start=1):
            found.setdefault(strip_stress(phones), number)
        if not found and self._g2p is not None and word.letters:
            phones = self._g2p.pronounce(word.form)
            return {phones: 1} if phones else {}
        return found

    def _record(self, oov: tuple[str, ...]) -> dict[str, Any]:
        record: dict[str, Any] = {"lexicon": self.name}
        if oov:
            record["oov"] = list(oov)
            if self._g2p is not None:
                record["g2p"] = self._g2p.name
        return record


def _variant(
    choice: str,
    words: Sequence[SpokenWord],
    choices: Sequence[Mapping[tuple[str, ...], int]],
    spoken: Sequence[tuple[str, ...]],
) -> str:
    entries = [
        word.form + (f"({found[phones]})" if found[phones] > 1 else "")
        for word, found, phones in zip(words, choices, spoken, strict=True)
        if len(found) > 1
    ]
    return f"{choice}: {' '.join(entries)}" if entries else choice


def _unpronounceable(word: str, text: str) -> PedkitError:
    return PedkitError(
        f"the dictionary has no pronunciation of {word!r} in {text!r}",
        hint="spell numerals and signs out; words can be left to a G2P, or such texts go without canonical phones",
    )


def _expect(name: str, value: str, allowed: Sequence[str]) -> None:
    if value not in allowed:
        raise PedkitError(f"expected '{name}' to be one of {', '.join(allowed)}, but got {value!r}")


def open_referencer(canonical: str, unknown_words: str) -> Referencer | None:
    """Return what a reader of a text-only English corpus needs for its two usual options.

    Args:
        canonical: ``lexicon`` = canonical phones by cmudict; ``none`` = no canonical phones.
        unknown_words: See `cmudict_referencer`.

    Raises:
        PedkitError: An option has another value, or ``g2p`` is not installed.
    """
    _expect("canonical", canonical, ("lexicon", "none"))
    return cmudict_referencer(unknown_words) if canonical == "lexicon" else None


def cmudict_referencer(unknown_words: str, variant: str = "best") -> Referencer:
    """Return a referencer by cmudict.

    Args:
        unknown_words: A word that cmudict lacks: ``stop``; ``skip`` = that utterance has no canonical phones;
            ``g2p`` = espeak-ng pronounces it, and what it cannot (numerals, words that break off) is skipped.
        variant: ``best`` or ``first`` (see `Referencer`).

    Raises:
        PedkitError: An option has another value, or espeak-ng is not installed.
    """
    _expect("unknown_words", unknown_words, (*OOV_POLICIES, "g2p"))
    if unknown_words != "g2p":
        return Referencer(variant=variant, oov=unknown_words)
    from pedkit.data.g2p import EspeakWords

    return Referencer(variant=variant, g2p=EspeakWords(), oov="skip")


def with_reference(utterance: Utterance, referencer: Referencer | None, text: str | None = None) -> Utterance:
    """Return the utterance with canonical phones for ``text`` (by default its own) and the record of their origin.

    Raises:
        PedkitError: See `Referencer.of`; the utterance is named.
    """
    if referencer is None:
        return utterance
    try:
        reference = referencer.of(utterance.text or "" if text is None else text, utterance.realized)
    except PedkitError as error:
        raise error.at(utterance=utterance.id) from None
    extra = {**utterance.extra, "reference": dict(reference.record)}
    return replace(utterance, **reference.fields(), extra=extra)
