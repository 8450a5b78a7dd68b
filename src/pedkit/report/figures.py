"""The figures and small tables of a report page, from scores and pair counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from markupsafe import Markup

from pedkit.report.measures import MEASURES, rate
from pedkit.report.numbers import DASH, count, percent
from pedkit.report.page import SetPage, SystemDetail
from pedkit.report.reference_words import REALIZED, ReferenceWords
from pedkit.report.svg import Bar, Stack, bar_chart, heat_map, stacked_chart

NOT_HEARD = "∅"
"""A phone that was said and not heard."""
NOTHING_SAID = "∅"
MISTAKES_SHOWN = 12


@dataclass(frozen=True, slots=True)
class GroupRow:
    """One row of the group table."""

    label: str
    speakers: str
    utterances: str
    scores: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemFigures:
    """What the page shows of one system on one test set; empty parts are left out of the page."""

    groups: Mapping[str, Sequence[GroupRow]] = field(default_factory=dict)
    group_chart: Markup = Markup("")
    profile: Mapping[str, str] = field(default_factory=dict)
    heat_map: Markup = Markup("")
    mistakes: Sequence[Mapping[str, str]] = ()
    flags: Sequence[Mapping[str, str]] = ()


def error_figure(sets: Sequence[SetPage]) -> str:
    """Return bars of PER and PFER for each test set and system."""
    bars = []
    for test_set in sets:
        for name, system in test_set.scores["systems"].items():
            bars.append(Bar(_heading(test_set, name)))
            for key, css in (("per", "bar"), ("pfer", "bar second")):
                bars.append(Bar(MEASURES[key].title, rate(system, key)["value"], percent(rate(system, key)), css))
    return bar_chart(bars, title="Phone error rate and PFER by test set; the numbers stand in the table above")


def outcome_figure(sets: Sequence[SetPage]) -> str:
    """Return the outcomes with and without an error of the speaker, two bars for each test set and system."""
    stacks = []
    for test_set in sets:
        for name, system in test_set.scores["systems"].items():
            counts = (system.get("mdd") or {}).get("counts")
            if counts:
                stacks.append(Stack(_heading(test_set, name)))
                stacks.append(Stack("no error: TA + FR", {key: counts[key] for key in ("TA", "FR")}))
                stacks.append(Stack("errors: TR + FA", {key: counts[key] for key in ("CD", "DE", "DU", "FA")}))
    return stacked_chart(stacks, title="Outcomes where no error was made and of errors, as shares, by test set")


def _heading(test_set: SetPage, system: str) -> str:
    return f"{test_set.title}: {system}" if len(test_set.scores["systems"]) > 1 else test_set.title


def system_figures(
    name: str,
    system: Mapping[str, Any],
    detail: SystemDetail | None,
    inventory: Sequence[str],
    words: ReferenceWords = REALIZED,
) -> SystemFigures:
    """Return the tables and figures of one system on one test set."""
    groups = _group_rows(system.get("groups") or {})
    bars = []
    for key, rows in groups.items():
        bars.append(Bar(key.replace("_", " ")))
        bars += [bar for row in rows for bar in _group_bars(row)]
    chart = (
        Markup(bar_chart(bars, title=f"PER and false rejection rate of {name} by group"))
        if any(bar.value is not None for bar in bars)
        else Markup("")
    )
    if detail is None or not any(detail.confusions.values()):
        return SystemFigures(groups=groups, group_chart=chart)
    return SystemFigures(
        groups=groups,
        group_chart=chart,
        profile=_profile(detail.confusions, words),
        heat_map=Markup(
            _heat_map(f"Share of {words.each} heard as each phone by {name}", detail.confusions, inventory)
        ),
        mistakes=_mistakes(detail.confusions),
        flags=_flags(detail.flags, inventory),
    )


def _group_bars(row: GroupRow) -> list[Bar]:
    shown = (("per", row.label, "bar"), ("frr", "", "bar second"))
    return [
        Bar(label, rate(row.scores, key)["value"], f"{MEASURES[key].title} {percent(rate(row.scores, key))}", css)
        for key, label, css in shown
    ]


def _group_rows(groups: Mapping[str, Mapping[str, Mapping[str, Any]]]) -> dict[str, list[GroupRow]]:
    """Return rows by key; where several corpora are present each row names its own, as they are never pooled."""
    table: dict[str, list[GroupRow]] = {}
    for key, corpora in groups.items():
        rows = table.setdefault(key, [])
        for corpus, values in corpora.items():
            for value, scores in values.items():
                label = value if len(corpora) == 1 else f"{corpus}: {value}"
                speakers = UNKNOWN_SPEAKERS if scores["n_speakers"] is None else count(scores["n_speakers"])
                rows.append(GroupRow(label, speakers, count(scores["n_utterances"]), scores))
    return table


UNKNOWN_SPEAKERS = "unknown"


def _profile(confusions: Mapping[tuple[str | None, str | None], int], words: ReferenceWords) -> dict[str, str]:
    """Return how reference phones were heard (PEDBench, Figure 3): shares, and insertions per 1,000 phones."""
    said = sum(number for (realized, _), number in confusions.items() if realized is not None)
    right = sum(number for (realized, predicted), number in confusions.items() if realized == predicted)
    missed = sum(number for (realized, predicted), number in confusions.items() if realized and predicted is None)
    extra = sum(number for (realized, _), number in confusions.items() if realized is None)

    def share(number: float) -> str:
        return f"{100 * number / said:.1f} %" if said else DASH

    return {
        "heard right": share(right),
        "heard as another phone": share(said - right - missed),
        "not heard": share(missed),
        f"insertions per {words.per_thousand}": f"{1000 * extra / said:.0f}" if said else DASH,
    }


def _heat_map(
    title: str, confusions: Mapping[tuple[str | None, str | None], int], inventory: Sequence[str]
) -> str:
    present = {phone for pair in confusions for phone in pair if phone is not None}
    phones = [phone for phone in inventory if phone in present] or sorted(present)
    counts = Counter[tuple[str, str]]()
    for (realized, predicted), number in confusions.items():
        if realized is not None:
            counts[realized, predicted if predicted is not None else NOT_HEARD] += number
    others = sorted({heard for _, heard in counts}.difference(phones, (NOT_HEARD,)))  # <unk> of an annotator
    return heat_map(
        counts,
        phones,
        [*phones, *others, NOT_HEARD],
        title=title,
    )


def _mistakes(confusions: Mapping[tuple[str | None, str | None], int]) -> list[dict[str, str]]:
    said = Counter[str | None]()
    for (realized, _), number in confusions.items():
        said[realized] += number
    wrong = [(number, *pair) for pair, number in confusions.items() if pair[0] != pair[1]]
    wrong.sort(key=lambda row: (-row[0], row[1] or "", row[2] or ""))
    return [
        {
            "realized": realized or NOTHING_SAID,
            "predicted": predicted or NOT_HEARD,
            "count": count(number),
            "share": f"{100 * number / said[realized]:.0f}" if realized else DASH,
        }
        for number, realized, predicted in wrong[:MISTAKES_SHOWN]
    ]


def _flags(flags: Mapping[str, Mapping[str, int]], inventory: Sequence[str]) -> list[dict[str, str]]:
    order = {phone: index for index, phone in enumerate(inventory)}
    rows = []
    for phone in sorted(flags, key=lambda phone: (order.get(phone, len(order)), phone)):
        outcomes = flags[phone]
        correct = outcomes.get("TA", 0) + outcomes.get("FR", 0)
        errors = sum(outcomes.get(key, 0) for key in ("FA", "CD", "DE", "DU"))
        rows.append(
            {
                "phone": phone,
                "FR": count(outcomes.get("FR", 0)),
                "correct": count(correct),
                "FA": count(outcomes.get("FA", 0)),
                "errors": count(errors),
            }
        )
    return rows
