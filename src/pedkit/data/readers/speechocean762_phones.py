"""What speechocean762's phone scores and labels say was spoken, decided phone by phone.

The corpus gives each canonical phone the mean of five experts' marks (0 wrong or missed, 1 right with a heavy
accent, 2 right) and, below 0.5, one label of what was heard instead (Zhang et al., Interspeech 2021, and the
corpus README). Every decision taken here stands in ``docs/corpora/speechocean762.md``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pedkit.data.fields import phones_field
from pedkit.data.readers.files import choose
from pedkit.errors import PedkitError
from pedkit.phones import get_inventory

LABELLED_BELOW = 0.5
"""The corpus says what was heard only for phones that score below this (corpus README)."""

DELETED, UNKNOWN = "<DEL>", "<unk>"


@dataclass(frozen=True, slots=True)
class SpokenWord:
    """One word: what should have been said and what was said (CMU-39, no stress digits).

    Attributes:
        canonical: Canonical phones.
        realized: For each canonical phone the phones said in its place: none, one or two.
        flags: Index in the word -> ``unk``, ``star`` or ``accent``, where ``realized`` alone would misjudge it.
        starred: Indices whose label carried a ``*``, whatever became of it.
    """

    canonical: tuple[str, ...]
    realized: tuple[tuple[str, ...], ...]
    flags: Mapping[int, str]
    starred: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PhoneErrors:
    """How scores and labels become realized phones.

    Args:
        threshold: A phone that scores below is an error. Above 0.5 the corpus does not say what was heard:
            such a phone keeps its canonical label and the flag ``accent``. Below 0.5, phones from the
            threshold on count as right although they have a label.
        star: What a label ``X*`` (close to X, but not quite) means: ``error`` = X was said and it is an
            error even where X is the canonical phone (flag ``star``), as the corpus counts it; ``strip`` = X was
            said, so an error only where X differs; ``keep`` = the symbol ``X*``, which no inventory knows.
        unlabelled: A phone below 0.5 without a label (copies from before 2021 have none): ``stop``, or ``unk``
            for an error of unknown identity.

    Raises:
        PedkitError: A value is none of these.
    """

    threshold: float = LABELLED_BELOW
    star: str = "error"
    unlabelled: str = "stop"

    def __post_init__(self) -> None:
        if not isinstance(self.threshold, int | float) or not 0 <= self.threshold <= 2:
            raise PedkitError(f"expected 'threshold' to lie between 0 and 2, but got {self.threshold!r}")
        choose(star=(self.star, ("error", "strip", "keep")), unlabelled=(self.unlabelled, ("stop", "unk")))

    def word(self, entry: Mapping[str, Any]) -> SpokenWord:
        """Return what one entry of ``words`` in ``scores.json`` says.

        Raises:
            PedkitError: Scores, labels and phones contradict each other, or a label is no CMU phone.
        """
        canonical = tuple(_legal(phone.rstrip("012")) for phone in phones_field(entry.get("phones"), "phones"))
        scores = entry.get("phones-accuracy", [None] * len(canonical))
        if len(scores) != len(canonical):
            raise PedkitError(
                f"expected one phone score for each of {len(canonical)} phones of the word {entry.get('text')!r}, "
                f"but got {len(scores)}"
            )
        labels = _labels(entry, canonical)
        said, flags = [], {}
        for index, (phone, score) in enumerate(zip(canonical, scores, strict=True)):
            phones, flag = self._said(phone, score, labels.get(index))
            said.append(phones)
            if flag is not None:
                flags[index] = flag
        starred = tuple(sorted(index for index, label in labels.items() if "*" in label))
        return SpokenWord(canonical, tuple(said), flags, starred)

    def _said(self, phone: str, score: float | None, label: str | None) -> tuple[tuple[str, ...], str | None]:
        if (label is None) if score is None else score >= self.threshold:
            return (phone,), None
        if label is None:
            return self._said_without_label(phone, score)
        if label == DELETED:
            return (), None
        tokens = label.split()
        bare = tuple(token if token == UNKNOWN else _legal(token.rstrip("*").rstrip("012")) for token in tokens)
        if UNKNOWN in bare:
            return bare, "unk"
        starred = [said for said, token in zip(bare, tokens, strict=True) if token.endswith("*")]
        if self.star == "keep":
            bare = tuple(f"{said}*" if said in starred else said for said in bare)
        return bare, "star" if self.star == "error" and phone in starred else None

    def _said_without_label(self, phone: str, score: float | None) -> tuple[tuple[str, ...], str]:
        if score is not None and score >= LABELLED_BELOW:
            return (phone,), "accent"
        if self.unlabelled == "unk":
            return (UNKNOWN,), "unk"
        raise PedkitError(
            f"the phone {phone} scores {score}, but no entry of 'mispronunciations' says what was heard",
            hint="old copies lack these labels; unlabelled=unk reads such a phone as an unknown error",
        )


def _labels(entry: Mapping[str, Any], canonical: tuple[str, ...]) -> dict[int, str]:
    labels: dict[int, str] = {}
    for mark in entry.get("mispronunciations") or ():
        index, label = mark.get("index"), mark.get("pronounced-phone")
        if not isinstance(index, int) or not 0 <= index < len(canonical) or index in labels:
            raise PedkitError(f"the word {entry.get('text')!r} has no single phone {index!r} to mispronounce")
        if str(mark.get("canonical-phone", "")).rstrip("012") != canonical[index]:
            raise PedkitError(
                f"expected phone {index} of the word {entry.get('text')!r} to be {canonical[index]}, "
                f"but its mispronunciation is one of {mark.get('canonical-phone')!r}"
            )
        if not isinstance(label, str) or not label.split():
            raise PedkitError(f"expected 'pronounced-phone' to be a label, but got {label!r}")
        labels[index] = label.strip()
    return labels


def _legal(phone: str) -> str:
    if phone not in get_inventory("cmu39"):
        raise PedkitError(
            f"the label {phone!r} is no phone of cmu39",
            hint="releases before July 2024 held labels such as DZ or IR; take a newer copy of the corpus",
        )
    return phone
