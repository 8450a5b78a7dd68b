"""Phones of a manifest: errors are counted, symbols outside the inventory found."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

from rapidfuzz.distance import Levenshtein

from pedkit.data.checking.report import Report, SplitCounts
from pedkit.data.utterance import Utterance
from pedkit.phones import INVENTORY_NAMES, get_inventory
from pedkit.phones.marks import UNUSABLE_PHONES


class PhoneCheck:
    """Looks at canonical and realized phones."""

    def __init__(self) -> None:
        self._outside: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
        self._unusable: Counter[str] = Counter()
        self._lacking: Counter[str] = Counter()

    def add(self, utterance: Utterance, counts: SplitCounts, report: Report) -> None:
        """Take in one utterance."""
        canonical, realized = utterance.canonical, utterance.realized
        self._lacking["canonical phones"] += canonical is None
        self._lacking["realized phones"] += realized is None
        if canonical is None and realized is None:
            return
        if utterance.inventory not in INVENTORY_NAMES:
            report.fault(
                "inventory",
                f"utterance '{utterance.id}': expected an inventory out of {', '.join(INVENTORY_NAMES)}, "
                f"but got {utterance.inventory!r}",
            )
            return
        inventory = get_inventory(utterance.inventory)
        for phone in (*(canonical or ()), *(realized or ())):
            if phone in UNUSABLE_PHONES:
                self._unusable[phone] += 1
            elif phone not in inventory:
                self._outside[inventory.name, phone].append(utterance.id)
        counts.canonical += len(canonical or ())
        counts.realized += len(realized or ())
        if canonical is not None and realized is not None:
            wrong, deleted, inserted = _errors(canonical, realized, utterance)
            counts.mispronounced += wrong
            counts.deleted += deleted
            counts.inserted += inserted
            counts.faulty += wrong + inserted > 0

    def finish(self, report: Report) -> None:
        """Report what only the whole shows."""
        for (inventory, phone), names in self._outside.items():
            first = f"{len(names)} times, first in utterance '{names[0]}'"
            report.fault("symbol", f"the symbol {phone!r} is outside the inventory {inventory} ({first})")
        report.notes += [f"utterances without {what}: {count}" for what, count in self._lacking.items() if count]
        if self._unusable:
            symbols = ", ".join(f"{symbol} {count}" for symbol, count in self._unusable.items())
            report.notes.append(f"realized symbols that equal no phone: {symbols}")


def _errors(canonical: Sequence[str], realized: Sequence[str], utterance: Utterance) -> tuple[int, int, int]:
    """Return how many phones are wrong (deleted ones included), deleted, and inserted.

    The annotator's own alignment decides where there is one, a least-cost alignment otherwise.
    """
    flags = list(utterance.flags)
    if utterance.alignment is None:
        wrong, inserted = pronunciation_errors(canonical, realized, flags)
        # Deletions and insertions of an alignment differ by what the lengths differ.
        return wrong, len(canonical) - len(realized) + inserted, inserted
    at = said = 0
    wrong_at = set(flags)
    for column in utterance.alignment:
        if column == "D" or (column == "M" and canonical[at] != realized[said]):
            wrong_at.add(at)
        at += column != "I"
        said += column != "D"
    return len(wrong_at), utterance.alignment.count("D"), utterance.alignment.count("I")


def pronunciation_errors(
    canonical: Sequence[str], realized: Sequence[str], flags: Sequence[int]
) -> tuple[int, int]:
    """Count errors of one utterance.

    Args:
        canonical: Canonical phones.
        realized: Realized phones.
        flags: Canonical indices that are wrong even where the phones are equal.

    Returns:
        Canonical phones said wrongly or not at all, and phones inserted, by a least-cost alignment.
    """
    edits = Levenshtein.editops(list(canonical), list(realized))
    wrong = {edit.src_pos for edit in edits if edit.tag != "insert"}
    return len(wrong | set(flags)), sum(edit.tag == "insert" for edit in edits)
