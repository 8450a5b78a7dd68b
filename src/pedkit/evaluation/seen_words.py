"""Seen words, unseen audio: a test set that says what the recordings of the training say too."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from pedkit.data.manifest import file_hash, iter_manifest
from pedkit.data.utterance import Utterance
from pedkit.evaluation.seen import UsedData


def trained_texts(used: Iterable[UsedData]) -> frozenset[str]:
    """Return what the train recordings of a run say, of manifests that are still there.

    Args:
        used: What the run used; a manifest that is gone or has changed since says nothing.
    """
    texts = set()
    for entry in used:
        if entry.role != "train" or not entry.path or not Path(entry.path).is_file():
            continue
        if file_hash(entry.path) == entry.sha256:
            split = entry.split
            texts |= {_text(one) for one in iter_manifest(entry.path) if split in (None, one.split)}
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
