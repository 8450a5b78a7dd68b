"""The short table on the terminal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from pedkit.report.answers import answers_line
from pedkit.report.measures import HEADLINE, MEASURES, rate
from pedkit.report.numbers import DASH, count, money, percent

_WIDTH = 110
"""Columns where the terminal is narrower or none: a row that wraps cannot be read."""


def print_scores(sets: Mapping[str, Mapping[str, Any]], console: Console | None = None) -> None:
    """Print one row for each system and reference row of each test set, in per cent.

    Args:
        sets: Short name of the test set -> content of its ``scores.json``.
        console: Where to print; stdout where ``None``.
    """
    table = Table(box=None, padding=(0, 1, 0, 0), header_style="bold underline")
    table.add_column("per cent", overflow="fold")
    for key in HEADLINE:
        table.add_column(MEASURES[key].title, justify="right", no_wrap=True)
    for title, scores in sets.items():
        table.add_section()
        systems = scores["systems"]
        if len(sets) > 1 and len(systems) > 1:
            table.add_row(title)
        for name, system in systems.items():
            label = title if len(sets) > 1 and len(systems) == 1 else name
            table.add_row(Text(label), *(percent(rate(system, key)) for key in HEADLINE), style="bold")
        for name, system in scores.get("references", {}).items():
            table.add_row(
                f"  {name.replace('_', '-')}", *(percent(rate(system, key)) for key in HEADLINE), style="dim"
            )
    out = console or Console()
    out.width = max(out.width, _WIDTH)  # print(width=) would take the narrower of the two
    out.print(table, crop=False)
    for title, scores in sets.items():
        for name, system in scores["systems"].items():
            if line := answers_line(system):
                label = f"{title}, {name}" if len(sets) > 1 else name
                out.print(Text(f"{label}: {line}"), soft_wrap=True)


def print_groups(content: Mapping[str, Any], console: Console | None = None) -> None:
    """Print for each attribute whether a difference in the first metric can be claimed.

    Args:
        content: Of ``fairness.json``.
        console: Where to print; stdout where ``None``.
    """
    from pedkit.report.fairness.content import TITLES, slices
    from pedkit.report.fairness.readings import verdict
    from pedkit.report.fairness.sets import set_sentences

    metric = content["settings"]["metrics"][0]
    out = console or Console()
    for one in slices(content):
        out.print(Text(f"{TITLES[metric]} by {one.title}: {verdict(one, metric)}"), soft_wrap=True)
    for sentence in [*set_sentences(content, [metric]), *(f"{note}." for note in content["notes"])]:
        out.print(Text(sentence), soft_wrap=True)


def print_usage(sets: Mapping[str, Mapping[str, Any]], console: Console | None = None) -> None:
    """Print what hearing each test set through a server used and cost, and below it why a cost is unknown.

    Args:
        sets: Short name of the test set -> content of its ``usage.json``.
        console: Where to print; stdout where ``None``.
    """
    table = Table(box=None, padding=(0, 1, 0, 0), header_style="bold underline")
    titles = (
        "",
        "answers",
        "cached",
        "requests",
        "tokens in",
        "audio",
        "tokens out",
        "s median",
        "s 95 %",
        "cost",
    )
    for title in titles:
        table.add_column(title, justify="right" if title else "left", no_wrap=bool(title))
    for name, usage in sets.items():
        tokens, seconds = usage["tokens"], usage["seconds"]
        numbers = [usage["answers"], usage["from_cache"], usage["requests"]]
        numbers += [tokens["input"], tokens["input_audio"], tokens["output"]]
        times = [DASH if one is None else f"{one:.2f}" for one in (seconds["median"], seconds["p95"])]
        table.add_row(Text(name), *map(count, numbers), *times, money(usage["cost"]))
    out = console or Console()
    out.width = max(out.width, _WIDTH)
    out.print(table, crop=False)
    for reason in dict.fromkeys(usage["cost"]["reason"] for usage in sets.values()):
        if reason is not None:
            out.print(Text(f"cost unknown: {reason} (recognizer.prices)"), soft_wrap=True)


def print_words(sets: Mapping[str, Mapping[str, Any]], console: Console | None = None) -> None:
    """Print the word error rate of each system, in per cent.

    Args:
        sets: Short name of the test set -> content of its ``scores.json`` under ``metric=wer``.
        console: Where to print; stdout where ``None``.
    """
    table = Table(box=None, padding=(0, 1, 0, 0), header_style="bold underline")
    for name in ("", "WER %", "errors", "words"):
        table.add_column(name, justify="right" if name else "left", no_wrap=bool(name))
    for scores in sets.values():
        for name, system in scores["systems"].items():
            found = system["wer"]
            sums = (count(found["numerator"]), count(found["denominator"]))
            table.add_row(Text(name), percent(found), *sums, style="bold")
    (console or Console()).print(table)
