"""Errors that a model confuses: from the ``confusions.csv`` of its evaluation."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Literal

from pedkit.errors import PedkitError
from pedkit.phones import GAP, UNUSABLE_PHONES
from synthetic.arpabet import CMU39, base
from synthetic.design.operations import Deletion, Insertion, Operation, Pronunciation
from synthetic.design.sources import Weighted, possible_operations

_COLUMNS = ("system", "view", "reference", "heard", "count")


class ConfusionSource:
    """Errors as likely as a model makes the same confusion.

    With r(a, b) the share of phones a (or, for the gap, of all phones) for which the model heard b, the error
    "y said for x" weighs r(y, x) under ``missed``: the model takes what is said for what should have been said.
    Under ``heard`` it weighs r(x, y): the model hears this error where there is none. ``both`` is the mean. For
    deletions y, and for insertions x, is the gap.

    Args:
        confusions: ``confusions.csv`` of ``evaluate.py``, or a table with its columns.
        system: Which system of the table; ``None`` where there is one.
        direction: ``missed``, ``heard`` or ``both``.

    Raises:
        PedkitError: The table cannot be read, has several systems and none is named, or has no confusion.
    """

    name = "confusions"
    has_rates = False

    def __init__(
        self,
        confusions: str,
        system: str | None = None,
        direction: Literal["missed", "heard", "both"] = "both",
    ) -> None:
        if direction not in ("missed", "heard", "both"):
            raise PedkitError(f"expected direction to be missed, heard or both, but got {direction!r}")
        counts = _counts(Path(confusions), system)
        totals: Counter[str] = Counter()
        for (reference, _), number in counts.items():
            totals[reference] += number
        totals[GAP] = sum(number for reference, number in totals.items() if reference != GAP)
        rates = {pair: number / totals[pair[0]] for pair, number in counts.items() if totals[pair[0]]}
        heard, missed = {"missed": (0.0, 1.0), "heard": (1.0, 0.0), "both": (0.5, 0.5)}[direction]
        pairs = {pair for x, y in rates for pair in ((x, y), (y, x)) if x != y}
        self._weights = {
            (x, y): heard * rates.get((x, y), 0.0) + missed * rates.get((y, x), 0.0) for x, y in pairs
        }
        if not any(self._weights.values()):
            raise PedkitError("expected confusions of phones, but this system made none", file=confusions)

    def operations(self, kind: str, pronunciation: Pronunciation) -> list[Weighted]:
        """Return the audible operations of ``kind`` that the model confuses, weighted as above."""
        weighted = ((o, self._weight(o)) for o in possible_operations(kind, pronunciation))
        return [(operation, weight) for operation, weight in weighted if weight > 0]

    def label(self, _operation: Operation, _pronunciation: Pronunciation) -> str:
        """Return the name of the source."""
        return self.name

    def _weight(self, operation: Operation) -> float:
        x = GAP if isinstance(operation, Insertion) else base(operation.canonical)
        y = GAP if isinstance(operation, Deletion) else base(operation.realized)
        return self._weights.get((x, y), 0.0)


def _counts(path: Path, system: str | None) -> Counter[tuple[str, str]]:
    """Return reference and heard phone -> count, of the view ``heard`` of one system."""
    from pedkit.data.readers.cells import read_table  # brings all readers along

    rows = read_table(path)
    if not rows or not set(_COLUMNS) <= rows[0].cells.keys():
        raise PedkitError(f"expected a table with the columns {', '.join(_COLUMNS)}", file=path)
    systems = dict.fromkeys(row.written["system"] for row in rows)
    if system is None and len(systems) > 1:
        raise PedkitError(f"expected the name of one system of {', '.join(systems)}", file=path, hint="system=")
    if system is not None and system not in systems:
        raise PedkitError(f"there is no system '{system}' (there are: {', '.join(systems)})", file=path)
    counts: Counter[tuple[str, str]] = Counter()
    for row in rows:
        if row.written["view"] != "heard" or row.written["system"] != (system or next(iter(systems))):
            continue
        pair = row.written["reference"], row.written["heard"]
        number = row.written["count"]
        if any(phone in UNUSABLE_PHONES for phone in pair):
            continue
        if unknown := [phone for phone in pair if phone != GAP and phone not in CMU39]:
            raise PedkitError(f"expected phones of CMU-39, but got {unknown[0]!r}", file=path, line=row.line)
        if not number.isdecimal():
            raise PedkitError(f"expected a count, but got {number!r}", file=path, line=row.line)
        counts[pair] += int(number)
    return counts
