"""The three phone-level errors as values: a substitution, a deletion, an insertion.

All work on pronunciations, that is tuples of ARPAbet phones with stress digits (``("B", "AH1", "T", "ER0")``).
Positions count canonical phones from 0; an insertion stands before the canonical phone at its position.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from pedkit.errors import PedkitError

Pronunciation = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Edited:
    """What an operation makes of a pronunciation.

    Attributes:
        canonical: The pronunciation that should be said.
        realized: The pronunciation that is said.
        position: Canonical position of the error; ``len(canonical)`` for an insertion at the end.
    """

    canonical: Pronunciation
    realized: Pronunciation
    position: int


@dataclass(frozen=True, slots=True)
class Substitution:
    """``realized`` is said instead of ``canonical`` at ``position``."""

    position: int
    canonical: str
    realized: str

    kind: ClassVar[str] = "substitution"

    def apply(self, pronunciation: Pronunciation) -> Edited:
        """Return the pronunciation with the one phone replaced.

        Raises:
            PedkitError: The phone at ``position`` is not ``canonical``, or would be replaced by itself.
        """
        _expect(self, pronunciation, self.canonical)
        if self.realized == self.canonical:
            raise PedkitError(f"expected a substitution by another phone, but got {self}")
        realized = (*pronunciation[: self.position], self.realized, *pronunciation[self.position + 1 :])
        return Edited(pronunciation, realized, self.position)

    def moved(self, by: int) -> Substitution:
        """Return the same error ``by`` phones later."""
        return Substitution(self.position + by, self.canonical, self.realized)

    def __str__(self) -> str:
        return f"sub@{self.position}:{self.canonical}>{self.realized}"


@dataclass(frozen=True, slots=True)
class Deletion:
    """``canonical`` at ``position`` is left out."""

    position: int
    canonical: str

    kind: ClassVar[str] = "deletion"

    def apply(self, pronunciation: Pronunciation) -> Edited:
        """Return the pronunciation without the one phone.

        Raises:
            PedkitError: The phone at ``position`` is not ``canonical``, or nothing would be left.
        """
        _expect(self, pronunciation, self.canonical)
        if len(pronunciation) == 1:
            raise PedkitError(f"expected a pronunciation of two phones or more to delete from, but got {self}")
        realized = pronunciation[: self.position] + pronunciation[self.position + 1 :]
        return Edited(pronunciation, realized, self.position)

    def moved(self, by: int) -> Deletion:
        """Return the same error ``by`` phones later."""
        return Deletion(self.position + by, self.canonical)

    def __str__(self) -> str:
        return f"del@{self.position}:{self.canonical}"


@dataclass(frozen=True, slots=True)
class Insertion:
    """``realized`` is said before the canonical phone at ``position``, or at the end."""

    position: int
    realized: str

    kind: ClassVar[str] = "insertion"

    def apply(self, pronunciation: Pronunciation) -> Edited:
        """Return the pronunciation with the one phone more.

        Raises:
            PedkitError: ``position`` lies outside the pronunciation.
        """
        if not 0 <= self.position <= len(pronunciation):
            raise PedkitError(
                f"expected a position from 0 to {len(pronunciation)} of '{' '.join(pronunciation)}' for {self}"
            )
        realized = (*pronunciation[: self.position], self.realized, *pronunciation[self.position :])
        return Edited(pronunciation, realized, self.position)

    def moved(self, by: int) -> Insertion:
        """Return the same error ``by`` phones later."""
        return Insertion(self.position + by, self.realized)

    def __str__(self) -> str:
        return f"ins@{self.position}:{self.realized}"


Operation = Substitution | Deletion | Insertion
OPERATIONS: Mapping[str, type[Operation]] = {cls.kind: cls for cls in (Substitution, Deletion, Insertion)}


def operation_to_dict(operation: Operation) -> dict[str, str | int]:
    """Return the JSON form: ``type`` and the fields of the operation."""
    fields = operation.__dataclass_fields__
    return {"type": operation.kind, **{name: getattr(operation, name) for name in fields if name != "kind"}}


def _expect(operation: Operation, pronunciation: Pronunciation, phone: str) -> None:
    position = operation.position
    if not 0 <= position < len(pronunciation) or pronunciation[position] != phone:
        raise PedkitError(
            f"expected {phone} at position {position} of '{' '.join(pronunciation)}' to apply {operation}"
        )
