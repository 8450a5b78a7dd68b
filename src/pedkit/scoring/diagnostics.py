"""What the errors are: phone confusions, insertions, missed and false flags, the speakers' own errors."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from pedkit.scoring.alignment import Alignment
from pedkit.scoring.rate import Rate
from pedkit.scoring.views import Column, Pair

_NO_PHONES = "no realized phones"


@dataclass(frozen=True, slots=True)
class Confusion:
    """One cell of the confusion matrix.

    Attributes:
        reference: Realized phone; ``None`` for an insertion.
        predicted: Phone that was heard; ``None`` for a deletion.
        count: How often.
        share: ``count`` out of all occurrences of ``reference``; for an insertion, insertions of ``predicted`` per
            realized phone (times 1,000 is "per 1,000 realized phones").
    """

    reference: str | None
    predicted: str | None
    count: int
    share: Rate


@dataclass(frozen=True, slots=True)
class CanonicalPhone:
    """How one canonical phone was said and judged.

    Attributes:
        phone: The phone; ``None`` for all insertion columns together.
        correct: Columns said correctly.
        faulty: Columns with an error of the speaker.
        missed: Errors that were not flagged (FA) out of ``faulty``.
        false_flags: Correct columns that were flagged (FR) out of ``correct``. For insertions: spurious phones,
            which have no correct column to be a share of.
    """

    phone: str | None
    correct: int
    faulty: int
    missed: Rate
    false_flags: Rate


class Diagnostics:
    """Tables over any number of utterances.

    Confusions come from the direct realized-predicted alignment under unit costs (PEDBench, Figure 3), everything
    about the speakers' errors from the grid.

    Args:
        alignments: Utterances to start with.
    """

    def __init__(self, alignments: Iterable[Alignment] = ()) -> None:
        self._pairs: Counter[Pair] = Counter()
        self._columns: Counter[Column] = Counter()
        for alignment in alignments:
            self.add(alignment)

    def add(self, alignment: Alignment) -> None:
        """Take in one utterance."""
        self._pairs.update(alignment.pairs())
        if alignment.judged:
            self._columns.update(alignment.columns)

    @property
    def realized_phones(self) -> int:
        """Number of reference phones seen."""
        return sum(n for pair, n in self._pairs.items() if pair.reference is not None)

    def confusions(self) -> list[Confusion]:
        """Return every cell that occurred, correct ones too; sorted by phone, then by count, insertions last."""
        totals: Counter[str | None] = Counter()
        for pair, n in self._pairs.items():
            totals[pair.reference] += n
        totals[None] = self.realized_phones
        cells = [
            Confusion(pair.reference, pair.predicted, n, Rate.of(n, totals[pair.reference], undefined=_NO_PHONES))
            for pair, n in self._pairs.items()
        ]
        return sorted(cells, key=lambda c: (c.reference is None, c.reference or "", -c.count, c.predicted or ""))

    def insertions_per_1000(self) -> dict[str, Rate]:
        """Return insertions of each phone per 1,000 realized phones, most frequent first."""
        found = [c for c in self.confusions() if c.reference is None and c.predicted is not None]
        total = self.realized_phones
        return {str(c.predicted): Rate.of(1000 * c.count, total, undefined=_NO_PHONES) for c in found}

    def canonical_phones(self) -> list[CanonicalPhone]:
        """Return how each canonical phone was judged, sorted by phone; all insertions together come last."""
        by_phone: dict[str | None, Counter[str]] = {}
        for column, n in self._columns.items():
            by_phone.setdefault(column.canonical, Counter())[column.outcome or ""] += n
        return [
            _canonical_phone(phone, by_phone[phone])
            for phone in sorted(by_phone, key=lambda phone: (phone is None, phone or ""))
        ]

    def speaker_errors(self) -> dict[tuple[str | None, str | None], int]:
        """Return what the speakers did: (canonical, realized) of every error column, most frequent first.

        A column that the corpus marks as wrong although both phones are the same appears under that pair.
        """
        errors: Counter[tuple[str | None, str | None]] = Counter()
        for column, n in self._columns.items():
            if column.outcome not in ("TA", "FR"):
                errors[column.canonical, column.realized] += n
        return dict(sorted(errors.items(), key=lambda item: (-item[1], str(item[0]))))


def _canonical_phone(phone: str | None, outcomes: Counter[str]) -> CanonicalPhone:
    correct = outcomes["TA"] + (outcomes["FR"] if phone is not None else 0)
    faulty = outcomes["FA"] + outcomes["CD"] + outcomes["DE"] + outcomes["DU"]
    return CanonicalPhone(
        phone,
        correct,
        faulty,
        missed=Rate.of(outcomes["FA"], faulty, undefined="no error on this phone"),
        false_flags=Rate.of(outcomes["FR"], correct, undefined="never said correctly"),
    )
