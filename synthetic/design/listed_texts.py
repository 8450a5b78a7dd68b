"""Texts that somebody listed: one a line, or those of a manifest, with pronunciations from a lexicon."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from pedkit.data.manifest import iter_manifest
from pedkit.data.spoken_words import spoken_words
from pedkit.data.utterance import Utterance
from pedkit.errors import PedkitError
from pedkit.phones import Lexicon, strip_stress
from synthetic.arpabet import CMU39, base
from synthetic.design.lists import numbered_lines
from synthetic.design.operations import Pronunciation
from synthetic.design.text import Skipped, Text

_MOST_PHONES = 8000
"""The evaluator takes some more in one recording, so that errors may insert some."""
_MOST_VARIANTS = 256
"""Combinations of pronunciations of a text that are compared with the canonical phones of a manifest."""


def read_lexicon(path: str | None) -> Lexicon:
    """Return a lexicon whose phones engines can be told.

    Args:
        path: File in the format of the CMU Pronouncing Dictionary; ``None`` for that dictionary.

    Raises:
        PedkitError: The file cannot be read, or a phone is not in CMU-39 or a vowel has no stress digit.
    """
    if path is None:
        return Lexicon.cmudict()
    lexicon = Lexicon.from_file(path)
    phones = {phone for word in lexicon for variant in lexicon.pronunciations(word) for phone in variant}
    for phone in sorted(phones):
        if base(phone) not in CMU39 or phone[-1].isdigit() != (base(phone) in CMU39.vowels):
            lines = enumerate(Path(path).read_text(encoding="utf-8").splitlines(), start=1)
            line = next(number for number, text in lines if phone in text.partition("#")[0].split()[1:])
            raise PedkitError(
                f"expected phones of CMU-39, vowels with a stress digit, but got {phone!r}", file=path, line=line
            )
    return lexicon


def listed_texts(path: str, lexicon: Lexicon, level: str | None = None) -> tuple[list[Text], list[Skipped]]:
    """Return the texts of a list or a manifest that can be pronounced, each once, and the others.

    Texts of the same words are one text, however they are written, and so are single words that sound alike: the
    first is taken.

    Of several pronunciations of a word the first is taken. Where a manifest states canonical phones, those are the
    ones that agree with them.

    Args:
        path: A manifest where it ends in ``.jsonl``, else a list: one word or sentence a line; blank lines, and
            those that begin with ``#``, are passed over.
        lexicon: Where pronunciations come from.
        level: Of all texts; ``None`` is ``word`` for one word and ``sentence`` for more.

    Raises:
        PedkitError: The file cannot be read, or holds no text.
    """
    entries = _of_manifest(path) if path.endswith(".jsonl") else ((line, None) for _, line in numbered_lines(path))
    texts: dict[str, Text] = {}
    skipped: dict[str, Skipped] = {}
    heard: dict[tuple[str, ...], str] = {}
    for text, canonical in entries:
        made = _text(text, canonical, lexicon, level)
        if isinstance(made, Text):
            if made.text in texts:
                continue
            marks = _marks(made, lexicon)
            twin = next((heard[mark] for mark in marks if mark in heard), None)
            if twin is None:
                texts[made.text] = made
                heard |= dict.fromkeys(marks, made.text)
                continue
            made = Skipped(made.text, f"it sounds like '{twin}', which is listed before it")
        skipped.setdefault(made.text, made)
    if not texts and not skipped:
        raise PedkitError("expected words or sentences, but there are none", file=path)
    return list(texts.values()), list(skipped.values())


def _of_manifest(path: str) -> Iterator[tuple[str, Utterance]]:
    for utterance in iter_manifest(path):
        if utterance.text and utterance.text.strip():
            yield " ".join(utterance.text.split()), utterance


def _text(text: str, utterance: Utterance | None, lexicon: Lexicon, level: str | None) -> Text | Skipped:
    words = spoken_words(text, lexicon)
    if not words:
        return Skipped(text, "there is no word in it")
    variants = [lexicon.pronunciations(word.form) for word in words]
    if missing := [word.text for word, found in zip(words, variants, strict=True) if not found]:
        return Skipped(text, f"'{missing[0]}' has no pronunciation in the lexicon")
    chosen = tuple(found[0] for found in variants)
    if utterance is not None and utterance.canonical is not None and utterance.inventory in (None, "cmu39"):
        agreeing = _agreeing(variants, utterance.canonical)
        if agreeing is None:
            return Skipped(text, "no pronunciations in the lexicon agree with its canonical phones")
        chosen = agreeing
    if (phones := sum(map(len, chosen))) > _MOST_PHONES:
        return Skipped(text, f"it has {phones} phones, more than the {_MOST_PHONES} that can be scored")
    named = tuple(zip((word.text for word in words), chosen, strict=True))
    return Text(text, named, level or ("word" if len(words) == 1 else "sentence"))


def _marks(text: Text, lexicon: Lexicon) -> tuple[tuple[str, ...], ...]:
    """Return what a text shares with one that is the same to a listener: its words, and the sound of one word."""
    forms = tuple(word.form for word in spoken_words(text.text, lexicon))
    return (forms, strip_stress(text.canonical)) if len(forms) == 1 else (forms,)


def _agreeing(
    variants: list[tuple[Pronunciation, ...]], canonical: tuple[str, ...]
) -> tuple[Pronunciation, ...] | None:
    """Return the pronunciations, one a word, that make the canonical phones together."""
    wanted = strip_stress(canonical)
    found: list[tuple[int, tuple[Pronunciation, ...]]] = [(0, ())]
    for word in variants:
        found = [
            (at + len(variant), (*chosen, variant))
            for at, chosen in found
            for variant in word
            if strip_stress(variant) == wanted[at : at + len(variant)]
        ][:_MOST_VARIANTS]
    return next((chosen for at, chosen in found if at == len(wanted)), None)
