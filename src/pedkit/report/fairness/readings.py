"""Plain sentences about groups, made from the numbers, that claim no more than the numbers allow.

They speak of measured error: how well a system hears these recordings. They never speak of the people in them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from pedkit.report.fairness.content import LESS_IS_WORSE, TITLES, UNKNOWN, Row, Slice
from pedkit.report.numbers import counted

LEVEL = 0.05
"""A claim needs a p value below it, after the correction for the number of pairs."""

MOST_NAMED, MOST_SMALL = 4, 8
"""Pairs, and small groups, that are named one by one."""

CONFOUNDED = 0.3
"""Cramér's V (bias-corrected) from which two attributes are named as going together."""


def readings(one: Slice, metric: str) -> list[str]:
    """Return what may be said of one attribute and metric: a few sentences for each system, then of all."""
    sentences = []
    for system in one.systems:
        who = f"{system}: " if len(one.systems) > 1 else ""
        sentences += [who + sentence for sentence in _of_system(one, system, metric)]
    return [*sentences, *_changes(one, metric)]


def cautions(one: Slice, metric: str) -> list[str]:
    """Return what to keep in mind about the data behind one attribute, whatever the system."""
    return [*_small(one, metric), *_left_out(one, metric), *_confounded(one)]


def _of_system(one: Slice, system: str, metric: str) -> Iterator[str]:
    groups = _named(one, system, metric)
    known = [row for row in groups if row["n_speakers"] is not None]
    if why := _why_nothing(one, system, metric):
        yield (
            f"Nothing can be compared in {TITLES[metric]}: {why}."
            if known
            else f"No interval and no test, because {why}. How much of a difference is chance cannot be said."
        )
        return
    pairs = one.rows("pairwise", system, metric)
    tested = [row for row in pairs if row["p_holm"] is not None]
    p, test = headline_test(one, system, metric)
    claimed = claims(tested, p)
    if claimed:
        if p is not None and len(known) > 2:
            yield f"The groups differ in {TITLES[metric]} ({p_text(p)}, {test})."
        yield from _claimed(claimed, {row["value"]: row for row in groups}, metric)
        if len(tested) > len(claimed):
            rest = len(tested) - len(claimed)
            yield f"For the other {'pair' if rest == 1 else f'{rest} pairs'} no difference can be claimed."
    elif p is not None and p < LEVEL:
        yield _somewhere(one, system, metric, p, test)
    else:
        yield from _no_claim(tested, known, metric, p, test)
    yield from _uncorrected(tested, claimed)
    yield from _untested(pairs)


def _named(one: Slice, system: str, metric: str) -> list[Row]:
    return [row for row in one.groups(system, metric) if row["value"] != UNKNOWN]


def _why_nothing(one: Slice, system: str, metric: str) -> str | None:
    """Return why no groups can be compared, ``None`` where some can be."""
    named = _named(one, system, metric)
    known = [row for row in named if row["n_speakers"] is not None]
    if not named:
        return "there is no named group"
    if not known:
        found: str = one.overall(system, metric)["reason"] or named[0]["interval"]["reason"]
        return found
    enough = sum(row["n_speakers"] >= 2 and row["mean"] is not None for row in known)
    return None if enough > 1 else "fewer than two groups have two speakers or more"


def verdict(one: Slice, metric: str) -> str:
    """Return in a few words, for each system, whether a difference can be claimed."""
    found = []
    for system in one.systems:
        tested, p = list[Row](), None
        if not _why_nothing(one, system, metric):
            tested = [row for row in one.rows("pairwise", system, metric) if row["p_holm"] is not None]
            p, _ = headline_test(one, system, metric)
        claimed = claims(tested, p)
        if claimed:
            words = f"a difference can be claimed for {_pairs(len(claimed))}"
        elif p is not None and p < LEVEL:
            words = "the groups differ"
        elif tested:
            words = "no difference can be claimed"
        else:
            words = f"nothing can be tested{_why_untested(one, system, metric)}"
        found.append(f"{system}: {words}" if len(one.systems) > 1 else words)
    return "; ".join(found)


def _why_untested(one: Slice, system: str, metric: str) -> str:
    reasons = [row["reason"] for row in one.rows("pairwise", system, metric) if row["reason"]]
    why = _why_nothing(one, system, metric) or next(iter(reasons), None)
    return f" ({why})" if why else ""


def headline_test(one: Slice, system: str, metric: str) -> tuple[float | None, str]:
    """Return the p value of all groups together and its test: the mixed model's, else that of Welch's ANOVA."""
    model = one.model(system, metric)
    if model["p"] is not None:
        name = " with ".join(["mixed model", *([", ".join(one.other_terms)] if one.other_terms else [])])
        return model["p"], name if model["bootstrap"] is None else f"{name}, bootstrap"
    omnibus = next(iter(one.rows("omnibus", system, metric)), None)
    return (None, "") if omnibus is None else (omnibus["welch_anova"]["p"], "Welch's analysis of variance")


def claims(tested: Sequence[Row], p: float | None) -> list[Row]:
    """Return the pairs of which a difference may be claimed, widest first.

    Holm's p value is below 0.05, and so is that of all groups together, where it is defined.
    """
    if p is not None and p >= LEVEL:
        return []
    found = [row for row in tested if row["p_holm"] < LEVEL]
    return sorted(found, key=lambda row: -abs(row["difference"]))


def _claimed(claimed: Sequence[Row], groups: dict[str, Row], metric: str) -> Iterator[str]:
    title = TITLES[metric]
    for row in claimed[:MOST_NAMED]:
        low, high = row["interval"]["low"], row["interval"]["high"]
        first, second = row["row"], row["column"]
        if (row["difference"] < 0) != (metric in LESS_IS_WORSE):
            first, second, low, high = second, first, -high, -low
        low, high = sorted((abs(low), abs(high)))
        means = f"{_percent(groups[first]['mean'])} against {_percent(groups[second]['mean'])}"
        word = "lower" if metric in LESS_IS_WORSE else "higher"
        yield f"{title} is {word} for {first} than for {second}, by {_points(low, high)} ({means})."
    if len(claimed) > MOST_NAMED:
        yield f"So it is for {_pairs(len(claimed) - MOST_NAMED)} more, which the matrix marks."


def _somewhere(one: Slice, system: str, metric: str, p: float, test: str) -> str:
    """Return the sentence on groups that differ although no pair of means does beyond doubt."""
    extremes = one.model(system, metric).get("worst_to_best")
    if extremes is None:
        return f"The groups differ in {TITLES[metric]} ({p_text(p)}, {test}), but which ones cannot be said."
    ratio = extremes["ratio"]
    if len(one.model(system, metric)["groups"]) == 2 and ratio["low"] is not None:
        times = f"{ratio['low']:.2f} to {ratio['high']:.2f} times that for {extremes['best']}"
        return f"{TITLES[metric]} for {extremes['worst']} is {times} ({p_text(p)}, {test})."
    return f"The groups differ in {TITLES[metric]} ({p_text(p)}, {test}), but no single pair can be named."


def _no_claim(
    tested: Sequence[Row], known: Sequence[Row], metric: str, p: float | None, test: str
) -> Iterator[str]:
    title = TITLES[metric]
    means = sorted((row for row in known if row["mean"] is not None), key=lambda row: row["mean"])
    low, high = means[0], means[-1]
    ends = _percent(low["mean"]), _percent(high["mean"])
    run = f"run from {ends[0]} ({low['value']}) to {ends[1]} ({high['value']})"
    if same := ends[0] == ends[1]:
        run = f"of all groups are {ends[0]}"
    because = f" ({p_text(p)}, {test})" if p is not None else ""
    if not tested:
        yield f"No difference in {title} can be claimed: no pair of groups can be tested. The means {run}."
        return
    chance = "" if same else ", and gaps like that can come about by chance"
    yield f"No difference in {title} can be claimed{because}: the means {run}{chance}."
    visible = [row["detectable_gap"] for row in tested if row["detectable_gap"] is not None]
    if visible:
        least = _rounded(100 * min(visible))
        points = "point" if least == "1" else "points"
        yield (
            f"That is no proof of equality: with these speakers a gap of less than {least} {points} easily goes "
            "unseen."
        )


def _uncorrected(tested: Sequence[Row], claimed: Sequence[Row]) -> Iterator[str]:
    raw = sum(bool(row["stars"]) for row in tested)
    if raw > len(claimed) and len(tested) > 1:
        chance = "so many tests give stars by chance, and what is claimed here is corrected for that"
        yield f"Taken one by one, {raw} of {_pairs(len(tested))} would carry a star; {chance}."


def _untested(pairs: Sequence[Row]) -> Iterator[str]:
    reasons = dict.fromkeys(row["reason"] for row in pairs if row["p"] is None and row["reason"])
    number = sum(row["p"] is None for row in pairs)
    if number:
        named = "; ".join(list(reasons)[:3]).replace("n/a (1 speaker)", "one speaker")
        yield f"{_pairs(number).capitalize()} {'has' if number == 1 else 'have'} no test ({named})."


def _changes(one: Slice, metric: str) -> Iterator[str]:
    """Yield what changed between the first system and each other one."""
    by_system: dict[tuple[str, str], list[Row]] = {}
    for row in one.changes(metric):
        by_system.setdefault((row["first"], row["second"]), []).append(row)
    for (first, second), rows in by_system.items():
        tested = [row for row in rows if row["p_holm"] is not None]
        moved = sorted((row for row in tested if row["p_holm"] < LEVEL), key=lambda row: -abs(row["change"]))
        for row in moved[:MOST_NAMED]:
            low, high = sorted((abs(row["interval"]["low"]), abs(row["interval"]["high"])))
            before, after = abs(row["first_gap"]), abs(row["second_gap"])
            turned = row["first_gap"] * row["second_gap"] < 0
            word = "turns round" if turned else "narrows" if after < before else "widens"
            gap = f"the gap in {TITLES[metric]} between {row['row']} and {row['column']}"
            moved_by = f"by {_points(low, high)} (from {100 * before:.1f} to {100 * after:.1f} points)"
            yield f"From {first} to {second} {gap} {word}, {moved_by}, on the same speakers."
        if left_out := rows[0]["left_out"]:
            takes = "takes" if left_out == 1 else "take"
            yield f"{counted(left_out, 'utterance')} that only {first} or {second} scored {takes} no part in this."
        if tested and not moved:
            yield f"From {first} to {second} no change of a gap in {TITLES[metric]} can be claimed."


def _small(one: Slice, metric: str) -> Iterator[str]:
    small = [row for row in one.groups(one.systems[0], metric) if "few_speakers" in row["flags"]]
    named = [f"{row['value']} ({row['n_speakers']})" for row in small if row["value"] != UNKNOWN]
    if named:
        more = f" and {len(named) - MOST_SMALL} more" if len(named) > MOST_SMALL else ""
        groups = ", ".join(named[:MOST_SMALL]) + more
        yield f"Fewer than 10 speakers: {groups}. One speaker more or less can move such a mean a lot."


def _left_out(one: Slice, metric: str) -> Iterator[str]:
    for row in one.groups(one.systems[0], metric):
        if row["value"] == UNKNOWN:
            words = one.attribute.replace("_", " ")
            carry = "carries" if row["n_utterances"] == 1 else "carry"
            yield f"{counted(row['n_utterances'], 'utterance')} {carry} no {words}; no comparison uses them."


def _confounded(one: Slice) -> Iterator[str]:
    for table in one.content["confounding"]:
        for pair in table["pairs"] if table["corpus"] == one.corpus else ():
            strength = pair["cramers_v_corrected"]
            if (
                one.attribute in (pair["first"], pair["second"])
                and strength is not None
                and strength >= CONFOUNDED
            ):
                other = pair["second"] if pair["first"] == one.attribute else pair["first"]
                both = f"{one.attribute} and {other} go together".replace("_", " ")
                yield f"{both} (Cramér's V {strength:.2f}), so a gap by the one may be a gap by the other."


def p_text(p: float) -> str:
    """Return a p value in words that do not pretend to more digits than it has."""
    return "p < 0.001" if p < 0.001 else f"p = {p:.2g}" if p < 0.1 else f"p = {p:.2f}"


def _pairs(number: int) -> str:
    return "one pair" if number == 1 else f"{number} pairs"


def _points(low: float, high: float) -> str:
    return f"{100 * low:.1f} to {100 * high:.1f} points"


def _rounded(points: float) -> str:
    """Return a size in whole points, below 1 with as many digits as show the first that is not 0."""
    return f"{points:.{max(0, -math.floor(math.log10(points)))}f}"


def _percent(value: float) -> str:
    return f"{100 * value:.1f} %"
