"""`Where`: which phones may be changed, and into what."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from pedkit.errors import PedkitError
from synthetic.arpabet import CMU39, base
from synthetic.design.operations import Deletion, Insertion, Operation, Pronunciation


@dataclass(frozen=True, slots=True, kw_only=True)
class Where:
    """Limits on operations; ``None`` limits nothing.

    Attributes:
        positions: Places in the word: its first phone (``initial``), its last (``final``), or between
            (``medial``). An insertion is initial before the first phone and final after the last.
        stress: ``stressed`` or ``unstressed`` syllables. A consonant, or an insertion, belongs to the next vowel,
            or to the last one of the word where none follows.
        phones: ``vowels`` or ``consonants``: the class of the phone that is changed or inserted.
        canonical: The phones that may be changed or deleted, without stress; insertions are not limited by it.
        realized: The phones that may be said instead or inserted, without stress; deletions are not limited by it.

    Raises:
        PedkitError: A phone is not in CMU-39, or a list is empty.
    """

    positions: Sequence[Literal["initial", "medial", "final"]] | None = None
    stress: Literal["stressed", "unstressed"] | None = None
    phones: Literal["vowels", "consonants"] | None = None
    canonical: Sequence[str] | None = None
    realized: Sequence[str] | None = None

    def __post_init__(self) -> None:
        for name in ("positions", "canonical", "realized"):
            if getattr(self, name) == []:
                raise PedkitError(f"expected where.{name} to name something, but it is empty")
        for phone in (*(self.canonical or ()), *(self.realized or ())):
            if phone not in CMU39:
                raise PedkitError(f"expected phones of CMU-39 in where, but got {phone!r}")

    @property
    def is_anywhere(self) -> bool:
        """Whether nothing is limited."""
        return self == _ANYWHERE

    def allows(self, operation: Operation, pronunciation: Pronunciation) -> bool:
        """Return whether a word may have this error.

        Args:
            operation: At a position of the word.
            pronunciation: Of the word alone.
        """
        old = None if isinstance(operation, Insertion) else base(operation.canonical)
        new = None if isinstance(operation, Deletion) else base(operation.realized)
        return (
            (self.positions is None or not _places(operation, pronunciation).isdisjoint(self.positions))
            and (self.stress is None or _is_stressed(operation, pronunciation) == (self.stress == "stressed"))
            and (self.phones is None or ((old or new) in CMU39.vowels) == (self.phones == "vowels"))
            and (self.canonical is None or old is None or old in self.canonical)
            and (self.realized is None or new is None or new in self.realized)
        )


_ANYWHERE = Where()


def _places(operation: Operation, pronunciation: Pronunciation) -> set[str]:
    last = len(pronunciation) - (not isinstance(operation, Insertion))
    edges = {"initial"} if operation.position == 0 else set()
    if operation.position == last:
        edges.add("final")
    return edges or {"medial"}


def _is_stressed(operation: Operation, pronunciation: Pronunciation) -> bool:
    """Return whether the syllable of an operation has primary or secondary stress."""
    vowels = [(at, phone[-1]) for at, phone in enumerate(pronunciation) if phone[-1].isdigit()]
    following = [digit for at, digit in vowels if at >= operation.position]
    digits = following[:1] or [digit for _, digit in vowels[-1:]]
    return digits in (["1"], ["2"])
