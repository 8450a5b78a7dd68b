"""The figures of one attribute, from the rows of ``fairness.json``."""

from __future__ import annotations

from collections.abc import Sequence

from pedkit.report.fairness.content import TITLES, UNKNOWN, Row, Slice, is_hollow, rate_of
from pedkit.report.fairness.interval_chart import Row as Estimate
from pedkit.report.fairness.interval_chart import interval_chart
from pedkit.report.fairness.matrix import Cell, matrix
from pedkit.report.fairness.readings import p_text
from pedkit.report.fairness.strip_plot import Strip, strip_plot
from pedkit.report.numbers import MINUS, count, number, signed

MOST_SERIES = 4
"""Systems that have a colour of their own."""
APART = "†"
"""Stands behind a distance whose interval leaves out 0."""
MOST_PAIRS_DRAWN = 12
MOST_GROUPS_IN_MATRIX = 14


def error_bars(one: Slice, metric: str) -> str:
    """Return means with their intervals, systems side by side, and a line at the first one's overall mean."""
    by_system = {name: {row["value"]: row for row in one.groups(name, metric)} for name in one.systems}
    first = one.groups(one.systems[0], metric)
    rows = []
    for group in first:
        for k, name in enumerate(one.systems):
            row = by_system[name].get(group["value"])
            if row is not None:
                rows.append(_estimate(row, group["value"] if k == 0 else "", k, below=len(one.systems) == 1))
    overall = rate_of(one.overall(one.systems[0], metric))
    title = f"{TITLES[metric]} by {one.title}: {rates_text(first)}"
    return interval_chart(rows, title=title, unit="%", line=_hundred(overall), least=0.0)


def rates_text(rows: Sequence[Row], *, of_all: bool = False) -> str:
    """Return what the rates of rows are, as `rate_of` chooses it."""
    if all(row["n_speakers"] is None for row in rows):
        return "all groups together" if of_all else "all utterances together"
    return "mean over all speakers" if of_all else "mean over speakers with 95 % interval"


def _estimate(row: Row, label: str, series: int, *, below: bool) -> Estimate:
    value, interval = rate_of(row), row["interval"]
    if value is None:
        note = f"n/a: {row['reason']}"
    elif interval["low"] is None:
        note = f"{100 * value:.1f}, no interval"
    else:
        note = f"{100 * value:.1f} ({number(100 * interval['low'])} to {number(100 * interval['high'])})"
    return Estimate(
        label=label,
        value=_hundred(value),
        low=_hundred(interval["low"]),
        high=_hundred(interval["high"]),
        note=note,
        below=speakers_text(row) if below else "",
        hollow=is_hollow(row) or row["value"] == UNKNOWN,
        series=series % MOST_SERIES,
    )


def disparity_map(one: Slice) -> str:
    """Return the distance of each group from the overall mean, in points, for every metric and system.

    Nothing is drawn where no group has one.
    """
    columns, cells = [], {}
    for metric in one.metrics:
        for name in one.systems:
            column = TITLES[metric] if len(one.systems) == 1 else f"{TITLES[metric]} {name}"
            columns.append(column)
            for row in one.groups(name, metric):
                cells[row["value"], column] = _disparity(row)
    if all(cell.value is None for cell in cells.values()):
        return ""  # speakers are not known, as the sentences say
    labels = [row["value"] for row in one.groups(one.systems[0], one.metrics[0])]
    return matrix(cells, labels, columns, title=f"Distance from the overall mean in points, by {one.title}")


def _disparity(row: Row) -> Cell:
    found = row["from_speaker_mean"]
    if found is None or found["value"] is None:
        return Cell(None, "n/a", f"{row['value']}: undefined: {row['reason'] or row['interval']['reason']}")
    low, high, value = found["interval"]["low"], found["interval"]["high"], 100 * found["value"]
    if low is None:
        why = found["interval"]["reason"]
        return Cell(value, signed(value), f"{row['value']}: {signed(value)} points, no interval: {why}")
    apart = low > 0 or high < 0
    tip = f"{row['value']}: {signed(value)} points ({signed(100 * low)} to {signed(100 * high)})"
    return Cell(value, f"{signed(value)}{APART if apart else ''}", tip)


def pair_matrix(one: Slice, system: str, metric: str) -> str:
    """Return row minus column in points for every pair of groups, with Holm's stars; undefined ones hatched."""
    cells: dict[tuple[str, str], Cell] = {}
    rows = one.rows("pairwise", system, metric)
    if all(row["p"] is None for row in rows) or len(rows) == 1:
        return ""  # the table and the sentences say it already
    for row in rows:
        cells[row["row"], row["column"]] = _difference(row, 1)
        cells[row["column"], row["row"]] = _difference(row, -1)
    present = {name for pair in cells for name in pair}
    labels = [row["value"] for row in one.groups(system, metric) if row["value"] in present]
    if not 2 <= len(labels) <= MOST_GROUPS_IN_MATRIX:
        return ""
    return matrix(
        cells, labels, labels, title=f"{TITLES[metric]} of {system}: row minus column in points, by {one.title}"
    )


def _difference(row: Row, sign: int) -> Cell:
    first, second = (row["row"], row["column"])[::sign]
    if row["p"] is None or row["difference"] is None:
        known = (
            "" if row["difference"] is None else f" (difference {signed(sign * 100 * row['difference'])} points)"
        )
        return Cell(None, "n/a", f"{first} minus {second}: no test: {row['reason']}{known}")
    value, (low, high) = sign * 100 * row["difference"], _ends(row, sign)
    tip = (
        f"{first} minus {second}: {signed(value)} points ({signed(low)} to {signed(high)}); {p_text(row['p'])}, "
        f"after Holm {p_text(row['p_holm'])}"
    )
    return Cell(value, signed(value) + row["stars_holm"], tip)


def forest(one: Slice, system: str, metric: str) -> str:
    """Return rate ratios of the mixed model; where there is none, differences of the widest pairs in points."""
    groups, series = one.model(system, metric)["groups"], one.systems.index(system) % MOST_SERIES
    if any(group["rate_ratio"]["low"] is not None for group in groups):
        order = [row["value"] for row in one.groups(system, metric)]
        ratios = {group["value"]: group["rate_ratio"] for group in groups}
        rows = [_ratio(name, ratios[name], series) for name in order if name in ratios]
        title = f"Rate ratios of {TITLES[metric]} of {system} by {one.title}"
        return interval_chart(rows, title=title, ratio=True, line=1.0)
    pairs = [row for row in one.rows("pairwise", system, metric) if row["interval"]["low"] is not None]
    pairs.sort(key=lambda row: -abs(row["difference"]))
    if not pairs:
        return ""
    title = f"Differences in {TITLES[metric]} of {system} by {one.title}, in points"
    return interval_chart([_gap(row, series) for row in pairs[:MOST_PAIRS_DRAWN]], title=title, line=0.0)


def _ratio(name: str, ratio: Row, series: int) -> Estimate:
    value, low, high = ratio["value"], ratio["low"], ratio["high"]
    note = f"{value:.2f} ({low:.2f} to {high:.2f})" if low is not None else "reference" if value == 1 else "n/a"
    return Estimate(name, value, low, high, note, hollow=low is None, series=series)


def _gap(row: Row, series: int) -> Estimate:
    sign = -1 if row["difference"] < 0 else 1
    first, second = (row["row"], row["column"])[::sign]
    low, high = _ends(row, sign)
    value = sign * 100 * row["difference"]
    note = f"{value:.1f} ({signed(low)} to {signed(high)})"
    return Estimate(first, value, low, high, note, below=f"{MINUS} {second}", series=series)


def strips(one: Slice, system: str, metric: str) -> str:
    """Return every speaker as a dot, by group; nothing where speakers are not known."""
    speakers = one.speakers(system, metric)
    rows = [row for row in one.groups(system, metric) if row["value"] in speakers]
    if not rows:
        return ""
    series = one.systems.index(system) % MOST_SERIES
    drawn = [
        Strip(
            row["value"],
            speakers_text(row),
            {name: 100 * rate for name, rate in speakers[row["value"]].items()},
            _hundred(rate_of(row)),
            series,
        )
        for row in rows
    ]
    return strip_plot(drawn, title=f"{TITLES[metric]} of {system}: every speaker, by {one.title}")


def speakers_text(row: Row) -> str:
    """Return how many speakers a row rests on."""
    number = row["n_speakers"]
    if number is None:
        return "speakers unknown"
    return "1 speaker" if number == 1 else f"{count(number)} speakers"


def change_chart(one: Slice, metric: str) -> str:
    """Return how the gap of each pair changes from the first system to another, widest first."""
    rows = [row for row in one.changes(metric) if row["interval"]["low"] is not None]
    rows.sort(key=lambda row: -abs(row["change"]))
    if not rows:
        return ""
    several = len({row["second"] for row in rows}) > 1
    return interval_chart(
        [_change(row, several=several) for row in rows[:MOST_PAIRS_DRAWN]],
        title=f"Change of gaps in {TITLES[metric]} between systems, in points, by {one.title}",
        line=0.0,
    )


def _change(row: Row, *, several: bool) -> Estimate:
    """Return a change with the pair turned so that its first gap is positive: below 0 is then a narrower gap."""
    sign = -1 if row["first_gap"] < 0 else 1
    first, second = (row["row"], row["column"])[::sign]
    low, high = _ends(row, sign)
    value = sign * 100 * row["change"]
    note = f"{signed(value)} ({signed(low)} to {signed(high)})"
    below = f"{MINUS} {second}" + (f" ({row['second']})" if several else "")
    return Estimate(first, value, low, high, note, below=below)


def _ends(row: Row, sign: int) -> tuple[float, float]:
    low, high = (sign * 100 * row["interval"][end] for end in ("low", "high"))
    return (low, high) if sign > 0 else (high, low)


def _hundred(value: float | None) -> float | None:
    return None if value is None else 100 * value


def legend(names: Sequence[str]) -> list[tuple[int, str]]:
    """Return number of the colour and name of each system, where there are several."""
    return [(k % MOST_SERIES, name) for k, name in enumerate(names)] if len(names) > 1 else []
