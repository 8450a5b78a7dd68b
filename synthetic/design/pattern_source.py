"""Errors that are documented of learners and children: tables of rules, each with its reference."""

from __future__ import annotations

import functools
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pedkit.close_names import did_you_mean
from pedkit.errors import PedkitError
from synthetic.arpabet import CMU39, base, split_stress
from synthetic.design.contexts import CLASSES, Context
from synthetic.design.edits import audible
from synthetic.design.operations import Deletion, Insertion, Operation, Pronunciation, Substitution
from synthetic.design.sources import Weighted

if TYPE_CHECKING:
    from pedkit.data.readers.cells import Row

TABLES = Path(__file__).parent / "tables"
_COLUMNS = ("pattern", "canonical", "realized", "context", "reference")
_NOTHING = "-"


@dataclass(frozen=True, slots=True)
class Rule:
    """One line of a table: ``canonical`` becomes ``realized`` in a context.

    Attributes:
        pattern: What the field calls it.
        canonical: The phones that it changes, without stress; empty for an insertion.
        realized: What is said instead; ``None`` for a deletion.
        context: Where.
        weight: How likely the pattern is beside the others of the table.
    """

    pattern: str
    canonical: frozenset[str]
    realized: str | None
    context: Context
    weight: float

    def operations(self, pronunciation: Pronunciation) -> Iterator[Operation]:
        """Yield the errors that the rule can make of a word and that can be heard."""
        inserts = not self.canonical
        for at in range(len(pronunciation) + inserts):
            if not inserts and self.canonical.isdisjoint((pronunciation[at], base(pronunciation[at]))):
                continue
            if self.context.holds(pronunciation[:at], pronunciation[at + (not inserts) :]):
                operation = self._at(at, pronunciation)
                if audible(operation, pronunciation):
                    yield operation

    def _at(self, at: int, pronunciation: Pronunciation) -> Operation:
        if self.realized is None:
            return Deletion(at, pronunciation[at])
        vowel = self.realized in CMU39.vowels
        if not self.canonical:
            return Insertion(at, self.realized + "0" if vowel else self.realized)
        stress = split_stress(pronunciation[at])[1]
        return Substitution(at, pronunciation[at], self.realized + (stress or "0") if vowel else self.realized)


class PatternSource:
    """Every pattern that a word allows is as likely as every other, and so is every place of one pattern.

    An operation weighs w / n, where w is the weight of its pattern and n the number of operations of its kind that
    the pattern can make of the word.

    Args:
        tables: Names of shipped tables (``child``, ``mandarin``, ``spanish``, ``arabic``, ``hindi``, ``korean``,
            ``vietnamese``) or files (``.tsv``) with the columns pattern, canonical, realized, context, reference,
            and perhaps weight.
        patterns: The patterns to use; ``None`` for all.

    Raises:
        PedkitError: A table or a pattern is not there, or a line cannot be read.
    """

    has_rates = False

    def __init__(self, tables: Sequence[str], patterns: Sequence[str] | None = None) -> None:
        if not tables:
            raise PedkitError("expected one table of patterns or more, but got none")
        rules = [rule for table in tables for rule in read_rules(table)]
        names = dict.fromkeys(rule.pattern for rule in rules)
        if unknown := [name for name in patterns or () if name not in names]:
            raise PedkitError(
                f"there is no pattern '{unknown[0]}' in {', '.join(tables)}",
                hint=did_you_mean(unknown[0], names) or f"there are: {', '.join(names)}",
            )
        self.rules = [rule for rule in rules if patterns is None or rule.pattern in patterns]
        self.name = "patterns:" + "+".join(Path(table).stem for table in tables)

    def operations(self, kind: str, pronunciation: Pronunciation) -> list[Weighted]:
        """Return what the patterns make of a word, with the weights above."""
        found = [(rule, operation) for rule, operation in self._possible(pronunciation) if operation.kind == kind]
        places = Counter(rule.pattern for rule, _ in found)
        weights: dict[Operation, float] = {}
        for rule, operation in found:
            weights[operation] = weights.get(operation, 0.0) + rule.weight / places[rule.pattern]
        return list(weights.items())

    def label(self, operation: Operation, pronunciation: Pronunciation) -> str:
        """Return the name of the source and of the patterns that make this error."""
        patterns = dict.fromkeys(
            rule.pattern for rule, possible in self._possible(pronunciation) if possible == operation
        )
        return f"{self.name}: {', '.join(patterns)}"

    def _possible(self, pronunciation: Pronunciation) -> list[tuple[Rule, Operation]]:
        return [(rule, operation) for rule in self.rules for operation in rule.operations(pronunciation)]


@functools.cache
def read_rules(table: str) -> tuple[Rule, ...]:
    """Return the rules of a table.

    Args:
        table: Name of a shipped table, or a file.

    Raises:
        PedkitError: There is no such table, or a line has a phone outside CMU-39 or is no rule; the line is named.
    """
    path = Path(table) if table.endswith(".tsv") else TABLES / f"{table}.tsv"
    if not path.exists():
        shipped = sorted(path.stem for path in TABLES.glob("*.tsv"))
        raise PedkitError(f"there is no table of patterns '{table}'", hint=f"there are: {', '.join(shipped)}")
    from pedkit.data.readers.cells import read_table  # brings all readers along

    rows = read_table(path, delimiter="\t")
    if not rows:
        raise PedkitError("expected a table of patterns, but it is empty", file=path)
    return tuple(_rule(row, path) for row in rows)


def _rule(row: Row, path: Path) -> Rule:
    try:
        if missing := [name for name in _COLUMNS if row.cells.get(name) is None]:
            raise PedkitError(f"expected a value in the column '{missing[0]}'")
        cells = {name: row.cells[name] or "" for name in _COLUMNS}
        canonical, realized = cells["canonical"], cells["realized"]
        phones = _phones(canonical)
        if realized != _NOTHING and realized not in CMU39:
            raise PedkitError(f"expected a phone of CMU-39 or '-', but got {realized!r}")
        if realized in phones or (not phones and realized == _NOTHING):
            raise PedkitError(f"expected an error, but {canonical!r} becomes {realized!r}")
        return Rule(
            cells["pattern"],
            phones,
            None if realized == _NOTHING else realized,
            Context.parse(cells["context"]),
            _weight(row.cells.get("weight")),
        )
    except PedkitError as error:
        raise error.at(file=path, line=row.line) from None


def _phones(canonical: str) -> frozenset[str]:
    if canonical == _NOTHING:
        return frozenset()
    if canonical not in CLASSES and canonical not in CMU39:
        raise PedkitError(
            f"expected a phone of CMU-39, a class or '-', but got {canonical!r}",
            hint=f"classes: {', '.join(CLASSES)}",
        )
    return CLASSES.get(canonical, frozenset((canonical,)))


def _weight(cell: str | None) -> float:
    try:
        weight = 1.0 if cell is None else float(cell)
    except ValueError:
        weight = math.nan
    if not 0 < weight < math.inf:
        raise PedkitError(f"expected a weight over 0, but got {cell!r}")
    return weight
