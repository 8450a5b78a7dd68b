"""Seen words, unseen audio: a test set that says what the recordings of the training say too."""

from __future__ import annotations

from collections.abc import Iterable

from pedkit.data.utterance import Utterance
from pedkit.evaluation.used_manifests import UsedUtterances


def trained_texts(used: UsedUtterances) -> frozenset[str]:
    """Return what the train recordings among `pedkit.evaluation.used_manifests.read_used` say."""
    texts = {_text(one) for entry, utterances in used if entry.role == "train" for one in utterances}
    return frozenset(texts - {""})


def seen_words(utterances: Iterable[Utterance], trained: frozenset[str]) -> str | None:
    """Return the sentence that must stand beside the results, ``None`` where most texts of a set are new.

    Half of a set is where it starts: a few words that any two corpora share say nothing about a model, but a set
    made of the words of the training, as Acted is of those of SW in PEDBench, measures something else.
    """
    texts = [_text(one) for one in utterances]
    seen = sum(text in trained for text in texts)
    if 2 * seen < len(texts) or not seen:
        return None
    return (
        f"Seen words, unseen audio: {seen} of the {len(texts)} recordings say a text that was trained on. The "
        "numbers say nothing about new words."
    )


def _text(utterance: Utterance) -> str:
    return " ".join((utterance.text or "").casefold().split())
