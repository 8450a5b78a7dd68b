"""What the report page shows of each attribute: sentences, a table, figures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from pedkit.report.fairness import figures
from pedkit.report.fairness.content import TITLES, UNKNOWN, Row, Slice, is_hollow, slices
from pedkit.report.fairness.estimates import disagreement
from pedkit.report.fairness.readings import cautions, readings, verdict
from pedkit.report.numbers import DASH, count, counted, number, signed

METHODS = {"bca": "BCa", "percentile": "percentile", "t": "t", "bootstrap-t": "bootstrap-t"}


@dataclass(frozen=True, slots=True)
class TableRow:
    """One group of one system, as text."""

    group: str
    few: bool
    speakers: str
    utterances: str
    mean: str
    interval: str
    method: str
    disparity: str
    pooled: str
    tip: str


@dataclass(frozen=True, slots=True)
class SystemPart:
    """What is shown of one system; a figure that cannot be drawn and a sentence without cause are blank."""

    name: str
    rows: Sequence[TableRow]
    has_means: bool
    pairs: Markup
    forest: Markup
    forest_is_ratio: bool
    reference: str
    strips: Markup
    model: str
    estimates: str


@dataclass(frozen=True, slots=True)
class MetricPart:
    """One metric: sentences, and a part for each system.

    Attributes:
        key: Name of the metric.
        title: Its name for readers.
        readings: What may be said.
        verdict: The same in a few words.
        bars: Rates with intervals.
        rates: What these rates are: means over speakers, where speakers are known.
        line: What the dashed line is.
        systems: A part for each system.
        changes: Changes of gaps.
    """

    key: str
    title: str
    readings: Sequence[str]
    verdict: str
    bars: Markup
    rates: str
    line: str
    systems: Sequence[SystemPart]
    changes: Markup


@dataclass(frozen=True, slots=True)
class AttributeSection:
    """One attribute in one corpus."""

    title: str
    cautions: Sequence[str]
    metrics: Sequence[MetricPart]
    disparities: Markup
    legend: Sequence[tuple[int, str]]


def attribute_sections(content: Mapping[str, Any]) -> list[AttributeSection]:
    """Return the sections, in the order in which the attributes were asked for.

    Args:
        content: Of ``fairness.json``.
    """
    return [
        AttributeSection(
            title=one.title,
            cautions=cautions(one, one.metrics[0]),
            metrics=[_metric(one, metric) for metric in one.metrics],
            disparities=Markup(figures.disparity_map(one)),
            legend=figures.legend(one.systems),
        )
        for one in slices(content)
    ]


def _metric(one: Slice, metric: str) -> MetricPart:
    return MetricPart(
        key=metric,
        title=TITLES[metric],
        readings=readings(one, metric),
        verdict=verdict(one, metric),
        bars=Markup(figures.error_bars(one, metric)),
        rates=figures.rates_text(one.groups(one.systems[0], metric)),
        line=figures.rates_text([one.overall(one.systems[0], metric)], of_all=True),
        systems=[_system(one, name, metric) for name in one.systems],
        changes=Markup(figures.change_chart(one, metric)),
    )


def _system(one: Slice, name: str, metric: str) -> SystemPart:
    model = one.model(name, metric)
    also = [f"the model also holds {', '.join(one.other_terms)}"] if one.other_terms else []
    ratios = any(group["rate_ratio"]["low"] is not None for group in model["groups"])
    return SystemPart(
        name=name,
        rows=list(_rows(one, name, metric)),
        has_means=any(row["n_speakers"] is not None for row in one.groups(name, metric)),
        pairs=Markup(figures.pair_matrix(one, name, metric)),
        forest=Markup(figures.forest(one, name, metric)),
        forest_is_ratio=ratios,
        reference=str(model.get("reference") or ""),
        strips=Markup(figures.strips(one, name, metric)),
        estimates=disagreement(one, name, metric),
        model=_sentence([*also, *model["flags"].values()]) if ratios else "",
    )


def _sentence(parts: Sequence[str]) -> str:
    text = "; ".join(parts)
    return text[:1].upper() + text[1:]  # str.capitalize would write names of groups small


def _rows(one: Slice, name: str, metric: str) -> Iterator[TableRow]:
    for row in one.groups(name, metric):
        interval, pooled = row["interval"], row["pooled"]
        yield TableRow(
            group=f"{UNKNOWN} (in no comparison)" if row["value"] == UNKNOWN else row["value"],
            few=is_hollow(row),
            speakers=UNKNOWN if row["n_speakers"] is None else count(row["n_speakers"]),
            utterances=count(row["n_utterances"]),
            mean=_percent(row["mean"]),
            interval=_range(interval),
            method=METHODS.get(interval["method"] or "", interval["method"] or DASH),
            disparity=_disparity(row),
            pooled=_percent(pooled["value"]),
            tip=_tip(row),
        )


def _tip(row: Row) -> str:
    """Return what stands behind a row: the sums, and why something is undefined or computed in another way."""
    pooled = row["pooled"]
    parts = [f"{count(pooled['numerator'])} / {count(pooled['denominator'])}"]
    parts += [text for text in (row["reason"], row["interval"]["reason"]) if text]
    if row["n_dropped"]:
        parts.append(f"{counted(row['n_dropped'], 'speaker')} left out: nothing to judge")
    if row["t_interval"] is not None and row["t_interval"]["low"] is not None and row["interval"]["method"] != "t":
        parts.append(f"t interval {_range(row['t_interval'])}")
    return "; ".join(dict.fromkeys(parts))


def _disparity(row: Row) -> str:
    found = row["from_speaker_mean"]
    if found is None or found["value"] is None:
        return DASH
    text, low, high = signed(100 * found["value"]), found["interval"]["low"], found["interval"]["high"]
    return text if low is None else f"{text} ({signed(100 * low)} to {signed(100 * high)})"


def _range(interval: Row) -> str:
    low, high = interval["low"], interval["high"]
    return DASH if low is None else f"{number(100 * low)} to {number(100 * high)}"


def _percent(value: float | None) -> str:
    return DASH if value is None else f"{100 * value:.1f}"
