"""Several errors in one pronunciation: applied together, kept apart, and never to be read in two ways."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pedkit.phones import strip_stress
from synthetic.arpabet import base
from synthetic.design.operations import Deletion, Insertion, Operation, Pronunciation, Substitution


def ordered(operations: Iterable[Operation]) -> tuple[Operation, ...]:
    """Return the operations by rising position; an insertion comes before what happens to the phone behind it."""
    return tuple(sorted(operations, key=lambda o: (o.position, o.kind != Insertion.kind)))


def apply_all(operations: Iterable[Operation], pronunciation: Pronunciation) -> Pronunciation:
    """Return the pronunciation with all errors in it; each position counts phones of the unchanged one.

    Raises:
        PedkitError: An operation does not fit the pronunciation.
    """
    realized = pronunciation
    for operation in reversed(ordered(operations)):  # from the end, so that earlier positions stay as they are
        realized = operation.apply(realized).realized
    return realized


def apart(one: Operation, other: Operation) -> bool:
    """Return whether at least one canonical phone that neither touches lies between two operations."""
    first, second = ordered((one, other))
    end = first.position + (first.kind != Insertion.kind)
    return second.position - end >= 1


def audible(operation: Operation, pronunciation: Pronunciation) -> bool:
    """Return whether the position of an error is beyond dispute.

    No phone comes to stand beside an equal one, neither of two equal neighbours is touched (one long phone and two
    short ones sound alike), and no stressed vowel is deleted (engines then stress another vowel).
    """
    at = operation.position
    left = base(pronunciation[at - 1]) if at else ""
    touched = not isinstance(operation, Insertion)
    right = base(pronunciation[at + touched]) if at + touched < len(pronunciation) else ""
    if isinstance(operation, Deletion):
        stressed = operation.canonical.endswith(("1", "2"))
        return not stressed and base(operation.canonical) not in (left, right) and left != right
    symbols = [base(operation.realized)]
    if isinstance(operation, Substitution):
        symbols.append(base(operation.canonical))
    return not {left, right}.intersection(symbols)


def unambiguous(operations: Sequence[Operation], canonical: Pronunciation) -> bool:
    """Return whether these errors are the only shortest way from the canonical to the realized phones.

    That is: the edit distance equals the number of errors, and one alignment alone reaches it.
    """
    realized = apply_all(operations, canonical)
    return shortest_ways(canonical, realized) == (len(operations), 1)


def shortest_ways(canonical: Pronunciation, realized: Pronunciation) -> tuple[int, int]:
    """Return the unit edit distance of two pronunciations without stress, and how many alignments reach it."""
    a, b = strip_stress(canonical), strip_stress(realized)
    above = [(column, 1) for column in range(len(b) + 1)]
    for row, phone in enumerate(a, start=1):
        here = [(row, 1)]
        for column, other in enumerate(b, start=1):
            ways = (
                (above[column - 1][0] + (phone != other), above[column - 1][1]),
                (above[column][0] + 1, above[column][1]),
                (here[column - 1][0] + 1, here[column - 1][1]),
            )
            least = min(cost for cost, _ in ways)
            here.append((least, sum(number for cost, number in ways if cost == least)))
        above = here
    return above[-1]
