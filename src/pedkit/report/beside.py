"""What stands beside the rates of a test set: errors by type, words, agreement, phones used, Soft PER, losses."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pedkit.report.measures import Rate
from pedkit.report.numbers import DASH, count, counted, fraction, percent
from pedkit.report.soft_words import forgiven_words, soft_words

System = Mapping[str, Any]
"""The object of one system in ``scores.json``."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One number: what is shown, and what it is made of (or why there is none)."""

    text: str
    tip: str


@dataclass(frozen=True, slots=True)
class BesideRow:
    """One measure of all systems of a test set, with a sentence on what it says."""

    title: str
    meaning: str
    cells: tuple[Cell, ...]


def beside_rows(scores: Mapping[str, Any]) -> list[BesideRow]:
    """Return the rows that at least one system of ``scores.json`` has."""
    systems: list[System] = list(scores["systems"].values())
    rows = []
    for name, words, read in _ROWS:
        cells = [read(system) for system in systems]
        if any(cell is not None for cell in cells):
            title, meaning = (name, words) if isinstance(words, str) else words(scores["settings"])
            rows.append(BesideRow(title, meaning, tuple(cell or Cell(DASH, "not computed") for cell in cells)))
    return rows


def _edits(system: System) -> Cell | None:
    found: list[Rate] = [
        system.get(f"{kind}_error_rate", {}) for kind in ("substitution", "deletion", "insertion")
    ]
    if not all(found):
        return None
    tip = ", ".join(f"{name} {fraction(rate)}" for name, rate in zip(("S", "D", "I"), found, strict=True))
    return Cell(" + ".join(map(percent, found)), tip)


def _found_by_type(system: System) -> Cell | None:
    by_type = system.get("mdd", {}).get("counts_by_type")
    if by_type is None:
        return None
    shares, words = [], []
    for kind, name in (("sub", "substitutions"), ("del", "deletions"), ("ins", "insertions")):
        detected = sum(by_type[f"{outcome}_{kind}"] for outcome in ("CD", "DE", "DU"))
        made = detected + by_type[f"FA_{kind}"]
        shares.append(f"{100 * detected / made:.1f}" if made else DASH)
        words.append(f"{count(detected)} of {count(made)} {name}")
    return Cell(" / ".join(shares), ", ".join(words))


def _alarms_by_type(system: System) -> Cell | None:
    by_type = system.get("mdd", {}).get("counts_by_type")
    if by_type is None:
        return None
    numbers = [count(by_type[f"FR_{kind}"]) for kind in ("sub", "del", "ins")]
    return Cell(" / ".join(numbers), "{} heard as another phone, {} not heard, {} added".format(*numbers))


def _words(system: System) -> Cell | None:
    spans = system.get("spans") or {}
    name = "target" if spans.get("target") else "words"
    found = spans.get(name)
    if not found:
        return None
    rates = found["word_level"]["rates"]
    tip = (
        f"{fraction(rates['f1'])}; {counted(found['words'], 'word')}, insertions at boundary: {found['boundary']}"
    )
    return Cell(percent(rates["f1"]), tip)


def _agreement(name: str) -> Callable[[System], Cell | None]:
    def read(system: System) -> Cell | None:
        found: Rate | None = system.get("agreement", {}).get(name)
        return None if found is None else Cell(percent(found), fraction(found))

    return read


def _kappa(system: System) -> Cell | None:
    found: Rate | None = system.get("agreement", {}).get("kappa")
    if found is None:
        return None
    if found["value"] is None:
        return Cell(DASH, fraction(found))
    return Cell(f"{found['value']:.2f}", f"{100 * system['agreement']['observed']['value']:.1f} % agreement")


def _phones_used(kind: str) -> Callable[[System], Cell | None]:
    def read(system: System) -> Cell | None:
        found = system.get("inventory_f1", {}).get(kind)
        if found is None:
            return None
        value, languages = found["macro"]["f1"], found["languages"]
        if value is None:
            return Cell(DASH, "undefined: " + "; ".join(sorted({one["reason"] for one in languages.values()})))
        if len(languages) > 1:
            left_out = found["macro"]["undefined"]
            tip = f"mean of {count(found['macro']['languages'])} languages"
            return Cell(f"{100 * value:.1f}", f"{tip}, {count(left_out)} undefined" if left_out else tip)
        [only] = languages.values()
        precision, recall = 100 * only["precision"], 100 * only["recall"]
        return Cell(f"{100 * value:.1f}", f"precision {precision:.1f}, recall {recall:.1f}")

    return read


def _forgiven(system: System) -> Cell | None:
    fields = system.get("fields")
    if fields is None:
        return None
    first, second, unknown = (fields[name] for name in ("soft_tier1", "soft_tier2", "soft_unknown"))
    tip = f"{count(first)} by class, {count(second)} by pair; {counted(unknown, 'phone')} in no class"
    return Cell(count(first + second), tip)


def _soft_per(system: System) -> Cell | None:
    found: Rate | None = system.get("soft_per")
    return None if found is None else Cell(percent(found), fraction(found))


def _left_out(system: System) -> Cell | None:
    fields, dropped = system.get("fields"), system.get("dropped")
    if fields is None or dropped is None:
        return None
    lost = sum(dropped.get("predicted", {}).values())
    heard = fields["reference_phones"] - fields["deletions"] + fields["insertions"] + lost
    return Cell(f"{100 * lost / heard:.1f}" if heard else DASH, f"{count(lost)} / {count(heard)}")


def _answers_read(system: System) -> Cell | None:
    if not system.get("answers"):
        return None
    statuses = system["statuses"]
    asked = sum(statuses[name] for name in ("ok", "empty", "unparsable"))
    words = ", ".join(f"{count(statuses[name])} {name}" for name in ("empty", "unparsable", "recovered"))
    return Cell(f"{100 * statuses['ok'] / asked:.1f}" if asked else DASH, f"{count(asked)} answers, {words}")


def _answers_by_rule(system: System) -> Cell | None:
    found = system.get("answers")
    if not found:
        return None
    rules = [f"{rule} {count(number)}" for rule, number in found.items()]
    return Cell(", ".join(rules[:3]) + (" ..." if len(rules) > 3 else ""), ", ".join(rules))


def _true_rejections(system: System) -> Cell | None:
    found = system.get("tr_range")
    if found is None:
        return None
    full = {system["mdd"]["profile"]: system["mdd"], **system["mdd_profiles"]}["full"]
    chosen = sum(full["counts"][name] for name in ("CD", "DE", "DU"))
    return Cell(f"{count(found['fewest'])} to {count(found['most'])}", f"{count(chosen)} by the tie rules")


_Words = Callable[[Mapping[str, Any]], tuple[str, str]]
_ROWS: tuple[tuple[str, str | _Words, Callable[[System], Cell | None]], ...] = (
    ("PER as S + D + I, %", "What PER is made of: substituted, deleted and inserted phones.", _edits),
    (
        "Errors found, sub / del / ins, %",
        "Share of the speakers' substitutions, deletions and insertions that the system flags.",
        _found_by_type,
    ),
    (
        "False alarms, sub / del / ins",
        "FR by what the system did: another phone, none, or one that nobody said or should have said.",
        _alarms_by_type,
    ),
    ("Words, F1 %", "Found faulty words: a word is faulty, or flagged, if one of its columns is.", _words),
    (
        "Agreement, %",
        "Share of grid columns that system and annotation both call an error, or both do not.",
        _agreement("observed"),
    ),
    ("Cohen's kappa", "The same without what chance would give: 1 is full agreement, 0 is chance.", _kappa),
    (
        "Same phone named, %",
        "Of the errors that both found and named, the share to which both gave the same phone.",
        _agreement("diagnosis"),
    ),
    (
        "Phones used, exact F1, %",
        "Are the phones that the system uses those that the references hold? F1 of the two sets.",
        _phones_used("exact"),
    ),
    (
        "Phones used, fuzzy F1, %",
        "The same, each phone counting by the features of its nearest one in the other set.",
        _phones_used("fuzzy"),
    ),
    ("Soft PER, %", soft_words, _soft_per),
    ("Substitutions forgiven", forgiven_words, _forgiven),
    (
        "Symbols left out, %",
        "Predicted sounds that have no counterpart in the inventory of the scores.",
        _left_out,
    ),
    (
        "Answers with phones, %",
        "Share of a language model's answers from which phones could be read; all others score as deleted.",
        _answers_read,
    ),
    (
        "Answers by rule",
        "By which rules its answers were read, and how many met each; an answer may meet several.",
        _answers_by_rule,
    ),
    (
        "True rejections, range",
        "Fewest and most errors found over all equally good alignments.",
        _true_rejections,
    ),
)
