"""Three estimates of one gap, and a sentence where they do not point the same way."""

from __future__ import annotations

from collections.abc import Mapping

from pedkit.report.fairness.content import UNKNOWN, Slice

MEAN = "the mean over speakers"
TOGETHER = "the rate of all utterances together"
RATIO = "the rate ratio of the mixed model"


def disagreement(one: Slice, system: str, metric: str) -> str:
    """Return which group is highest by which estimate, and why they differ; nothing where all agree.

    Estimates are compared as they are printed, so that two means of 81.7 % are equal.

    Args:
        one: The attribute.
        system: Name of the system.
        metric: Name of the metric.
    """
    estimates = _estimates(one, system, metric)
    highest = {name: _highest(values) for name, values in estimates.items()}
    if len(set(highest.values())) < 2:
        return ""
    found = ", ".join(f"{name} is {_where(highest[name], values)}" for name, values in estimates.items())
    why = "The mean counts every speaker once; together, speakers who said more weigh more"
    if RATIO in estimates:
        held = f", and holds {', '.join(one.other_terms)} equal" if one.other_terms else ""
        why += f"; the ratio weighs in between, nearer to the mean the more speakers differ{held}"
    return f"The estimates do not point the same way: {found}. {why}."


def _where(groups: tuple[str, ...], values: Mapping[str, float]) -> str:
    names = " and ".join(groups)
    return f"equal for {names}" if len(groups) == len(values) else f"highest for {names}"


def _estimates(one: Slice, system: str, metric: str) -> dict[str, dict[str, float]]:
    """Return estimate -> group -> its value as printed, of those estimates that all named groups have."""
    rows = [row for row in one.groups(system, metric) if row["value"] != UNKNOWN]
    ratios = {group["value"]: group["rate_ratio"]["value"] for group in one.model(system, metric)["groups"]}
    found = {
        MEAN: {row["value"]: _printed(row["mean"], 100, 1) for row in rows},
        TOGETHER: {row["value"]: _printed(row["pooled"]["value"], 100, 1) for row in rows},
        RATIO: {row["value"]: _printed(ratios.get(row["value"]), 1, 2) for row in rows},
    }
    return {
        name: {group: value for group, value in values.items() if value is not None}
        for name, values in found.items()
        if len(rows) > 1 and None not in values.values()
    }


def _printed(value: float | None, unit: float, digits: int) -> float | None:
    return None if value is None else round(unit * value, digits)


def _highest(values: Mapping[str, float]) -> tuple[str, ...]:
    most = max(values.values())
    return tuple(sorted(group for group, value in values.items() if value == most))
